import { NodePool } from '@tollbridge/chain-nodes';
import type { ChainWithNodes, DirectChain } from '@tollbridge/chains';
import { SuiPaymentAdapter } from './payments/sui-payment.adapter';
import { SuiTransferReader } from './payments/sui-transfer-reader';
import { SuiNode } from './sui-node';
import { readHead } from './checkpoint-reads';

/**
 * The first four bytes of the digest of the main network's genesis checkpoint. Local networks report the same value.
 */
export const suiMainnet = '35834a8a';

interface Log {
  warn(about: object, sentence: string): void;
}

/** Combines the nodes of Sui into a pool. Logs each node that becomes unhealthy. */
export function suiRpcOf({ id, rpcUrls, maxLagBlocks }: ChainWithNodes, log: Log): NodePool<SuiNode> {
  return new NodePool({
    clients: rpcUrls.map((url) => new SuiNode({ url, chainIdentifier: suiMainnet })),
    head: async (node) => (await readHead(node)).height,
    ranges: (node) => node.ranges,
    maxLagBlocks,
    onUnhealthy: (event) => log.warn({ chain: id, ...event }, 'RPC endpoint unhealthy'),
  });
}

/** Opens a reader of transfers on Sui, even without a payment package. */
export function openSuiReader<C extends ChainWithNodes>(
  chain: C,
  log: Log,
): { chain: C; rpc: NodePool<SuiNode>; reader: SuiTransferReader<C> } {
  const rpc = suiRpcOf(chain, log);
  return { chain, rpc, reader: new SuiTransferReader(chain, rpc) };
}

/** Opens the adapter for direct payments on Sui. */
export function openSuiAdapter(
  chain: DirectChain,
  log: Log,
): { chain: DirectChain; rpc: NodePool<SuiNode>; adapter: SuiPaymentAdapter } {
  const rpc = suiRpcOf(chain, log);
  return { chain, rpc, adapter: new SuiPaymentAdapter(chain, rpc) };
}
