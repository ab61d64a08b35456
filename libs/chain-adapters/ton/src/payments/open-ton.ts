import { NodePool } from '@tollbridge/chain-nodes';
import type { ChainWithNodes, DirectChain } from '@tollbridge/chains';
import { parseNodeUrl } from './node-url';
import { TonNode } from './ton-node';
import { TonPaymentAdapter } from './ton-payment.adapter';
import { TonTransferReader } from './ton-transfer-reader';

interface Logger {
  warn(about: object, sentence: string): void;
}

/**
 * Opens the chain's nodes and a reader of transfers. `rpc` is the input of `showNodes`.
 * @throws Error for an invalid URL
 */
export function openTonReader<C extends ChainWithNodes>(chain: C, logger: Logger) {
  const rpc = openNodes(chain, logger);
  return { chain, rpc, reader: new TonTransferReader(chain, rpc) };
}

/** Opens the chain's nodes and the adapter. `rpc` is the input of `showNodes`. @throws Error for an invalid URL */
export function openTonAdapter(chain: DirectChain, logger: Logger) {
  const rpc = openNodes(chain, logger);
  return { chain, rpc, adapter: new TonPaymentAdapter(chain, rpc) };
}

function openNodes({ id, caip2, rpcUrls, maxLagBlocks }: ChainWithNodes, logger: Logger): NodePool<TonNode> {
  const globalId = Number(/^tvm:(-?\d+)$/.exec(caip2 ?? '')?.[1]);
  if (!Number.isInteger(globalId)) throw new Error(`${id} has no global id of TON`);
  return new NodePool({
    clients: rpcUrls.map((url, at) => new TonNode(parseNodeUrl(url, at + 1), globalId)),
    head: (node) => node.head(),
    ranges: (node) => node.ranges,
    maxLagBlocks,
    onUnhealthy: (event) => logger.warn({ chain: id, ...event }, 'RPC endpoint unhealthy'),
  });
}
