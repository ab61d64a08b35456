import * as viemChains from 'viem/chains';

// Wallets know this chain without a node URL.
const ethereum = 1;

/**
 * Renders the public node of each EVM chain in the registry, from viem's chain definitions.
 * @param {readonly { chainId: number | null, name: string }[]} chains
 */
export function renderPublicNodes(chains) {
  const definitions = Object.values(viemChains);
  const entries = chains.flatMap(({ chainId, name }) => {
    if (chainId === null || chainId === ethereum) return [];
    // Variants of a chain, such as `basePreconf`, are listed after it.
    const definition = definitions.find(({ id }) => id === chainId);
    const url = definition?.rpcUrls.default.http.find((it) => it.startsWith('https://'));
    if (!url) throw new Error(`viem has no public node of ${name}, chain ${chainId}`);
    return [`  ${chainId}: '${url}',`];
  });
  return `// Written by \`npm run docs\` from viem's chain definitions (MIT).
/** Public nodes by EIP-155 id: wallets ask them once they have added the chain. */
export const publicNodes: Readonly<Record<number, string>> = {
${entries.join('\n')}
};
`;
}
