import { addressFromBytes } from '@tollbridge/onchain/solana';
import { createHash } from 'node:crypto';

const slotMs = 400;
// Leaders miss slots: clients must not expect a block in each.
const [skippedEvery, firstSkipped] = [16, 7];
// A block with 31 slots after it is final.
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

/** The slots of a network that began at a time: one each 400 ms, with a block in 15 of 16. Pure. */
export class Slots {
  constructor(readonly genesisAtMs: number) {}

  hasBlock(slot: number): boolean {
    return slot % skippedEvery !== firstSkipped;
  }

  /** The newest slot with a block at a time. */
  at(nowMs: number): number {
    return this.lastBlockUpTo(Math.max(0, Math.floor((nowMs - this.genesisAtMs) / slotMs)));
  }

  startsAtMs(slot: number): number {
    return this.genesisAtMs + slot * slotMs;
  }

  /** The newest final slot while `head` is the newest. */
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

  /** Blocks up to a slot, without the first. */
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

  /** Whether a transaction with this blockhash may enter the block after `head`. */
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
