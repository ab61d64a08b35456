import type { Money } from './money';

/** Two decimals of a face value or amount select an outcome. The README contains the table. */
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
  73: 'takesMinute',
} as const;

export type Magic = (typeof magic)[keyof typeof magic];

/** Returns the outcome that an amount selects; undefined for all other amounts, which succeed. */
export function magicOf(amount: Money): Magic | undefined {
  // Exactly two decimals: an amount in hundred-thousandths must not have further digits.
  if (amount % 1_000n !== 0n) return undefined;
  return magic[Number((amount / 1_000n) % 100n) as keyof typeof magic];
}

/** Longer than any client waits for the reply to a purchase. */
export const slowMs = 95_000;
/** Response time of amounts that take a minute, which clients wait for. */
export const minuteMs = 60_000;
/** Duration of slow purchases. */
export const settlesMs = 1_500;
/** Delay until late codes can be read. */
export const codesLateMs = 2_000;
