/** Parses Retry-After (seconds or an HTTP date) as milliseconds from now, at most `maxMs`. */
export function retryAfterOf(
  header: string | null | undefined,
  nowMs: number,
  maxMs: number,
): number | undefined {
  if (!header) return undefined;
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1000, maxMs);
  // Date.parse alone would interpret "-5" as a day in May 2001.
  const atMs = /^[A-Z][a-z]+, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(atMs) ? undefined : Math.min(Math.max(atMs - nowMs, 0), maxMs);
}
