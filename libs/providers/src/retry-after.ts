// Nobody is kept waiting for a day by a header.
const maxRetryAfterMs = 10 * 60_000;

/** Seconds or an HTTP date; bounded. */
export function retryAfterOf(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1000, maxRetryAfterMs);
  // Date.parse alone takes "-5" for a day in May 2001.
  const atMs = /^[A-Z][a-z]+, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(atMs) ? undefined : Math.min(Math.max(atMs - nowMs, 0), maxRetryAfterMs);
}
