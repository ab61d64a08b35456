import { ManualClock } from '@tollbridge/testing';
import type { LRUCache } from 'lru-cache';
import { FreshCache } from './fresh-cache';

const clock = new ManualClock();
function pass(milliseconds: number): void {
  clock.advance(milliseconds);
  jest.advanceTimersByTime(milliseconds);
}

const cache = () => new FreshCache<number>(clock, { freshMs: 1_000, maxEntries: 2 });

describe('FreshCache', () => {
  it('reads once for concurrent callers, and again when the entry has expired', async () => {
    const cached = cache();
    let reads = 0;
    const read = async () => ++reads;
    expect(await Promise.all([cached.get('a', read), cached.get('a', read)])).toEqual([1, 1]);
    clock.advance(999);
    expect(await cached.get('a', read)).toBe(1);
    clock.advance(1);
    expect(await cached.get('a', read)).toBe(2);
  });

  it('does not cache a failure', async () => {
    const cached = cache();
    await expect(cached.get('a', () => Promise.reject(new Error('unavailable')))).rejects.toThrow(
      'unavailable',
    );
    expect(await cached.get('a', async () => 1)).toBe(1);
  });

  it('evicts expired entries without another call', async () => {
    jest.useFakeTimers();
    try {
      const cached = cache();
      const entries = Reflect.get(cached, 'entries') as LRUCache<string, Promise<number>>;
      await cached.get('a', async () => 1);
      pass(600);
      await cached.get('b', async () => 1);
      pass(400);
      expect([[...entries.keys()], entries.size]).toEqual([['b'], 1]);
      pass(1_000);
      expect([entries.size, jest.getTimerCount()]).toEqual([0, 0]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('evicts the least recently read entry when it is full', async () => {
    const cached = cache();
    for (const key of ['a', 'b', 'c']) await cached.get(key, async () => 1);
    expect([await cached.get('c', async () => 2), await cached.get('b', async () => 2)]).toEqual([1, 1]);
    expect(await cached.get('a', async () => 2)).toBe(2);
  });
});
