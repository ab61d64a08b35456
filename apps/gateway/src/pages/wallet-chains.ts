import type { Chain } from '@tollbridge/chains';

/** Public nodes, as the documentation of each chain names them: wallets ask them once they have added the chain. */
const publicNodes: Readonly<Record<number, string>> = {
  10: 'https://mainnet.optimism.io',
  56: 'https://bsc-dataseed.bnbchain.org',
  100: 'https://rpc.gnosischain.com',
  137: 'https://polygon-rpc.com',
  8453: 'https://mainnet.base.org',
  42161: 'https://arb1.arbitrum.io/rpc',
  43114: 'https://api.avax.network/ext/bc/C/rpc',
  80094: 'https://rpc.berachain.com',
  84532: 'https://sepolia.base.org',
  534352: 'https://rpc.scroll.io',
};

/** The parameter of `wallet_addEthereumChain` (EIP-3085); null for chains that every wallet knows or without a public node. */
export function addChainParameters(chain: Chain): object | null {
  const node = chain.chainId === null ? undefined : publicNodes[chain.chainId];
  if (!node) return null;
  const coin = chain.tokens.find(({ address }) => address === null)!;
  return {
    chainId: `0x${chain.chainId!.toString(16)}`,
    chainName: chain.name,
    nativeCurrency: { name: coin.name, symbol: coin.symbol, decimals: coin.decimals },
    rpcUrls: [node],
    blockExplorerUrls: [new URL(chain.explorerTxUrl.replace('{tx}', '')).origin],
  };
}
