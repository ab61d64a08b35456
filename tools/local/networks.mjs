import { Problem } from './problem.mjs';

/**
 * Local networks in addition to the EVM nodes. The sandbox app simulates their nodes. Tron uses its own EVM node.
 */
export const allNetworks = ['ton', 'solana', 'tron', 'sui'];

/** The chain id of Tron's EVM node, which its contracts see. */
export const tronChainId = 728126428;

/**
 * Returns the networks to start: all of them, unless `SANDBOX_NETWORKS` lists some or contains `none`.
 * @param {string | undefined} text the value of the variable
 * @returns {string[]}
 */
export function chosenNetworks(text) {
  if (!text) return allNetworks;
  if (text === 'none') return [];
  const names = text.split(',');
  const unknown = names.filter((name) => !allNetworks.includes(name));
  if (unknown.length > 0)
    throw new Problem(
      `SANDBOX_NETWORKS has ${unknown.join(', ')}; it must be "none", or some of ${allNetworks.join(',')}.`,
    );
  return allNetworks.filter((name) => names.includes(name));
}
