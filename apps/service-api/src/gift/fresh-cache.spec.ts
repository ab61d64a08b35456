import { ManualClock } from '@tollbridge/testing';
import { FreshCache } from './fresh-cache';

const clock = new ManualClock();
const cache = () => new FreshCache<number>(clock, { freshMs: 1_000, maxEntries: 2 });

describe('what was read lately', () => {
  it('is asked for once, also by many at once, until it is old', async () => {
    const kept = cache();
    let reads = 0;
    const read = async () => ++reads;
    expect(await Promise.all([kept.get('a', read), kept.get('a', read)])).toEqual([1, 1]);
    clock.advance(999);
    expect(await kept.get('a', read)).toBe(1);
    clock.advance(1);
    expect(await kept.get('a', read)).toBe(2);
  });

  it('is not a failure: that is asked for again', async () => {
    const kept = cache();
    await expect(kept.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await kept.get('a', async () => 1)).toBe(1);
  });

  it('is forgotten when it is old, though nobody asks any more', async () => {
    jest.useFakeTimers();
    try {
      const kept = cache();
      const held = Reflect.get(kept, 'kept') as Map<string, unknown>;
      await kept.get('a', async () => 1);
      clock.advance(600);
      await kept.get('b', async () => 1);
      clock.advance(400);
      jest.advanceTimersByTime(1_000);
      expect([...held.keys()]).toEqual(['b']);
      clock.advance(1_000);
      jest.advanceTimersByTime(1_000);
      expect([held.size, jest.getTimerCount()]).toEqual([0, 0]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('makes room for what comes later', async () => {
    const kept = cache();
    for (const key of ['a', 'b', 'c']) await kept.get(key, async () => 1);
    expect([await kept.get('c', async () => 2), await kept.get('b', async () => 2)]).toEqual([1, 1]);
    expect(await kept.get('a', async () => 2)).toBe(2);
  });
});
