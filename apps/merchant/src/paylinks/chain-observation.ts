import type { BlockRef, EvmReads, EvmRpc } from '@tollbridge/evm';
import type { ChainObservation, Payment } from './payment';

/** A transaction to read from the chain. */
export interface ObservedTransaction {
  txHash: string;
  /** The block in which it was seen before. */
  block: Payment['block'];
}

/** Reads transactions from one node. @throws RpcError when no node answers */
export function observe(
  rpc: EvmRpc,
  transactions: readonly ObservedTransaction[],
): Promise<ChainObservation[]> {
  return rpc.pinned(async (reads) => {
    const { head, receipts } = await reads.headAndReceipts(transactions.map(({ txHash }) => txHash));
    const heightOf = (at: number) => receipts[at]?.height ?? transactions[at]!.block?.height;
    const heights = [...new Set(transactions.flatMap((_, at) => heightOf(at) ?? []))];
    const blocks = await blocksAt(reads, heights);
    return Promise.all(
      transactions.map(async ({ txHash, block: seen }, at): Promise<ChainObservation> => {
        const [receipt, height] = [receipts[at], heightOf(at)];
        const block = height === undefined ? null : (blocks.get(height) ?? null);
        if (!receipt)
          return isStillThere(seen, block)
            ? unavailable
            : { kind: 'unmined', chainTimeMs: head.timestamp * 1_000 };
        // Its value pays links of the coin; its data may name a link.
        const transaction = await reads.transaction(txHash);
        const isWhole = block?.hash === receipt.blockHash && transaction?.blockHash === receipt.blockHash;
        // The chain has advanced between the answers, or a part of the node lags.
        if (!isWhole) return unavailable;
        const confirmations = head.height - receipt.height + 1;
        return { kind: 'mined', receipt, transaction, minedAtMs: block.timestamp * 1_000, confirmations };
      }),
    );
  });
}

const unavailable: ChainObservation = { kind: 'unavailable' };

/** A node that lacks the block, or has it without its receipts, does not show that the transaction was dropped. */
function isStillThere(seen: ObservedTransaction['block'], block: BlockRef | null): boolean {
  return seen !== null && (block === null || block.hash === seen.hash);
}

async function blocksAt(reads: EvmReads, heights: number[]): Promise<Map<number, BlockRef | null>> {
  if (heights.length === 0) return new Map();
  const blocks = await reads.blocksAt(heights);
  return new Map(heights.map((height, at) => [height, blocks[at]!]));
}
