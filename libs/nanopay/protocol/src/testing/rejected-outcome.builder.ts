import type { RejectedOutcome } from '../frames';

/** The rejection of a payment that its account cannot cover. */
export const aRejectedOutcome = (changes: Partial<RejectedOutcome> = {}): RejectedOutcome => ({
  status: 'rejected',
  reason: 'insufficient_funds',
  retryAfterS: 0,
  approvalId: undefined,
  ...changes,
});
