import type { BlockRef } from '@tollbridge/chain-port';
import type { SolanaNode } from '../solana-node';
import type { Head } from './read-head';

/**
 * Returns the newest stored block that is still in the chain; undefined if that is the newest stored block. Confirmed
 * blocks have never left the chain, and finalized ones cannot. A node without them contradicts itself.
 * @throws ProviderError for a node with another finalized block
 */
export async function forkPoint(
  node: SolanaNode,
  known: readonly BlockRef[],
  { head, finalizedSlot }: Head,
): Promise<BlockRef | undefined> {
  const hashAt = async (slot: number): Promise<string | undefined> => {
    if (slot === head.height) return head.hash;
    if (slot === head.parentSlot) return head.parentHash;
    return (await node.block(slot))?.hash;
  };
  const newest = known.at(-1)!;
  for (const block of [...known].reverse()) {
    if ((await hashAt(block.height)) === block.hash) return block === newest ? undefined : block;
    if (block.height <= finalizedSlot) throw node.contradicts('has another finalized block than before');
  }
  const { height, hash, parentHash, timeMs } = await node.blockAt(finalizedSlot);
  return { height, hash, parentHash, timeMs };
}
