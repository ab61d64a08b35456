import { NodePool } from '@tollbridge/chain-nodes';
import type { ChainWithNodes, DirectChain } from '@tollbridge/chains';
import { TronPaymentAdapter } from './payments/tron-payment.adapter';
import { TronTransferReader } from './payments/tron-transfer-reader';
import { withProviderErrors } from './provider-failure';
import { TronNode, type TronNodeOptions } from './tron-node';

export interface WarningLog {
  warn(about: object, sentence: string): void;
}

/** Combines the nodes of a chain into a pool. Logs each node that becomes unhealthy. */
export function tronNodes(
  { id, caip2, rpcUrls, maxLagBlocks }: Pick<ChainWithNodes, 'id' | 'caip2' | 'rpcUrls' | 'maxLagBlocks'>,
  log: WarningLog,
  options: Pick<TronNodeOptions, 'fetch' | 'timeoutMs' | 'clock'> = {},
): NodePool<TronNode> {
  const chainId = Number(caip2.split(':')[1]);
  return new NodePool({
    clients: rpcUrls.map((url, at) => new TronNode({ ...options, url, chainId, position: at + 1 })),
    head: async ({ reads }) => (await withProviderErrors(() => reads.head())).height,
    maxLagBlocks,
    ...(options.clock && { clock: options.clock }),
    ranges: ({ reads }) => reads.ranges,
    onUnhealthy: (event) => log.warn({ chain: id, ...event }, 'RPC endpoint unhealthy'),
  });
}

/** Opens a reader of transfers, even for a chain without direct payments. `rpc` is the input of `showNodes`. */
export function openTronReader<C extends ChainWithNodes>(
  chain: C,
  log: WarningLog,
): { chain: C; rpc: NodePool<TronNode>; reader: TronTransferReader<C> } {
  const rpc = tronNodes(chain, log);
  return { chain, rpc, reader: new TronTransferReader(chain, rpc) };
}

/** Opens the adapter of a chain with direct payments. `rpc` is the input of `showNodes`. */
export function openTronAdapter(
  chain: DirectChain,
  log: WarningLog,
): { chain: DirectChain; rpc: NodePool<TronNode>; adapter: TronPaymentAdapter } {
  const rpc = tronNodes(chain, log);
  return { chain, rpc, adapter: new TronPaymentAdapter(chain, rpc) };
}
