import { longestIdleMs, PollingLoop, type PollResult } from './polling-loop';

const pauseMs = 100;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A loop with a job that returns or throws the planned results in order, then returns "done". */
function planned(...plan: (Exclude<PollResult['kind'], 'idle'> | Error)[]) {
  const startedAtMs: number[] = [];
  const errors: unknown[] = [];
  const job = async (): Promise<PollResult> => {
    startedAtMs.push(Date.now());
    const next = plan.shift() ?? 'done';
    if (next instanceof Error) throw next;
    return { kind: next };
  };
  const loop = new PollingLoop(job, pauseMs, (error) => errors.push(error));
  const gaps = () => startedAtMs.slice(1).map((ms, index) => ms - startedAtMs[index]!);
  return { loop, startedAtMs, errors, gaps };
}

describe('PollingLoop', () => {
  it('runs immediately, and again after each pause', async () => {
    const { loop, startedAtMs, gaps } = planned();
    loop.start();
    await jest.advanceTimersByTimeAsync(350);
    expect(startedAtMs).toHaveLength(4);
    expect(gaps()).toEqual([100, 100, 100]);
    await loop.stop();
  });

  it('ends without a pause when stop is called during a run', async () => {
    let finish = (): void => undefined;
    const job = () => new Promise<PollResult>((resolve) => (finish = () => resolve({ kind: 'done' })));
    const loop = new PollingLoop(job, pauseMs, () => undefined);
    loop.start();
    const stopped = loop.stop();
    finish();
    await stopped;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('runs again without a pause after a run that returns "more"', async () => {
    const { loop, gaps } = planned('more', 'more', 'done');
    loop.start();
    await jest.advanceTimersByTimeAsync(150);
    expect(gaps()).toEqual([0, 0, 100]);
    await loop.stop();
  });

  it('runs again after growing pauses, up to a bound, while runs return "later"', async () => {
    const { loop, gaps } = planned(...Array<'later'>(7).fill('later'), 'done', 'later');
    loop.start();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(gaps().slice(0, 10)).toEqual([200, 400, 800, 1_600, 3_200, 3_200, 3_200, 100, 200, 100]);
    await loop.stop();
  });

  it('retries a failed run after growing pauses, and returns to the usual pause after a success', async () => {
    const no = new Error('no');
    const { loop, errors, gaps } = planned(no, no, no, 'done', no, 'done');
    loop.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(gaps().slice(0, 6)).toEqual([200, 400, 800, 100, 200, 100]);
    expect(errors).toEqual([no, no, no, no]);
    await loop.stop();
  });

  it('retries every five seconds while runs continue to fail', async () => {
    const { loop, gaps } = planned(...Array<Error>(2_000).fill(new Error('no')));
    loop.start();
    await jest.advanceTimersByTimeAsync(6_000_000);
    expect(gaps().length).toBeGreaterThan(1_190);
    expect(Math.max(...gaps())).toBe(5_000);
    await loop.stop();
  });

  it('waits its usual pause after a failure when this pause is longer than the retry pause', async () => {
    const startedAtMs: number[] = [];
    const job = async (): Promise<PollResult> => {
      startedAtMs.push(Date.now());
      throw new Error('no');
    };
    const loop = new PollingLoop(job, 60_000, () => undefined);
    loop.start();
    await jest.advanceTimersByTimeAsync(130_000);
    expect(startedAtMs.map((ms) => ms - startedAtMs[0]!)).toEqual([0, 60_000, 120_000]);
    await loop.stop();
  });

  it('stops immediately during a pause, and does not start another run', async () => {
    const { loop, startedAtMs } = planned();
    loop.start();
    await jest.advanceTimersByTimeAsync(150);
    await loop.stop();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(startedAtMs).toHaveLength(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('waits for the end of the current run when it is stopped', async () => {
    let end!: () => void;
    const running = new Promise<void>((resolve) => (end = resolve));
    let runs = 0;
    const loop = new PollingLoop(
      async () => {
        runs++;
        await running;
        return { kind: 'more' };
      },
      pauseMs,
      () => undefined,
    );
    loop.start();
    let isStopped = false;
    const stopping = loop.stop().then(() => (isStopped = true));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(isStopped).toBe(false);
    end();
    await stopping;
    expect(runs).toBe(1);
  });

  describe('when no row is due', () => {
    const sleeper = (idleMs: number, onRun: (run: number) => void = () => undefined) => {
      const startedAtMs: number[] = [];
      const job = async (): Promise<PollResult> => {
        onRun(startedAtMs.push(Date.now()));
        return { kind: 'idle', idleMs };
      };
      const loop = new PollingLoop(job, pauseMs, () => undefined);
      const gaps = () => startedAtMs.slice(1).map((ms, index) => ms - startedAtMs[index]!);
      return { loop, startedAtMs, gaps };
    };

    it('sleeps until the next row is due, but never longer than longestIdleMs', async () => {
      for (const [idleMs, gap] of [
        [2_500, 2_500],
        [3_600_000, longestIdleMs],
        [Infinity, longestIdleMs],
        [-5, pauseMs],
        [NaN, pauseMs],
      ] as const) {
        const { loop, gaps } = sleeper(idleMs);
        loop.start();
        await jest.advanceTimersByTimeAsync(20_000);
        expect(new Set(gaps())).toEqual(new Set([gap]));
        await loop.stop();
      }
    });

    it('runs immediately when it is woken from its sleep', async () => {
      const { loop, gaps } = sleeper(60_000);
      loop.start();
      await jest.advanceTimersByTimeAsync(1_234);
      loop.wake();
      await jest.advanceTimersByTimeAsync(0);
      expect(gaps()).toEqual([1_234]);
      await loop.stop();
    });

    it('does not sleep after a run when it was woken during the run', async () => {
      const { loop, gaps } = sleeper(60_000, (run) => {
        // A row is written after the run has read the table, before the loop begins to sleep.
        if (run === 1) loop.wake();
      });
      loop.start();
      await jest.advanceTimersByTimeAsync(1_000);
      expect(gaps()).toEqual([pauseMs]);
      await loop.stop();
    });

    it('does not sleep after a pause when it was woken during the pause', async () => {
      const { loop, gaps } = sleeper(60_000);
      loop.start();
      await jest.advanceTimersByTimeAsync(pauseMs / 2);
      loop.wake();
      await jest.advanceTimersByTimeAsync(1_000);
      expect(gaps()).toEqual([pauseMs]);
      await loop.stop();
    });

    it('pauses between runs regardless of the number of wake-ups', async () => {
      const { loop, startedAtMs } = sleeper(60_000);
      loop.start();
      for (let ms = 0; ms < 1_000; ms++) {
        loop.wake();
        await jest.advanceTimersByTimeAsync(1);
      }
      expect(startedAtMs.length).toBeGreaterThanOrEqual(10);
      expect(startedAtMs.length).toBeLessThanOrEqual(11);
      await loop.stop();
    });

    it('stops immediately during its sleep', async () => {
      const { loop, startedAtMs } = sleeper(60_000);
      loop.start();
      await jest.advanceTimersByTimeAsync(1_000);
      await loop.stop();
      loop.wake();
      await jest.advanceTimersByTimeAsync(1_000);
      expect(startedAtMs).toHaveLength(1);
      expect(jest.getTimerCount()).toBe(0);
    });
  });

  it('stops when it was never started', async () => {
    await planned().loop.stop();
  });
});
