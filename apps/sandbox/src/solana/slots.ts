import { addressFromBytes } from '@tollbridge/onchain/solana';
import { createHash } from 'node:crypto';

const slotMs = 400;
// Leaders miss slots, so clients must not expect a block in every slot.
const [skippedEvery, firstSkipped] = [16, 7];
// A block is final when 31 slots follow it.
const slotsAfterFinal = 31;
// A blockhash is accepted for this number of blocks.
const blockhashAge = 150;

export interface Block {
  slot: number;
  blockhash: string;
  previousBlockhash: string;
  parentSlot: number;
  blockHeight: number;
  /** Unix seconds. */
  blockTime: number;
}

/** The slots of a network since its start: one each 400 ms, with a block in 15 of 16. Pure functions. */
export class Slots {
  constructor(readonly genesisAtMs: number) {}

  hasBlock(slot: number): boolean {
    return slot % skippedEvery !== firstSkipped;
  }

  /** Returns the newest slot with a block at the given time. */
  at(nowMs: number): number {
    return this.lastBlockUpTo(Math.max(0, Math.floor((nowMs - this.genesisAtMs) / slotMs)));
  }

  startsAtMs(slot: number): number {
    return this.genesisAtMs + slot * slotMs;
  }

  /** Returns the newest final slot for a given head. */
  finalAt(head: number): number {
    const slot = Math.max(0, head - slotsAfterFinal);
    return this.hasBlock(slot) ? slot : slot + 1;
  }

  next(slot: number): number {
    return this.hasBlock(slot + 1) ? slot + 1 : slot + 2;
  }

  lastBlockUpTo(slot: number): number {
    return this.hasBlock(slot) ? slot : slot - 1;
  }

  /** Returns the number of blocks up to a slot, without the first block. */
  height(slot: number): number {
    return slot - Math.floor((slot + skippedEvery - firstSkipped) / skippedEvery);
  }

  block(slot: number): Block {
    const parentSlot = slot === 0 ? 0 : this.lastBlockUpTo(slot - 1);
    return {
      slot,
      blockhash: this.blockhash(slot),
      previousBlockhash: this.blockhash(parentSlot),
      parentSlot,
      blockHeight: this.height(slot),
      blockTime: Math.floor(this.startsAtMs(slot) / 1_000),
    };
  }

  /** Whether the block after `head` can contain a transaction with this blockhash. */
  isRecent(blockhash: string, head: number): boolean {
    for (let slot = head; slot >= 0 && this.height(slot) >= this.height(head) - blockhashAge; slot--)
      if (this.hasBlock(slot) && this.blockhash(slot) === blockhash) return true;
    return false;
  }

  lastValidBlockHeight(slot: number): number {
    return this.height(slot) + blockhashAge;
  }

  private blockhash(slot: number): string {
    const text = `tollbridge local Solana ${this.genesisAtMs} ${slot}`;
    return addressFromBytes(createHash('sha256').update(text).digest());
  }
}
