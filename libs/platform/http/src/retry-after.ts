import { retryAfterOf as retryAfterWithin } from '@tollbridge/egress';

// A provider may send a header of hours or days.
const maxRetryAfterMs = 10 * 60_000;

/**
 * Parses seconds or an HTTP date. @returns milliseconds from now, with an upper limit; undefined without a valid value
 */
export function retryAfterOf(header: string | null, nowMs: number): number | undefined {
  return retryAfterWithin(header, nowMs, maxRetryAfterMs);
}
