/**
 * The last four digits of an input amount select an outcome, at Across and LI.FI. `magic-amounts.spec.ts` compares the
 * README's table with this one.
 */
export const magicAmounts = {
  '6501': { outcome: 'tooLow', meaning: 'quotes are rejected: `AMOUNT_TOO_LOW`' },
  '6502': { outcome: 'noLiquidity', meaning: 'quotes are rejected: `SWAP_LIQUIDITY_INSUFFICIENT`' },
  '6503': { outcome: 'noQuote', meaning: 'quotes are rejected: `SWAP_QUOTE_UNAVAILABLE`' },
  '6504': {
    outcome: 'neverFilled',
    meaning: 'no relayer fills the deposit: it expires 20 seconds after the quote and is refunded',
  },
  '6505': {
    outcome: 'failingCalls',
    meaning: 'the swap behind the bridge fails; an unfilled deposit expires after 20 seconds',
  },
  '6506': { outcome: 'slowFill', meaning: 'the deposit is filled after 20 seconds' },
  '6507': { outcome: 'serverError', meaning: 'quotes return `500`' },
  '6508': { outcome: 'rateLimited', meaning: 'quotes return `429`' },
  '6509': { outcome: 'rpcError', meaning: 'quotes return `502 UPSTREAM_RPC_ERROR`, at LI.FI `424`' },
  '6510': { outcome: 'slowQuote', meaning: 'quotes take 6 seconds' },
  '6511': {
    outcome: 'lateIndex',
    meaning: 'the deposit is filled, and its status is reported after 20 seconds',
  },
} as const;

export type Outcome = 'normal' | (typeof magicAmounts)[keyof typeof magicAmounts]['outcome'];

export function outcomeOf(amountAtomic: bigint): Outcome {
  const digits = String(amountAtomic).slice(-4);
  return digits in magicAmounts ? magicAmounts[digits as keyof typeof magicAmounts].outcome : 'normal';
}

export const slowQuoteMs = 6_000;
export const slowFillMs = 20_000;
export const lateIndexMs = 20_000;
/** Fill deadline of deposits that stay unfilled. Real deadlines are hours. */
export const shortFillSeconds = 20;
