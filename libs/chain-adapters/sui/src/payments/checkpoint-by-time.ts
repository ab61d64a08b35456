import type { BlockRef } from '@tollbridge/chain-port';
import { ProviderError } from '@tollbridge/http';
import type { SuiNode } from '../sui-node';
import { readCheckpoints, readHead } from '../sui-reads';

// A request asks for 20 heights, so that 300 million checkpoints take seven requests.
const probes = 20;

/** The newest checkpoint at or before a time, from `startHeight`; undefined when that one is younger. */
export async function newestBefore(
  node: SuiNode,
  timeMs: number,
  startHeight: number,
): Promise<BlockRef | undefined> {
  const head = await readHead(node);
  if (head.timeMs <= timeMs) return head;
  let found: BlockRef | undefined;
  // The wanted checkpoint is `found`, or among these heights.
  let [low, high] = [startHeight, head.height - 1];
  while (low <= high) {
    const checkpoints = await checkpointsAt(node, heightsBetween(low, high));
    const older = checkpoints.filter((it) => it.timeMs <= timeMs);
    const younger = checkpoints[older.length];
    found = older.at(-1) ?? found;
    low = Math.max(low, (older.at(-1)?.height ?? low - 1) + 1);
    if (younger) high = younger.height - 1;
  }
  return found;
}

/** Evenly spread, with both ends, ascending. */
function heightsBetween(low: number, high: number): number[] {
  const steps = Math.min(probes - 1, high - low);
  if (steps === 0) return [low];
  return Array.from({ length: steps + 1 }, (_none, at) => low + Math.floor(((high - low) * at) / steps));
}

async function checkpointsAt(node: SuiNode, heights: readonly number[]): Promise<BlockRef[]> {
  const { checkpoints } = await readCheckpoints(node, heights);
  return checkpoints.map((checkpoint, at) => {
    if (checkpoint) return checkpoint;
    const message = `checkpoint ${heights[at]} is missing`;
    throw new ProviderError('sui', { kind: 'unavailable', message });
  });
}
