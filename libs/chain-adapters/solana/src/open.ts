import { NodePool } from '@tollbridge/chain-nodes';
import type { ChainWithNodes, DirectChain } from '@tollbridge/chains';
import { SolanaPaymentAdapter } from './payments/solana-payment.adapter';
import { SolanaTransferReader } from './payments/solana-transfer-reader';
import { SolanaNode } from './solana-node';

interface Log {
  warn(about: object, sentence: string): void;
}

export interface OpenedSolanaReader {
  chain: ChainWithNodes;
  rpc: NodePool<SolanaNode>;
  reader: SolanaTransferReader;
}

export interface OpenedSolanaAdapter {
  chain: DirectChain;
  rpc: NodePool<SolanaNode>;
  adapter: SolanaPaymentAdapter;
}

/** Combines the nodes of a Solana chain into a pool. Logs each node that becomes unhealthy. */
function openNodes(chain: ChainWithNodes, logger: Log): NodePool<SolanaNode> {
  return new NodePool({
    clients: chain.rpcUrls.map((url, index) => new SolanaNode(chain, url, index + 1)),
    head: (node) => node.slot(),
    ranges: (node) => node.ranges,
    maxLagBlocks: chain.maxLagBlocks,
    onUnhealthy: (event) => logger.warn({ chain: chain.id, ...event }, 'RPC endpoint unhealthy'),
  });
}

/** Opens a reader of transfers on a Solana chain of `CHAINS_FILE`. */
export function openSolanaReader(chain: ChainWithNodes, logger: Log): OpenedSolanaReader {
  const rpc = openNodes(chain, logger);
  return { chain, rpc, reader: new SolanaTransferReader(chain, rpc) };
}

/** Opens the adapter of a Solana chain of `CHAINS_FILE` with direct payments. */
export function openSolanaAdapter(chain: DirectChain, logger: Log): OpenedSolanaAdapter {
  const rpc = openNodes(chain, logger);
  return { chain, rpc, adapter: new SolanaPaymentAdapter(chain, rpc) };
}
