import type { BlockRef, EvmLog } from './evm-types';

export type ChainUpdate =
  /**
   * Nothing to apply: the position is `head`, or `head` is lower than the stored blocks but does not contradict them.
   */
  | { kind: 'idle'; head: BlockRef }
  /** The blocks above `to` are not part of the chain any more. Everything read from heights above `to` is invalid. */
  | { kind: 'rollback'; to: BlockRef; removed: BlockRef[]; head: BlockRef }
  /** All logs after the old position, up to the last of `blocks`, which is the new position. */
  | { kind: 'advance'; blocks: BlockRef[]; logs: EvmLog[]; head: BlockRef };

/** The target of a rollback that removes the whole chain. */
export const beforeGenesis: BlockRef = {
  height: -1,
  hash: `0x${'0'.repeat(64)}`,
  parentHash: `0x${'0'.repeat(64)}`,
  timestamp: 0,
};

/**
 * The chain changed while it was read, or the node answered from two views of the chain. Nothing to apply: retry later.
 */
export class InconsistentChain extends Error {
  constructor(what: string) {
    super(`The chain changed while it was read: ${what}`);
    this.name = 'InconsistentChain';
  }
}

/** Returns the blocks to store after an update. They are the `known` blocks of the next call of `nextUpdate`. */
export function knownAfter(known: readonly BlockRef[], update: ChainUpdate, window: number): BlockRef[] {
  if (update.kind === 'idle') return [...known];
  if (update.kind === 'advance') return [...known, ...update.blocks].slice(-window);
  const remaining = known.filter((block) => block.height < update.to.height);
  return update.to.height < 0 ? remaining : [...remaining, update.to];
}
