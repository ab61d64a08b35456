import type { BlockRef } from '@tollbridge/chain-port';
import type { SolanaNode } from '../solana-node';
import type { SolanaBlock } from '../solana-types';
import { toBlockRef } from './next-update';
import { readHead } from './read-head';

// A cluster leaves this many slots without a block only in long outages.
const slotsAtOnce = 1_000;

/**
 * Returns the newest block at or before a time, from `startHeight` on. Returns undefined if the first block is later.
 */
export async function blockBefore(
  node: SolanaNode,
  timeMs: number,
  startHeight: number,
): Promise<BlockRef | undefined> {
  const { head } = await readHead(node);
  if (head.timeMs <= timeMs) return head.height < startHeight ? undefined : toBlockRef(head);
  let found: SolanaBlock | undefined;
  // All blocks below `low` are at or before the time, and the blocks from `high` on are later.
  let [low, high] = [startHeight, head.height];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const block = await firstBlock(node, middle, high - 1);
    if (!block || block.timeMs > timeMs) {
      high = middle;
    } else {
      found = block;
      low = block.height + 1;
    }
  }
  return found && toBlockRef(found);
}

/** Returns the first block of a range of slots. */
async function firstBlock(node: SolanaNode, from: number, to: number): Promise<SolanaBlock | undefined> {
  for (let start = from; start <= to; start += slotsAtOnce) {
    const [slot] = await node.slotsWithBlocks(start, Math.min(to, start + slotsAtOnce - 1));
    if (slot !== undefined) return node.blockAt(slot);
  }
  return undefined;
}
