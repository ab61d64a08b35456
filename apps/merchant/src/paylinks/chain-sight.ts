import type { BlockRef, EvmReads, EvmRpc } from '@tollbridge/evm';
import type { Payment, Sight } from './payment';

/** A transaction to look for. */
export interface Wanted {
  txHash: string;
  /** Where it was seen before. */
  block: Payment['block'];
}

/** Looks for transactions as one node has them. @throws RpcError when none answers */
export function lookFor(rpc: EvmRpc, wanted: readonly Wanted[]): Promise<Sight[]> {
  return rpc.pinned(async (reads) => {
    const { head, receipts } = await reads.headAndReceipts(wanted.map(({ txHash }) => txHash));
    const heightOf = (at: number) => receipts[at]?.height ?? wanted[at]!.block?.height;
    const heights = [...new Set(wanted.flatMap((_, at) => heightOf(at) ?? []))];
    const blocks = await blocksAt(reads, heights);
    return Promise.all(
      wanted.map(async ({ txHash, block: seen }, at): Promise<Sight> => {
        const [receipt, height] = [receipts[at], heightOf(at)];
        const block = height === undefined ? null : (blocks.get(height) ?? null);
        if (!receipt)
          return isStillThere(seen, block)
            ? silent
            : { kind: 'unmined', chainTimeMs: head.timestamp * 1_000 };
        // Its value pays links of the coin; its data may name a link.
        const transaction = await reads.transaction(txHash);
        const isWhole = block?.hash === receipt.blockHash && transaction?.blockHash === receipt.blockHash;
        // The chain has moved on between the answers, or a part of the node lags.
        if (!isWhole) return silent;
        const confirmations = head.height - receipt.height + 1;
        return { kind: 'mined', receipt, transaction, minedAtMs: block.timestamp * 1_000, confirmations };
      }),
    );
  });
}

const silent: Sight = { kind: 'silent' };

/** A node that does not have the block yet, or has it and not its receipts, does not say that the transaction is gone. */
function isStillThere(seen: Wanted['block'], block: BlockRef | null): boolean {
  return seen !== null && (block === null || block.hash === seen.hash);
}

async function blocksAt(reads: EvmReads, heights: number[]): Promise<Map<number, BlockRef | null>> {
  if (heights.length === 0) return new Map();
  const blocks = await reads.blocksAt(heights);
  return new Map(heights.map((height, at) => [height, blocks[at]!]));
}
