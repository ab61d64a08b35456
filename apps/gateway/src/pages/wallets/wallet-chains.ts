import type { Chain } from '@tollbridge/chains';
import { publicNodes } from './public-nodes';

/**
 * The parameter of `wallet_addEthereumChain` (EIP-3085). Null for chains that every wallet has, and for other families.
 */
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
