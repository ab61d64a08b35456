// The API names no explorers. Local chains of the sandbox have none.
const explorers: Readonly<Record<string, string>> = {
  'eip155:1': 'https://etherscan.io/tx/',
  'eip155:10': 'https://optimistic.etherscan.io/tx/',
  'eip155:56': 'https://bscscan.com/tx/',
  'eip155:100': 'https://gnosisscan.io/tx/',
  'eip155:137': 'https://polygonscan.com/tx/',
  'eip155:8453': 'https://basescan.org/tx/',
  'eip155:42161': 'https://arbiscan.io/tx/',
  'eip155:43114': 'https://snowtrace.io/tx/',
  'eip155:59144': 'https://lineascan.build/tx/',
  'eip155:534352': 'https://scrollscan.com/tx/',
  solana: 'https://solscan.io/tx/',
  tron: 'https://tronscan.org/#/transaction/',
  ton: 'https://tonviewer.com/transaction/',
  sui: 'https://suiscan.xyz/mainnet/tx/',
};

export const isSandbox = (): boolean => document.getElementById('app')?.dataset['environment'] === 'sandbox';

/** The page of a transaction in an explorer; undefined where there is none. */
export function explorerUrl(chainId: string, hash: string): string | undefined {
  const base = isSandbox() ? undefined : explorers[chainId];
  return base && base + encodeURIComponent(hash);
}
