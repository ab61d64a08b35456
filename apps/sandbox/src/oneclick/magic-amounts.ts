/**
 * The last four digits of an amount select an outcome. `magic-amounts.spec.ts` compares the README's table with this
 * one.
 */
export const magicAmounts = {
  '6401': { outcome: 'noLiquidity', meaning: 'quotes are rejected: `400 No liquidity available`' },
  '6402': { outcome: 'slowQuote', meaning: 'quotes take 6 seconds' },
  '6403': {
    outcome: 'failsAfterDeposit',
    meaning: 'the deposit is refunded: `REFUNDED`, reason `NO_LIQUIDITY`',
  },
  '6404': {
    outcome: 'partialFill',
    meaning: '70 % is delivered, the rest refunded; `SUCCESS` with the true amounts',
  },
  '6405': {
    outcome: 'coldAddress',
    meaning: 'the address is inactive immediately; deposits are reported after 20 seconds',
  },
  '6406': {
    outcome: 'falseSettlement',
    meaning: '`SUCCESS`, but the settlement transaction pays the solver and not the recipient',
  },
  '6407': { outcome: 'serverError', meaning: 'quotes return `500`' },
  '6408': { outcome: 'rateLimited', meaning: 'quotes return `429`' },
  '6409': {
    outcome: 'lostAnswer',
    meaning: 'a committed quote is stored, then the connection closes without a response',
  },
  '6410': {
    outcome: 'undeliverable',
    meaning: 'the destination cannot be paid: `REFUNDED`, reason `INTENT_SUBMIT_FAILED`',
  },
  '6411': { outcome: 'failed', meaning: 'ends as `FAILED` after the deposit; the solver retains the funds' },
  '6412': {
    outcome: 'pairClosed',
    meaning: 'quotes are rejected: `400 Quoting for this pair is not available`',
  },
  '6413': { outcome: 'transientError', meaning: 'quotes are rejected: `400 Internal server error`' },
  '6414': { outcome: 'usdFloor', meaning: 'quotes are rejected: `400 Minimum swap amount is $10`' },
  '6415': {
    outcome: 'temporaryLimit',
    meaning: 'quotes are rejected: `400 Temporary swap limits: minimum swap amount is $1,000`',
  },
} as const;

export type Outcome = 'normal' | (typeof magicAmounts)[keyof typeof magicAmounts]['outcome'];

export function outcomeOf(amount: string): Outcome {
  const digits = amount.slice(-4);
  return digits in magicAmounts ? magicAmounts[digits as keyof typeof magicAmounts].outcome : 'normal';
}

/** Outcomes that a quote itself reports, including dry quotes. */
export const quoteRejections: Partial<Record<Outcome, { status: number; message: string }>> = {
  noLiquidity: { status: 400, message: 'No liquidity available' },
  pairClosed: { status: 400, message: 'Quoting for this pair is not available' },
  transientError: { status: 400, message: 'Internal server error' },
  usdFloor: { status: 400, message: 'Minimum swap amount is $10' },
  temporaryLimit: { status: 400, message: 'Temporary swap limits: minimum swap amount is $1,000' },
  serverError: { status: 500, message: 'Internal server error' },
  rateLimited: { status: 429, message: 'ThrottlerException: Too Many Requests' },
};

export const slowQuoteMs = 6_000;
export const coldForMs = 20_000;
export const partialFillBps = 7_000n;
