import { setImmediate as turn } from 'node:timers/promises';
import { mapBounded } from './map-bounded';

const items = Array.from({ length: 20 }, (_, at) => at);

describe('mapBounded', () => {
  it('returns the results in the order of the items', async () => {
    const doubled = mapBounded(items, async (item, at) => {
      for (let wait = 0; wait < 20 - item; wait++) await turn();
      return [item * 2, at];
    });
    expect(await doubled).toEqual(items.map((item) => [item * 2, item]));
    expect(await mapBounded([], async () => 1)).toEqual([]);
  });

  it('runs the given number of items concurrently', async () => {
    let [underWay, most] = [0, 0];
    const work = async () => {
      most = Math.max(most, ++underWay);
      await turn();
      underWay--;
    };
    await mapBounded(items, work, 3);
    expect(most).toBe(3);
  });

  it('starts no further item after an error', async () => {
    const begun: number[] = [];
    const work = async (item: number) => {
      begun.push(item);
      await turn();
      if (item === 1) throw new Error('node failed');
    };
    await expect(mapBounded(items, work, 2)).rejects.toThrow('node failed');
    await turn();
    await turn();
    expect(begun.length).toBeLessThan(5);
  });
});
