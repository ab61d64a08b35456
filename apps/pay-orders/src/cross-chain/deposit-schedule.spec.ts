import fc from 'fast-check';
import type { RouteState } from '@tollbridge/routing';
import { nextCheckAt } from './deposit-schedule';

const minuteMs = 60_000;
const createdAtMs = Date.UTC(2026, 10, 20, 12);
const due = {
  createdAtMs,
  expiresAtMs: createdAtMs + 30 * minuteMs,
  deadlineMs: createdAtMs + 150 * minuteMs,
  endedAtMs: null,
};
const pollMs = 3_000;
const pauseAt = (ageMs: number, state: RouteState = 'waiting') =>
  nextCheckAt(due, state, createdAtMs + ageMs, pollMs) - createdAtMs - ageMs;

it.each([
  ['at first', 0, 3_000],
  ['just before 5 minutes', 5 * minuteMs - 1, 3_000],
  ['after 5 minutes', 5 * minuteMs, 15_000],
  ['after 10 minutes', 10 * minuteMs, 30_000],
  ['half a minute before its order ends', 29.5 * minuteMs, 30_001],
  ['when its order ends', 30 * minuteMs, 1],
  ['after its order has ended', 30 * minuteMs + 1, minuteMs],
  ['at its deadline', 150 * minuteMs, minuteMs],
  ['10 minutes after its deadline', 160 * minuteMs, minuteMs],
  ['later', 160 * minuteMs + 1, 10 * minuteMs],
])('nextCheckAt %s (age %d ms) returns a delay of %d ms', (_case, ageMs, pause) => {
  expect(pauseAt(ageMs)).toBe(pause);
});

it('nextCheckAt ignores the expiry of the order after a deposit arrived', () => {
  expect(pauseAt(29.5 * minuteMs, 'processing')).toBe(minuteMs);
});

it.each([
  ['just ended', 0, pollMs],
  ['ended a minute ago', minuteMs, minuteMs / 2],
  ['ended an hour ago', 60 * minuteMs, 30 * minuteMs],
  ['ended a day ago', 1_440 * minuteMs, 60 * minuteMs],
])('nextCheckAt continues after a final state that %s', (_case, ageMs, pause) => {
  const nowMs = createdAtMs + ageMs;
  expect(nextCheckAt({ ...due, endedAtMs: createdAtMs }, 'delivered', nowMs, pollMs) - nowMs).toBe(pause);
});

describe('nextCheckAt', () => {
  const states: RouteState[] = [
    'waiting',
    'seen',
    'incomplete',
    'processing',
    'delivered',
    'refunded',
    'failed',
  ];
  const lifetime = fc.integer({ min: 1_000, max: 24 * 60 * minuteMs });
  const margin = fc.integer({ min: 0, max: 6 * 60 * minuteMs });
  const age = fc.integer({ min: -minuteMs, max: 72 * 60 * minuteMs });
  const poll = fc.integer({ min: 50, max: 60_000 });
  const given = fc.tuple(lifetime, margin).map(([lifetimeMs, marginMs]) => ({
    createdAtMs,
    expiresAtMs: createdAtMs + lifetimeMs,
    deadlineMs: createdAtMs + lifetimeMs + marginMs,
    endedAtMs: null,
  }));

  it('returns a time in the future within 10 minutes', () => {
    fc.assert(
      fc.property(given, fc.constantFrom(...states), age, poll, (deposit, state, ageMs, every) => {
        const nowMs = createdAtMs + ageMs;
        const pauseMs = nextCheckAt(deposit, state, nowMs, every) - nowMs;
        expect(pauseMs > 0 && pauseMs <= 10 * minuteMs).toBe(true);
        if (nowMs <= deposit.deadlineMs) expect(pauseMs).toBeLessThanOrEqual(minuteMs);
      }),
    );
  });

  it('returns at the latest the expiry of a waiting order', () => {
    fc.assert(
      fc.property(given, age, poll, (deposit, ageMs, every) => {
        const nowMs = Math.min(createdAtMs + ageMs, deposit.expiresAtMs);
        expect(nextCheckAt(deposit, 'waiting', nowMs, every)).toBeLessThanOrEqual(deposit.expiresAtMs + 1);
      }),
    );
  });

  it('never returns an earlier time for a later call', () => {
    fc.assert(
      fc.property(given, fc.constantFrom(...states), age, age, poll, (deposit, state, one, other, every) => {
        const [early, late] = [Math.min(one, other), Math.max(one, other)];
        const at = (ageMs: number) => nextCheckAt(deposit, state, createdAtMs + ageMs, every);
        expect(at(late)).toBeGreaterThanOrEqual(at(early));
      }),
    );
  });
});
