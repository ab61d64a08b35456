import { DomainError } from '@tollbridge/rpc';

const passing = [408, 429];
const unavailable = 502;

/** Whether a failure proves that nothing was bought, and that a repeated call will not buy either. */
export function isDecline(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error.code === 'IDEMPOTENCY_IN_PROGRESS') return false;
  if (error.status === unavailable) return true;
  return error.status >= 400 && error.status < 500 && !passing.includes(error.status);
}
