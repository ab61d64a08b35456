// Time zones differ by multiples of 15 minutes.
const quarterMs = 15 * 60_000;
// Tolerance for clock skew and for the duration of a request.
const [earliestMs, latestMs] = [-60_000, 130_000];

/** Whether a time of unknown time zone may be shortly after another time. */
export function sameMoment(zonelessMs: number, askedAtMs: number): boolean {
  if (Number.isNaN(zonelessMs)) return false;
  const afterMs = (((zonelessMs - askedAtMs - earliestMs) % quarterMs) + quarterMs) % quarterMs;
  return afterMs <= latestMs - earliestMs;
}
