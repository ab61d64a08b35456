import { Stopping, stopTimesOf } from './stopping';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('Stopping', () => {
  it('begins to stop when begin is called, and resolves begin after the delay', async () => {
    const stopping = new Stopping({ delayMs: 5_000, timeoutMs: 75_000 });
    expect(stopping.isStopping).toBe(false);
    let isOver = false;
    void stopping.begin().then(() => (isOver = true));
    expect(stopping.isStopping).toBe(true);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });

  it('waits once when begin is called twice', async () => {
    const stopping = new Stopping({ delayMs: 1_000, timeoutMs: 1_000 });
    const first = stopping.begin();
    await jest.advanceTimersByTimeAsync(900);
    expect(stopping.begin()).toBe(first);
    await jest.advanceTimersByTimeAsync(100);
    await first;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('has a maximum time above its delay and open work, and below the grace period of 90 s', () => {
    const { longestMs } = new Stopping({ delayMs: 5_000, timeoutMs: 75_000 });
    expect(longestMs).toBeGreaterThan(80_000);
    expect(longestMs).toBeLessThan(90_000);
  });
});

describe('stopTimesOf', () => {
  it('reads the settings of an app', () => {
    expect(stopTimesOf({ STOP_DELAY_MS: 7, STOP_TIMEOUT_MS: 1_000, PORT: 1 })).toEqual({
      delayMs: 7,
      timeoutMs: 1_000,
    });
  });

  it.each([[{}], [undefined], [null]])('returns no delay without settings: %j', (config) => {
    expect(stopTimesOf(config)).toEqual({ delayMs: 0, timeoutMs: 75_000 });
  });
});
