/** The header Retry-After as milliseconds from now: seconds or an HTTP date, at most `maxMs`. */
export function retryAfterOf(
  header: string | null | undefined,
  nowMs: number,
  maxMs: number,
): number | undefined {
  if (!header) return undefined;
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1000, maxMs);
  // Date.parse alone takes "-5" for a day in May 2001.
  const atMs = /^[A-Z][a-z]+, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(atMs) ? undefined : Math.min(Math.max(atMs - nowMs, 0), maxMs);
}
