import type { RouteState } from '@tollbridge/routing';
import type { DueDeposit } from './deposits.repository';

const minuteMs = 60_000;
// After this time without a deposit, the interval between polls grows.
const youngMs = 5 * minuteMs;
const slowestMs = minuteMs;
// After the deposit's deadline, only exceptional transfers are expected.
const afterEndMs = 10 * minuteMs;
// A deposit in a final state changes only when it is paid again.
const slowestAfterEndMs = 60 * minuteMs;

/** The time of the next poll: frequent while the state changes, and at the latest at the expiry of the order. */
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
  // An order expires only after its deposit was polled once after its expiry time.
  return nowMs <= expiresAtMs && nextMs > expiresAtMs ? expiresAtMs + 1 : nextMs;
}
