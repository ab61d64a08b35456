import type { EvmChain } from '@tollbridge/chains';
import { EvmRpc } from './rpc-pool';

/** Creates the RPC pool of a chain. Logs each endpoint that becomes unhealthy. */
export function evmRpcOf(
  { id, chainId, rpcUrls, maxLagBlocks }: EvmChain,
  log: { warn(about: object, sentence: string): void },
): EvmRpc {
  const onUnhealthy = (event: object) => log.warn({ chain: id, ...event }, 'RPC endpoint unhealthy');
  return new EvmRpc({ chainId, urls: rpcUrls, maxLagBlocks, onUnhealthy });
}
