import type { SolanaBlock } from '../solana-types';
import type { SolanaNode } from '../solana-node';

/** A slot with 31 later blocks is finalized, which is the slot with 32 confirmations. */
const slotsAfterFinal = 31;
// The newest confirmed block is stored some milliseconds after its votes are counted.
const mostTried = 4;

export interface Head {
  /** The newest block with stored transactions on this node. At most 31 slots after `finalizedSlot`. */
  head: SolanaBlock;
  finalizedSlot: number;
}

/**
 * Reads the head that the adapter returns. A block with 32 confirmations below this head is finalized. A node answers
 * `getBlock` only when it has stored the transactions of all blocks up to this one. Lists that are read afterwards are
 * therefore complete.
 */
export async function readHead(node: SolanaNode): Promise<Head> {
  const finalizedSlot = await node.slot('finalized');
  const slots = await node.slotsWithBlocks(finalizedSlot, finalizedSlot + slotsAfterFinal);
  for (const slot of slots.slice(-mostTried).reverse()) {
    const head = await node.blockIfStored(slot);
    if (head) return { head, finalizedSlot };
  }
  throw node.lacks('the newest confirmed blocks');
}
