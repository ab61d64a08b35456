import { beforeGenesis, InconsistentChain } from './chain-update';
import type { EvmReads } from './evm-reads';
import type { BlockRef } from './evm-types';

/**
 * Whether the chain contradicts the stored blocks. Only a different hash at the same height proves this. A lower head
 * does not, because the node may lag or may have restarted with an older state. The stored blocks stay valid until the
 * chain replaces them.
 */
export async function contradictsKnown(
  reads: EvmReads,
  known: readonly BlockRef[],
  head: BlockRef,
): Promise<boolean> {
  const newestBelowHead = known.findLast((block) => block.height <= head.height);
  if (newestBelowHead) {
    const { height, hash } = newestBelowHead;
    return (height === head.height ? head : await headerAt(reads, height)).hash !== hash;
  }
  // One more known hash is below all stored blocks: the parent hash of the oldest block.
  const oldest = known[0];
  return oldest !== undefined && oldest.height - 1 === head.height && oldest.parentHash !== head.hash;
}

/**
 * Returns the newest stored block that is still part of the chain, or otherwise the parent of the oldest stored block.
 * If the chain lost that block too, the depth is unknown and everything from `startHeight` is read again. A nearer
 * guess could be on the lost fork, and its logs would stay wrong forever.
 */
export async function forkPoint(
  reads: EvmReads,
  known: readonly BlockRef[],
  head: BlockRef,
  startHeight: number,
): Promise<BlockRef> {
  const comparable = known.filter((block) => block.height <= head.height);
  const onChain = await reads.blocksAt(comparable.map((block) => block.height));
  const shared = comparable.findLast((block, index) => {
    const header = onChain[index];
    if (!header) throw new InconsistentChain(`no block ${block.height} below head ${head.height}`);
    return header.hash === block.hash;
  });
  if (shared) return shared;
  // The head cannot be below the parent of the oldest block, because such a head contradicts nothing.
  const oldest = known[0]!;
  const parentHeight = oldest.height - 1;
  if (parentHeight >= 0) {
    const parent = await headerAt(reads, parentHeight);
    if (parent.hash === oldest.parentHash) return parent;
  }
  const floor = Math.min(startHeight - 1, parentHeight);
  return floor < 0 ? beforeGenesis : headerAt(reads, floor);
}

export async function headerAt(reads: EvmReads, height: number): Promise<BlockRef> {
  const header = await reads.blockByNumber(height);
  if (!header) throw new InconsistentChain(`no block ${height}`);
  return header;
}
