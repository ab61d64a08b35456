import type { BlockRef } from '@tollbridge/chain-port';
import type { SolanaNode } from '../solana-node';
import type { SolanaBlock } from '../solana-types';
import { toBlockRef } from './next-update';
import { readHead } from './read-head';

// Longer outages of a cluster leave no block in so many slots.
const slotsAtOnce = 1_000;

/** The newest block at or before a time, from `startHeight` on; undefined when the first is later. */
export async function blockBefore(
  node: SolanaNode,
  timeMs: number,
  startHeight: number,
): Promise<BlockRef | undefined> {
  const { head } = await readHead(node);
  if (head.timeMs <= timeMs) return head.height < startHeight ? undefined : toBlockRef(head);
  let found: SolanaBlock | undefined;
  // All blocks below `low` are at or before the time; those from `high` on are later.
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

/** The first block of a range of slots. */
async function firstBlock(node: SolanaNode, from: number, to: number): Promise<SolanaBlock | undefined> {
  for (let start = from; start <= to; start += slotsAtOnce) {
    const [slot] = await node.slotsWithBlocks(start, Math.min(to, start + slotsAtOnce - 1));
    if (slot !== undefined) return node.blockAt(slot);
  }
  return undefined;
}
