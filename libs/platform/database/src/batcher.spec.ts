import { Batcher } from './batcher';

const said = (code: string) => Object.assign(new Error(`state ${code}`), { code, severity: 'ERROR' });

function gate(): { opened: Promise<void>; open(): void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const turns = async (count = 5): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
};

const limits = { maxGroup: 100, maxConcurrent: 2 };

describe('items that come together', () => {
  it('go as one group, and each caller gets its own result', async () => {
    const groups: number[][] = [];
    const grouped = new Batcher(async (items: number[]) => {
      groups.push(items);
      return items.map((item) => item * 10);
    }, limits);
    const results = await Promise.all([1, 2, 3].map((item) => grouped.add(item)));
    expect(results).toEqual([10, 20, 30]);
    expect(groups).toEqual([[1, 2, 3]]);
  });

  it('go at once when nothing is under way', async () => {
    const groups: string[][] = [];
    const grouped = new Batcher(async (items: string[]) => {
      groups.push(items);
      return items;
    }, limits);
    await grouped.add('first');
    await grouped.add('second');
    expect(groups).toEqual([['first'], ['second']]);
  });

  it('wait for each other while as many groups as allowed are under way', async () => {
    const end = gate();
    const groups: number[][] = [];
    let [running, most] = [0, 0];
    const grouped = new Batcher(async (items: number[]) => {
      groups.push(items);
      most = Math.max(most, ++running);
      await end.opened;
      running--;
      return items;
    }, limits);
    const results: Promise<number>[] = [];
    for (const item of [1, 2, 3, 4, 5]) {
      results.push(grouped.add(item));
      await turns();
    }
    expect(groups).toEqual([[1], [2]]);
    end.open();
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5]);
    expect(groups).toEqual([[1], [2], [3, 4, 5]]);
    expect(most).toBe(2);
  });

  it('form groups of bounded size, in their order', async () => {
    const groups: number[][] = [];
    const grouped = new Batcher(
      async (items: number[]) => {
        groups.push(items);
        return items;
      },
      { maxGroup: 3, maxConcurrent: 1 },
    );
    const items = [1, 2, 3, 4, 5, 6, 7];
    expect(await Promise.all(items.map((item) => grouped.add(item)))).toEqual(items);
    expect(groups).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  it('are never forgotten, however many come', async () => {
    const grouped = new Batcher(
      async (items: number[]) => {
        await new Promise(setImmediate);
        return items;
      },
      { maxGroup: 7, maxConcurrent: 3 },
    );
    const items = Array.from({ length: 5_000 }, (_, index) => index);
    expect(await Promise.all(items.map((item) => grouped.add(item)))).toEqual(items);
  });
});

describe('a group that fails', () => {
  const outcomes = (results: Promise<unknown>[]) =>
    Promise.all(
      results.map((result) =>
        result.then(
          (value) => value,
          (error) => (error as Error).message,
        ),
      ),
    );

  function refusing(bad: string, error: Error) {
    const groups: string[][] = [];
    const grouped = new Batcher(async (items: string[]) => {
      groups.push(items);
      if (items.includes(bad)) throw error;
      return items.map((item) => item.toUpperCase());
    }, limits);
    return { grouped, groups };
  }

  it.each(['22P02', '23505', '23514', '21000', '40001', '40P01', 'P0001'])(
    'by state %s is run again item by item: a bad one fails alone',
    async (state) => {
      const { grouped, groups } = refusing('bad', said(state));
      const results = ['a', 'bad', 'c'].map((item) => grouped.add(item));
      expect(await outcomes(results)).toEqual(['A', `state ${state}`, 'C']);
      expect(groups).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
    },
  );

  it.each([
    ['the connection is lost', new Error('Connection terminated unexpectedly')],
    [
      'the system says so with a code like a state',
      Object.assign(new Error('write'), { code: 'EPIPE', syscall: 'write' }),
    ],
    ['the server ends the session', said('57P01')],
    ['the server has lost the connection', said('08006')],
    ['nobody knows whether it is complete', said('40003')],
    ['the disk is full', said('53100')],
    ['its time is over', said('57014')],
    ['the work itself is wrong', new TypeError('wrong')],
  ])('because %s is not run again: it might write twice, or fail each time', async (_case, error) => {
    const { grouped, groups } = refusing('bad', error);
    const results = ['a', 'bad', 'c'].map((item) => grouped.add(item));
    expect(await outcomes(results)).toEqual([error.message, error.message, error.message]);
    expect(groups).toHaveLength(1);
  });

  it('of one item is not run again', async () => {
    const { grouped, groups } = refusing('bad', said('23505'));
    await expect(grouped.add('bad')).rejects.toThrow('state 23505');
    expect(groups).toEqual([['bad']]);
  });

  it('makes room for the next', async () => {
    const { grouped } = refusing('bad', new Error('lost'));
    for (let round = 0; round < 5; round++) await expect(grouped.add('bad')).rejects.toThrow('lost');
    expect(await grouped.add('good')).toBe('GOOD');
  });

  it('by an exception of its own making is no different', async () => {
    const grouped = new Batcher<string, string>(() => {
      throw new Error('at once');
    }, limits);
    await expect(grouped.add('a')).rejects.toThrow('at once');
  });

  it('to answer for all its items fails all: nobody may get the result of another', async () => {
    const grouped = new Batcher(async (items: string[]) => items.slice(1), limits);
    const results = ['a', 'b'].map((item) => grouped.add(item));
    expect(await outcomes(results)).toEqual(['1 results for 2 items', '1 results for 2 items']);
  });
});
