import { readiness } from './management-server';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('readiness', () => {
  it('is there when every check passes', async () => {
    expect(await readiness({ bus: () => true, database: () => Promise.resolve(true) })).toEqual({
      status: 'ok',
      checks: { bus: 'ok', database: 'ok' },
    });
  });

  it('is standby when nothing else is wrong', async () => {
    const lease = () => 'standby' as const;
    expect(await readiness({ bus: () => true, lease })).toEqual({
      status: 'standby',
      checks: { bus: 'ok', lease: 'standby' },
    });
    expect(await readiness({ bus: () => false, lease })).toMatchObject({ status: 'unavailable' });
  });

  it('of nothing is there', async () => {
    expect(await readiness({})).toEqual({ status: 'ok', checks: {} });
  });

  it.each([
    ['says no', () => false],
    ['says no later', () => Promise.resolve(false)],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['says nothing', () => undefined as unknown as boolean],
  ])('is not there when one check %s', async (_case, database) => {
    expect(await readiness({ bus: () => true, database })).toEqual({
      status: 'unavailable',
      checks: { bus: 'ok', database: 'unavailable' },
    });
  });

  it('does not wait for a check that hangs, before the one who asks gives up', async () => {
    const report = readiness({ bus: () => true, database: () => new Promise(() => undefined) });
    await jest.advanceTimersByTimeAsync(950);
    expect(await report).toEqual({
      status: 'unavailable',
      checks: { bus: 'ok', database: 'unavailable' },
    });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is not troubled by a check that fails after its time', async () => {
    let fail!: (error: Error) => void;
    const report = readiness({ database: () => new Promise((_, reject) => (fail = reject)) });
    await jest.advanceTimersByTimeAsync(950);
    fail(new Error('too late'));
    expect((await report).status).toBe('unavailable');
  });
});
