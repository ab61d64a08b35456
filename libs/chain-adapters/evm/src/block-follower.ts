import { readRange } from './block-range';
import { type ChainUpdate, InconsistentChain } from './chain-update';
import type { EvmReads } from './evm-reads';
import type { BlockRef } from './evm-types';
import { contradictsKnown, forkPoint } from './fork-point';
import type { EvmRpc } from './rpc-pool';

export interface FollowOptions {
  address: string | string[];
  topics: (string | null)[];
  /** The first block to read, usually the block of the contract's deployment. */
  startHeight: number;
  /** Number of blocks that the caller stores. After a deeper reorganisation everything is read again. */
  window: number;
  /** Maximum number of blocks that one update covers. */
  maxRange: number;
}

export const defaultMaxRange = 2_000;
const partsAStep = 16;

/**
 * Returns the next step from `known` (ascending; empty on the first start) towards the chain's head. It is stateless:
 * the caller applies the update and the new position in one transaction, and repeats the call until `idle`. Throws
 * `RpcError` or `InconsistentChain`. Both mean that nothing was changed, and the next tick retries.
 */
export async function nextUpdate(
  rpc: Pick<EvmRpc, 'pinned'>,
  known: readonly BlockRef[],
  options: FollowOptions,
): Promise<ChainUpdate> {
  requireUsable(known, options);
  // Uses one endpoint for the whole update, because two nodes may be on two forks.
  return rpc.pinned(async (reads) => {
    const head = await reads.head();
    if (await contradictsKnown(reads, known, head)) {
      const to = await forkPoint(reads, known, head, options.startHeight);
      return { kind: 'rollback', to, removed: known.filter((block) => block.height > to.height), head };
    }
    return advance(reads, known.at(-1), head, options);
  });
}

async function advance(
  reads: EvmReads,
  position: BlockRef | undefined,
  head: BlockRef,
  options: FollowOptions,
): Promise<ChainUpdate> {
  const { address, topics, startHeight, window, maxRange } = options;
  const fromBlock = Math.max(startHeight, position ? position.height + 1 : 0);
  if (fromBlock > head.height) return { kind: 'idle', head };
  // Limits a step for a node that accepts only small ranges, so that a later failure cannot undo much work.
  const mostBlocks = Math.min(maxRange, reads.ranges.atMost * partsAStep);
  const toBlock = Math.min(head.height, fromBlock + mostBlocks - 1);
  const filter = { address, topics, fromBlock, toBlock };
  const { first, blocks, logs } = await readRange(reads, filter, window, head);
  const follows = position?.height !== fromBlock - 1 || first.parentHash === position.hash;
  if (!follows) throw new InconsistentChain(`block ${fromBlock} does not follow our last block`);
  return { kind: 'advance', blocks, logs, head };
}

/** Rejects invalid arguments, which could otherwise be mistaken for an inconsistent chain. */
function requireUsable(known: readonly BlockRef[], options: FollowOptions): void {
  const { startHeight, window, maxRange } = options;
  for (const [name, value, min] of [
    ['startHeight', startHeight, 0],
    ['window', window, 1],
    ['maxRange', maxRange, 1],
  ] as const) {
    if (!Number.isSafeInteger(value) || value < min) throw new RangeError(`${name} must be at least ${min}`);
  }
  const ascending = known.every((block, index) => index === 0 || known[index - 1]!.height < block.height);
  if (!ascending) throw new RangeError('Known blocks must ascend');
}
