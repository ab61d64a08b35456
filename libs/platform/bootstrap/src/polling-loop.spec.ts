import { longestIdleMs, PollingLoop, type PollResult } from './polling-loop';

const pauseMs = 100;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A job that does what is planned for each run, and is done when nothing is planned. */
function planned(...plan: (PollResult | Error)[]) {
  const startedAtMs: number[] = [];
  const errors: unknown[] = [];
  const job = async (): Promise<PollResult> => {
    startedAtMs.push(Date.now());
    const next = plan.shift() ?? 'done';
    if (next instanceof Error) throw next;
    return next;
  };
  const repeat = new PollingLoop(job, pauseMs, (error) => errors.push(error));
  const gaps = () => startedAtMs.slice(1).map((ms, index) => ms - startedAtMs[index]!);
  return { repeat, startedAtMs, errors, gaps };
}

describe('a repeated job', () => {
  it('runs at once, and again after each pause', async () => {
    const { repeat, startedAtMs, gaps } = planned();
    repeat.start();
    await jest.advanceTimersByTimeAsync(350);
    expect(startedAtMs).toHaveLength(4);
    expect(gaps()).toEqual([100, 100, 100]);
    await repeat.stop();
  });

  it('that is stopped while it runs ends with that run, without a pause', async () => {
    let finish = (): void => undefined;
    const job = () => new Promise<'done'>((resolve) => (finish = () => resolve('done')));
    const repeat = new PollingLoop(job, pauseMs, () => undefined);
    repeat.start();
    const stopped = repeat.stop();
    finish();
    await stopped;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('runs again without a pause while there is more', async () => {
    const { repeat, gaps } = planned('more', 'more', 'done');
    repeat.start();
    await jest.advanceTimersByTimeAsync(150);
    expect(gaps()).toEqual([0, 0, 100]);
    await repeat.stop();
  });

  it('that can do nothing yet runs again after growing pauses, up to a bound', async () => {
    const { repeat, gaps } = planned(...Array<PollResult>(7).fill('later'), 'done', 'later');
    repeat.start();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(gaps().slice(0, 10)).toEqual([200, 400, 800, 1_600, 3_200, 3_200, 3_200, 100, 200, 100]);
    await repeat.stop();
  });

  it('that fails is tried again at growing distances, and at the usual ones after a success', async () => {
    const no = new Error('no');
    const { repeat, errors, gaps } = planned(no, no, no, 'done', no, 'done');
    repeat.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(gaps().slice(0, 6)).toEqual([200, 400, 800, 100, 200, 100]);
    expect(errors).toEqual([no, no, no, no]);
    await repeat.stop();
  });

  it('that always fails is tried every five seconds at last, however long it lasts', async () => {
    const { repeat, gaps } = planned(...Array<Error>(2_000).fill(new Error('no')));
    repeat.start();
    await jest.advanceTimersByTimeAsync(6_000_000);
    expect(gaps().length).toBeGreaterThan(1_190);
    expect(Math.max(...gaps())).toBe(5_000);
    await repeat.stop();
  });

  it('whose pause is longer than that keeps its pause when it fails', async () => {
    const startedAtMs: number[] = [];
    const job = async (): Promise<'done'> => {
      startedAtMs.push(Date.now());
      throw new Error('no');
    };
    const repeat = new PollingLoop(job, 60_000, () => undefined);
    repeat.start();
    await jest.advanceTimersByTimeAsync(130_000);
    expect(startedAtMs.map((ms) => ms - startedAtMs[0]!)).toEqual([0, 60_000, 120_000]);
    await repeat.stop();
  });

  it('that stops in a pause stops at once, and does not run again', async () => {
    const { repeat, startedAtMs } = planned();
    repeat.start();
    await jest.advanceTimersByTimeAsync(150);
    await repeat.stop();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(startedAtMs).toHaveLength(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('that stops in a run stops when the run is over', async () => {
    let end!: () => void;
    const running = new Promise<void>((resolve) => (end = resolve));
    let runs = 0;
    const repeat = new PollingLoop(
      async () => {
        runs++;
        await running;
        return 'more';
      },
      pauseMs,
      () => undefined,
    );
    repeat.start();
    let isStopped = false;
    const stopping = repeat.stop().then(() => (isStopped = true));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(isStopped).toBe(false);
    end();
    await stopping;
    expect(runs).toBe(1);
  });

  describe('with nothing due', () => {
    const sleeper = (idleMs: number, onRun: (run: number) => void = () => undefined) => {
      const startedAtMs: number[] = [];
      const job = async (): Promise<PollResult> => {
        onRun(startedAtMs.push(Date.now()));
        return { idleMs };
      };
      const repeat = new PollingLoop(job, pauseMs, () => undefined);
      const gaps = () => startedAtMs.slice(1).map((ms, index) => ms - startedAtMs[index]!);
      return { repeat, startedAtMs, gaps };
    };

    it('sleeps until the next row is due, and never for longer than the bound', async () => {
      for (const [idleMs, gap] of [
        [2_500, 2_500],
        [3_600_000, longestIdleMs],
        [Infinity, longestIdleMs],
        [-5, pauseMs],
        [NaN, pauseMs],
      ] as const) {
        const { repeat, gaps } = sleeper(idleMs);
        repeat.start();
        await jest.advanceTimersByTimeAsync(20_000);
        expect(new Set(gaps())).toEqual(new Set([gap]));
        await repeat.stop();
      }
    });

    it('runs at once when it is woken from its sleep', async () => {
      const { repeat, gaps } = sleeper(60_000);
      repeat.start();
      await jest.advanceTimersByTimeAsync(1_234);
      repeat.wake();
      await jest.advanceTimersByTimeAsync(0);
      expect(gaps()).toEqual([1_234]);
      await repeat.stop();
    });

    it('does not sleep after a run in which it was woken', async () => {
      const { repeat, gaps } = sleeper(60_000, (run) => {
        // Written after the run had read the table, before it has decided to sleep.
        if (run === 1) repeat.wake();
      });
      repeat.start();
      await jest.advanceTimersByTimeAsync(1_000);
      expect(gaps()).toEqual([pauseMs]);
      await repeat.stop();
    });

    it('does not sleep after a pause in which it was woken', async () => {
      const { repeat, gaps } = sleeper(60_000);
      repeat.start();
      await jest.advanceTimersByTimeAsync(pauseMs / 2);
      repeat.wake();
      await jest.advanceTimersByTimeAsync(1_000);
      expect(gaps()).toEqual([pauseMs]);
      await repeat.stop();
    });

    it('keeps its pause however often it is woken', async () => {
      const { repeat, startedAtMs } = sleeper(60_000);
      repeat.start();
      for (let ms = 0; ms < 1_000; ms++) {
        repeat.wake();
        await jest.advanceTimersByTimeAsync(1);
      }
      expect(startedAtMs.length).toBeGreaterThanOrEqual(10);
      expect(startedAtMs.length).toBeLessThanOrEqual(11);
      await repeat.stop();
    });

    it('stops at once in its sleep', async () => {
      const { repeat, startedAtMs } = sleeper(60_000);
      repeat.start();
      await jest.advanceTimersByTimeAsync(1_000);
      await repeat.stop();
      repeat.wake();
      await jest.advanceTimersByTimeAsync(1_000);
      expect(startedAtMs).toHaveLength(1);
      expect(jest.getTimerCount()).toBe(0);
    });
  });

  it('that was never started stops as well', async () => {
    await planned().repeat.stop();
  });
});
