// Zones differ from each other by quarters of hours.
const quarterMs = 15 * 60_000;
// Clocks of two companies, and how long a request may be on its way.
const [earliestMs, latestMs] = [-60_000, 130_000];

/** Whether a time that was told without its zone can be a moment shortly after another. */
export function sameMoment(toldMs: number, askedAtMs: number): boolean {
  if (Number.isNaN(toldMs)) return false;
  const afterMs = (((toldMs - askedAtMs - earliestMs) % quarterMs) + quarterMs) % quarterMs;
  return afterMs <= latestMs - earliestMs;
}
