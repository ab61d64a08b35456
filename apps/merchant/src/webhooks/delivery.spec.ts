import {
  circuitFailures,
  errorOfStatus,
  healthAfter,
  honoursRetryAfter,
  isOpen,
  longestProbeMs,
  nextOf,
  retryDelaysMs,
  triedForMs,
  type EndpointHealth,
} from './delivery';

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];
const failed = { status: 500, error: 'The receiver answered 500.', retryAfterMs: undefined };
const arrived = { status: 200, error: null, retryAfterMs: undefined };
const healthy: EndpointHealth = { failuresInARow: 0, notBeforeMs: 0, goneAtMs: null };

/** The attempts for a message that is never accepted, in milliseconds since the first attempt was due. */
function attemptsOf(random: number): { at: number[]; status: string } {
  const at: number[] = [];
  for (let nowMs = 0; ;) {
    at.push(nowMs);
    const { status, nextAttemptMs } = nextOf(
      { scheduleFromMs: 0, scheduleAttempts: at.length - 1 },
      failed,
      nowMs,
      random,
    );
    if (nextAttemptMs === null) return { at, status };
    nowMs = nextAttemptMs;
  }
}

describe('nextOf', () => {
  it('retries for at least 72 hours with growing delays, and then exhausts the message', () => {
    const { at, status } = attemptsOf(0);
    expect(at.slice(0, 4)).toEqual([
      0,
      5 * secondMs,
      5 * minuteMs + 5 * secondMs,
      35 * minuteMs + 5 * secondMs,
    ]);
    expect(at).toHaveLength(10);
    expect(at.at(-1)).toBeGreaterThanOrEqual(72 * hourMs);
    expect(status).toBe('parked');
  });

  it('adds jitter that never shortens a delay', () => {
    for (const random of [0, 0.3, 0.999]) {
      const { at } = attemptsOf(random);
      at.slice(1, 10).forEach((ms, index) => {
        const delayMs = ms - at[index]!;
        expect(delayMs).toBeGreaterThanOrEqual(retryDelaysMs[index]!);
        expect(delayMs).toBeLessThanOrEqual(retryDelaysMs[index]! * 1.2);
      });
      expect(at.at(-1)).toBeGreaterThanOrEqual(triedForMs);
    }
    expect(attemptsOf(0).at).not.toEqual(attemptsOf(0.5).at);
  });

  it('retries for 72 hours even if attempts were made early', () => {
    const progress = { scheduleFromMs: 0, scheduleAttempts: 40 };
    expect(nextOf(progress, failed, 71 * hourMs, 0)).toEqual({
      status: 'failing',
      nextAttemptMs: 95 * hourMs,
    });
    expect(nextOf(progress, failed, 72 * hourMs, 0)).toEqual({ status: 'parked', nextAttemptMs: null });
  });

  it('ends after the first success, and respects the Retry-After of the receiver', () => {
    const first = { scheduleFromMs: 7, scheduleAttempts: 0 };
    expect(nextOf(first, arrived, 7, 0)).toEqual({ status: 'delivered', nextAttemptMs: null });
    const later = { ...failed, retryAfterMs: hourMs };
    expect(nextOf(first, later, 7, 0)).toEqual({ status: 'failing', nextAttemptMs: 7 + hourMs });
    expect(nextOf(first, { ...failed, retryAfterMs: 1 }, 7, 0)).toMatchObject({
      nextAttemptMs: 7 + 5 * secondMs,
    });
  });
});

describe('healthAfter', () => {
  const after = (failures: number, random = 0): EndpointHealth =>
    Array.from({ length: failures }).reduce<EndpointHealth>(
      (health) => healthAfter(health, failed, 1_000, random),
      healthy,
    );

  it('opens the circuit after five consecutive failures, with growing delays of at most an hour', () => {
    expect([4, 5].map((failures) => isOpen(after(failures)))).toEqual([false, true]);
    expect(after(circuitFailures - 1).notBeforeMs).toBe(1_000);
    const waits = [5, 6, 7, 8, 9, 10, 11, 12, 13, 500].map((failures) => after(failures).notBeforeMs - 1_000);
    expect(waits.slice(0, 3)).toEqual([30 * secondMs, minuteMs, 2 * minuteMs]);
    expect(waits.slice(-2)).toEqual([longestProbeMs, longestProbeMs]);
    expect(after(6, 0.999).notBeforeMs - 1_000).toBeGreaterThan(minuteMs);
  });

  it('closes the circuit with the first success', () => {
    expect(healthAfter(after(9), arrived, 5_000, 0)).toEqual({
      failuresInARow: 0,
      notBeforeMs: 5_000,
      goneAtMs: null,
    });
  });

  it('opens the circuit immediately for a receiver that returns 410, for at most an hour', () => {
    const gone = healthAfter(healthy, { ...failed, status: 410 }, 1_000, 0);
    expect(gone).toEqual({ failuresInARow: circuitFailures, notBeforeMs: 1_000 + hourMs, goneAtMs: 1_000 });
    const still = healthAfter(gone, failed, 9_000, 0);
    expect(still).toEqual({
      failuresInARow: circuitFailures + 1,
      notBeforeMs: 9_000 + hourMs,
      goneAtMs: 1_000,
    });
    expect(healthAfter(still, arrived, 9_500, 0)).toMatchObject({ failuresInARow: 0, goneAtMs: null });
  });

  it('delays the whole endpoint by the Retry-After of the receiver', () => {
    const busy = { status: 429, error: 'The receiver answered 429.', retryAfterMs: 90 * secondMs };
    expect(healthAfter(healthy, busy, 1_000, 0)).toEqual({
      failuresInARow: 1,
      notBeforeMs: 91_000,
      goneAtMs: null,
    });
  });
});

describe('an HTTP status', () => {
  it.each([200, 201, 204, 299])('counts %s as a success', (status) =>
    expect(errorOfStatus(status)).toBeNull(),
  );

  it.each([
    [301, 'The receiver answered 301. Redirects are not followed. Configure the final URL.'],
    [304, 'The receiver answered 304. Redirects are not followed. Configure the final URL.'],
    [400, 'The receiver answered 400.'],
    [410, 'The receiver answered 410 Gone.'],
    [429, 'The receiver answered 429.'],
    [500, 'The receiver answered 500.'],
  ])('counts %s as a failure', (status, error) => expect(errorOfStatus(status)).toBe(error));

  it('honours Retry-After for 429 and 503 only', () => {
    expect([200, 301, 410, 429, 500, 503].filter(honoursRetryAfter)).toEqual([429, 503]);
  });
});
