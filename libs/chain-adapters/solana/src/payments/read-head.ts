import type { SolanaBlock } from '../solana-types';
import type { SolanaNode } from '../solana-node';

/** With 31 blocks after it, a slot is finalized: so the slot that the 32nd confirmation reaches. */
const slotsAfterFinal = 31;
// The newest confirmed block is stored some milliseconds after its votes are counted.
const mostTried = 4;

export interface Head {
  /** The newest block with stored transactions on this node; at most 31 slots after `finalizedSlot`. */
  head: SolanaBlock;
  finalizedSlot: number;
}

/**
 * The head of the chain as the adapter reports it: a block with 32 confirmations below this head is finalized. A node
 * answers `getBlock` only when it has stored the transactions of all blocks up to it. So lists that are read afterwards
 * are complete.
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
