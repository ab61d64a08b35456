import type { BlockRef } from '@tollbridge/chain-port';
import { ProviderError } from '@tollbridge/http';
import type { SuiNode } from '../sui-node';
import { readCheckpoints, readHead } from '../checkpoint-reads';

// A request reads 20 heights, so that a search in 300 million checkpoints takes seven requests.
const probes = 20;

/**
 * Returns the newest checkpoint at or before a time, from `startHeight` on; undefined if the checkpoint at
 * `startHeight` is newer. The node may have pruned older checkpoints.
 * @throws ProviderError if the node has pruned the wanted checkpoint
 */
export async function newestBefore(
  node: SuiNode,
  timeMs: number,
  startHeight: number,
): Promise<BlockRef | undefined> {
  const head = await readHead(node);
  if (head.timeMs <= timeMs) return head;
  let found: BlockRef | undefined;
  let prunedTo = -1;
  // The wanted checkpoint is `found`, or has one of these heights.
  let [low, high] = [startHeight, head.height - 1];
  while (low <= high) {
    const heights = heightsBetween(low, high);
    const { checkpoints } = await readCheckpoints(node, heights);
    const pruned = checkpoints.lastIndexOf(null) + 1;
    prunedTo = heights[pruned - 1] ?? prunedTo;
    const kept = checkpoints.slice(pruned).filter((it) => it !== null);
    const older = kept.filter((it) => it.timeMs <= timeMs);
    const younger = kept[older.length];
    found = older.at(-1) ?? found;
    low = Math.max(low, (older.at(-1)?.height ?? prunedTo) + 1);
    if (younger) high = younger.height - 1;
  }
  if (prunedTo > (found?.height ?? -1)) throw missing(prunedTo);
  return found;
}

/** Returns evenly spread heights in ascending order, including both ends. */
function heightsBetween(low: number, high: number): number[] {
  const steps = Math.min(probes - 1, high - low);
  if (steps === 0) return [low];
  return Array.from({ length: steps + 1 }, (_none, at) => low + Math.floor(((high - low) * at) / steps));
}

const missing = (height: number): ProviderError =>
  new ProviderError('sui', { kind: 'unavailable', message: `checkpoint ${height} is missing` });
