import { retryAfterOf as retryAfterWithin } from '@tollbridge/egress';

// A header must not delay a retry for a day.
const maxRetryAfterMs = 10 * 60_000;

/** Seconds or an HTTP date; bounded. */
export function retryAfterOf(header: string | null, nowMs: number): number | undefined {
  return retryAfterWithin(header, nowMs, maxRetryAfterMs);
}
