import type { EvmChain } from '@tollbridge/chains';
import { EvmRpc } from './rpc-pool';

/** The nodes of a chain as one. The log is told when one of them is set aside. */
export function evmRpcOf(
  { id, chainId, rpcUrls, maxLagBlocks }: EvmChain,
  log: { warn(about: object, sentence: string): void },
): EvmRpc {
  const onSetAside = (event: object) => log.warn({ chain: id, ...event }, 'an RPC endpoint was set aside');
  return new EvmRpc({ chainId, urls: rpcUrls, maxLagBlocks, onSetAside });
}
