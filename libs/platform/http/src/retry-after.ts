import { retryAfterOf as retryAfterWithin } from '@tollbridge/egress';

// Nobody is kept waiting for a day by a header.
const maxRetryAfterMs = 10 * 60_000;

/** Seconds or an HTTP date; bounded. */
export function retryAfterOf(header: string | null, nowMs: number): number | undefined {
  return retryAfterWithin(header, nowMs, maxRetryAfterMs);
}
