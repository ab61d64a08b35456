import { readiness } from './management-server';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('readiness', () => {
  it('reports ok when every check passes', async () => {
    expect(await readiness({ bus: () => true, database: () => Promise.resolve(true) })).toEqual({
      status: 'ok',
      checks: { bus: 'ok', database: 'ok' },
    });
  });

  it('reports standby only when every other check passes', async () => {
    const lease = () => 'standby' as const;
    expect(await readiness({ bus: () => true, lease })).toEqual({
      status: 'standby',
      checks: { bus: 'ok', lease: 'standby' },
    });
    expect(await readiness({ bus: () => false, lease })).toMatchObject({ status: 'unavailable' });
  });

  it('reports ok without checks', async () => {
    expect(await readiness({})).toEqual({ status: 'ok', checks: {} });
  });

  it.each([
    ['returns false', () => false],
    ['resolves to false', () => Promise.resolve(false)],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['returns undefined', () => undefined as unknown as boolean],
  ])('reports unavailable when a check %s', async (_case, database) => {
    expect(await readiness({ bus: () => true, database })).toEqual({
      status: 'unavailable',
      checks: { bus: 'ok', database: 'unavailable' },
    });
  });

  it('reports unavailable within 950 ms when a check hangs', async () => {
    // Other test files of this process may set timers too, so only the timers of this call count.
    const set = jest.spyOn(globalThis, 'setTimeout');
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    const report = readiness({ bus: () => true, database: () => new Promise(() => undefined) });
    const timers = set.mock.results.map(({ value }) => value as NodeJS.Timeout);
    expect(timers).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(950);
    expect(await report).toEqual({
      status: 'unavailable',
      checks: { bus: 'ok', database: 'unavailable' },
    });
    for (const timer of timers) expect(cleared).toHaveBeenCalledWith(timer);
    jest.restoreAllMocks();
  });

  it('ignores a check that fails after its time-out', async () => {
    let fail!: (error: Error) => void;
    const report = readiness({ database: () => new Promise((_, reject) => (fail = reject)) });
    await jest.advanceTimersByTimeAsync(950);
    fail(new Error('too late'));
    expect((await report).status).toBe('unavailable');
  });
});
