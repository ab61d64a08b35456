import { InconsistentChain } from './chain-update';
import type { BlockRef } from './evm-types';
import type { EvmRpc } from './rpc-pool';

/**
 * Returns the newest block with a timestamp (Unix seconds) of at most `atSeconds`, by binary search from `startHeight`.
 * Returns undefined if the block at `startHeight` is newer. Timestamps never decrease along a chain.
 */
export async function newestBefore(
  rpc: Pick<EvmRpc, 'pinned'>,
  atSeconds: number,
  startHeight: number,
): Promise<BlockRef | undefined> {
  return rpc.pinned(async (reads) => {
    let newer = await reads.head();
    if (newer.timestamp <= atSeconds) return newer;
    let found: BlockRef | undefined;
    let low = startHeight;
    while (low < newer.height) {
      const middle = Math.floor((low + newer.height) / 2);
      const block = await reads.blockByNumber(middle);
      // With another block, the search might never end.
      if (block?.height !== middle) throw new InconsistentChain(`block ${middle} is missing below the head`);
      if (block.timestamp <= atSeconds) [found, low] = [block, middle + 1];
      else newer = block;
    }
    return found;
  });
}
