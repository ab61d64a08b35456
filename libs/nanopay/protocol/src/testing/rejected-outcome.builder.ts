import type { RejectedOutcome } from '../frames';

/** The rejection of a payment above the balance of its account. */
export const aRejectedOutcome = (changes: Partial<RejectedOutcome> = {}): RejectedOutcome => ({
  status: 'rejected',
  reason: 'insufficient_funds',
  retryAfterS: 0,
  approvalId: undefined,
  ...changes,
});
