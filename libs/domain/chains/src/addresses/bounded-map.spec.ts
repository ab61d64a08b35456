import { BoundedMap } from './bounded-map';

describe('BoundedMap', () => {
  it('keeps what fits and forgets the oldest first', () => {
    const map = new BoundedMap<number, string>(3);
    for (const key of [1, 2, 3, 4, 5]) {
      map.set(key, `value ${key}`);
    }
    expect([1, 2, 3, 4, 5].map((key) => map.get(key))).toEqual([
      undefined,
      undefined,
      'value 3',
      'value 4',
      'value 5',
    ]);
    expect(map.size).toBe(3);
  });

  it('forgets nothing when a known key is set again', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('b', 3);
    expect([map.get('a'), map.get('b'), map.size]).toEqual([1, 3, 2]);
  });
});
