import type { Money } from './money';

/** What the two digits after the point of a face value or an amount choose. The table stands in the README. */
const magic = {
  61: 'outOfStock',
  62: 'insufficientBalance',
  63: 'slow',
  64: 'failsAfterCharge',
  65: 'refunded',
  66: 'duplicateReference',
  67: 'takesTime',
  68: 'failsBeforeCharge',
  69: 'tooMany',
  70: 'breaks',
  71: 'failed',
  72: 'codesLate',
} as const;

export type Magic = (typeof magic)[keyof typeof magic];

/** The outcome that an amount chooses; undefined for all others, which just work. */
export function magicOf(amount: Money): Magic | undefined {
  // In hundred-thousandths: two digits are wanted, and nothing behind them.
  if (amount % 1_000n !== 0n) return undefined;
  return magic[Number((amount / 1_000n) % 100n) as keyof typeof magic];
}

/** Longer than anybody waits for a purchase. */
export const slowMs = 95_000;
/** How long what takes its time does. */
export const settlesMs = 1_500;
/** Codes that are late can be read after this. */
export const codesLateMs = 2_000;
