import { Problem } from './problem.mjs';

/**
 * Local networks beside the EVM nodes. The sandbox app simulates their nodes; Tron's runs on an EVM node of its own.
 */
export const allNetworks = ['ton', 'solana', 'tron', 'sui'];

/** The chain id of Tron's EVM node: what its contracts see. */
export const tronChainId = 728126428;

/**
 * The networks to start: all of them, unless `SANDBOX_NETWORKS` names some, or says `none`.
 * @param {string | undefined} text of the variable
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
