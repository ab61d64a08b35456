import type { RouteState } from '@tollbridge/routing';
import type { DueDeposit } from './deposits.repository';

const minuteMs = 60_000;
// A deposit that has been expected for this long is polled less and less often.
const youngMs = 5 * minuteMs;
const slowestMs = minuteMs;
// After the deposit's end only something odd can still come.
const afterEndMs = 10 * minuteMs;
// A deposit in a final state moves only when it is paid again.
const slowestAfterEndMs = 60 * minuteMs;

/** The next poll of a deposit: often while its state changes, at the end of its order at the latest. */
export function nextCheckAt(
  {
    createdAtMs,
    expiresAtMs,
    deadlineMs,
    endedAtMs,
  }: Pick<DueDeposit, 'createdAtMs' | 'expiresAtMs' | 'deadlineMs' | 'endedAtMs'>,
  state: RouteState,
  nowMs: number,
  pollMs: number,
): number {
  if (endedAtMs !== null)
    return nowMs + Math.min(Math.max(pollMs, Math.ceil((nowMs - endedAtMs) / 2)), slowestAfterEndMs);
  if (nowMs > deadlineMs + afterEndMs) return nowMs + afterEndMs;
  const ageMs = nowMs - createdAtMs;
  const pauseMs = ageMs < youngMs ? pollMs : Math.min(Math.max(pollMs, ageMs / 20), slowestMs);
  const nextMs = nowMs + pauseMs;
  if (state !== 'waiting') return nextMs;
  // An order expires only when its deposit was polled after its end.
  return nowMs <= expiresAtMs && nextMs > expiresAtMs ? expiresAtMs + 1 : nextMs;
}
