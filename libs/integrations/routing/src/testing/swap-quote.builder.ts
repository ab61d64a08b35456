import type { SwapQuote } from '../swap-routes';

/** A quote without steps and fees that does not expire. */
export const aSwapQuote = (changes: Partial<SwapQuote> = {}): SwapQuote => ({
  amountOutAtomic: 1_000n,
  minAmountOutAtomic: 1n,
  steps: [],
  fees: [],
  gasUnits: 100_000n,
  estimatedSeconds: 10,
  priceImpactBps: null,
  expiresAt: null,
  ...changes,
});
