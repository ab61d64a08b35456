import { ConcurrencyLimit } from './concurrency-limit';

describe('ConcurrencyLimit', () => {
  it('runs a limited number of jobs in order, also after failures', async () => {
    const limit = new ConcurrencyLimit(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const all = [0, 1, 2, 3].map((number) =>
      limit.run(async () => {
        begun.push(number);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (number === 0) throw new Error('failed');
        return number;
      }),
    );
    const settled = Promise.allSettled(all);
    const pause = () => new Promise((resolve) => setImmediate(resolve));
    await pause();
    expect(begun).toEqual([0, 1]);
    ends[0]!();
    await pause();
    expect(begun).toEqual([0, 1, 2]);
    for (let end = 1; end < 4; end++) {
      ends[end]!();
      await pause();
    }
    expect(
      (await settled).map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
    ).toEqual(['failed', 1, 2, 3]);
    await expect(limit.run(async () => 'free')).resolves.toBe('free');
  });
});
