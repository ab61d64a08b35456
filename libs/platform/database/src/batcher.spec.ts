import { Batcher, type GroupFailure } from './batcher';

const serverError = (code: string) => Object.assign(new Error(`state ${code}`), { code, severity: 'ERROR' });

function gate(): { opened: Promise<void>; open(): void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const turns = async (count = 5): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
};

const limits = { maxGroup: 100, maxConcurrent: 2 };

describe('Batcher', () => {
  it('runs items that arrive together as one group, and returns each caller its own result', async () => {
    const groups: number[][] = [];
    const batcher = new Batcher(async (items: number[]) => {
      groups.push(items);
      return items.map((item) => item * 10);
    }, limits);
    const results = await Promise.all([1, 2, 3].map((item) => batcher.add(item)));
    expect(results).toEqual([10, 20, 30]);
    expect(groups).toEqual([[1, 2, 3]]);
  });

  it('runs an item immediately while no group is running', async () => {
    const groups: string[][] = [];
    const batcher = new Batcher(async (items: string[]) => {
      groups.push(items);
      return items;
    }, limits);
    await batcher.add('first');
    await batcher.add('second');
    expect(groups).toEqual([['first'], ['second']]);
  });

  it('collects items while the maximum number of groups is running', async () => {
    const end = gate();
    const groups: number[][] = [];
    let [running, most] = [0, 0];
    const batcher = new Batcher(async (items: number[]) => {
      groups.push(items);
      most = Math.max(most, ++running);
      await end.opened;
      running--;
      return items;
    }, limits);
    const results: Promise<number>[] = [];
    for (const item of [1, 2, 3, 4, 5]) {
      results.push(batcher.add(item));
      await turns();
    }
    expect(groups).toEqual([[1], [2]]);
    end.open();
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5]);
    expect(groups).toEqual([[1], [2], [3, 4, 5]]);
    expect(most).toBe(2);
  });

  it('forms groups of bounded size, in the order of arrival', async () => {
    const groups: number[][] = [];
    const batcher = new Batcher(
      async (items: number[]) => {
        groups.push(items);
        return items;
      },
      { maxGroup: 3, maxConcurrent: 1 },
    );
    const items = [1, 2, 3, 4, 5, 6, 7];
    expect(await Promise.all(items.map((item) => batcher.add(item)))).toEqual(items);
    expect(groups).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  it('returns the result of each of 5,000 items', async () => {
    const batcher = new Batcher(
      async (items: number[]) => {
        await new Promise(setImmediate);
        return items;
      },
      { maxGroup: 7, maxConcurrent: 3 },
    );
    const items = Array.from({ length: 5_000 }, (_, index) => index);
    expect(await Promise.all(items.map((item) => batcher.add(item)))).toEqual(items);
  });
});

describe('Batcher, when a group fails', () => {
  const outcomes = (results: Promise<unknown>[]) =>
    Promise.all(
      results.map((result) =>
        result.then(
          (value) => value,
          (error) => (error as Error).message,
        ),
      ),
    );

  function failing(bad: string, error: Error) {
    const groups: string[][] = [];
    const batcher = new Batcher(async (items: string[]) => {
      groups.push(items);
      if (items.includes(bad)) throw error;
      return items.map((item) => item.toUpperCase());
    }, limits);
    return { batcher, groups };
  }

  it.each(['22P02', '23505', '23514', '21000', 'P0001'])(
    'runs the items one by one after the SQL state %s, so that only the invalid item fails',
    async (state) => {
      const { batcher, groups } = failing('bad', serverError(state));
      const results = ['a', 'bad', 'c'].map((item) => batcher.add(item));
      expect(await outcomes(results)).toEqual(['A', `state ${state}`, 'C']);
      expect(groups).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
    },
  );

  it.each([
    ['the connection is lost', new Error('Connection terminated unexpectedly')],
    [
      'the system reports a code that looks like an SQL state',
      Object.assign(new Error('write'), { code: 'EPIPE', syscall: 'write' }),
    ],
    ['the server ends the session', serverError('57P01')],
    ['the server has lost the connection', serverError('08006')],
    ['the completion is unknown', serverError('40003')],
    ['the work throws another error', new TypeError('wrong')],
  ])('does not retry when %s', async (_case, error) => {
    const { batcher, groups } = failing('bad', error);
    const results = ['a', 'bad', 'c'].map((item) => batcher.add(item));
    expect(await outcomes(results)).toEqual([error.message, error.message, error.message]);
    expect(groups).toHaveLength(1);
  });

  it('does not retry a group of one item', async () => {
    const { batcher, groups } = failing('bad', serverError('23505'));
    await expect(batcher.add('bad')).rejects.toThrow('state 23505');
    expect(groups).toEqual([['bad']]);
  });

  it('runs the next group after a group has failed', async () => {
    const { batcher } = failing('bad', new Error('lost'));
    for (let round = 0; round < 5; round++) await expect(batcher.add('bad')).rejects.toThrow('lost');
    expect(await batcher.add('good')).toBe('GOOD');
  });

  it('rejects the items when the work throws synchronously', async () => {
    const batcher = new Batcher<string, string>(() => {
      throw new Error('at once');
    }, limits);
    await expect(batcher.add('a')).rejects.toThrow('at once');
  });

  it('rejects all items when a result is missing, so that no caller gets the result of another', async () => {
    const batcher = new Batcher(async (items: string[]) => items.slice(1), limits);
    const results = ['a', 'b'].map((item) => batcher.add(item));
    expect(await outcomes(results)).toEqual(['1 results for 2 items', '1 results for 2 items']);
  });
});

describe('Batcher, when a group fails for a temporary reason', () => {
  const ids = Array.from({ length: 64 }, (_, index) => index);

  /** Fails with each of these errors in turn, and then succeeds. */
  function failingWith(errors: Error[], options: { isIdempotent?: boolean; retryForMs?: number } = {}) {
    const groups: number[][] = [];
    const failures: GroupFailure[] = [];
    const batcher = new Batcher(
      async (items: number[]) => {
        groups.push(items);
        const error = errors.shift();
        if (error) throw error;
        return items;
      },
      { ...limits, ...options, onFailure: (failure) => void failures.push(failure) },
    );
    const added = () => Promise.allSettled(ids.map((id) => batcher.add(id)));
    return { added, groups, failures };
  }

  const stored = ids.map((value) => ({ status: 'fulfilled', value }));
  const failed = (reason: Error) => ids.map(() => ({ status: 'rejected', reason }));
  const lost = () => new Error('Connection terminated unexpectedly');
  const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });

  it.each([
    ['no connection is free', new Error('timeout exceeded when trying to connect')],
    ['no server listens', unreachable],
    ['the server starts', serverError('57P03')],
    ['the server has no more connections', serverError('53300')],
    ['a row is locked', serverError('55P03')],
  ])('stores all 64 items by a second attempt when %s', async (_case, error) => {
    const { added, groups, failures } = failingWith([error]);
    expect(await added()).toEqual(stored);
    expect(groups).toEqual([ids, ids]);
    expect(failures).toEqual([{ error, items: 64, isRetried: true }]);
  });

  it.each([['Connection terminated unexpectedly'], ['Query read timeout']])(
    'retries an idempotent group, which resolves its unknown outcome, after: %s',
    async (message) => {
      const { added, groups } = failingWith([new Error(message), unreachable], { isIdempotent: true });
      expect(await added()).toEqual(stored);
      expect(groups).toEqual([ids, ids, ids]);
    },
  );

  it('never reports a definite failure after an attempt with an unknown outcome', async () => {
    const unknown = lost();
    const later = [unreachable, serverError('53300'), serverError('23505')];
    const { added, groups } = failingWith([unknown, ...later], { isIdempotent: true });
    expect(await added()).toEqual(failed(unknown));
    expect(groups).toHaveLength(4);
  });

  it('stops retrying when the items have waited for retryForMs', async () => {
    const errors = Array.from({ length: 1_000 }, () => unreachable);
    const { added, groups, failures } = failingWith(errors, { retryForMs: 200 });
    expect(await added()).toEqual(failed(unreachable));
    expect(groups.length).toBeGreaterThan(1);
    // Growing pauses prevent a flood of statements during an outage.
    expect(groups.length).toBeLessThan(6);
    expect(failures.map(({ isRetried }) => isRetried)).toEqual(groups.map((_, at) => at < groups.length - 1));
  });

  it('runs the items one by one after a conflict of transactions, and retries an item that conflicts again', async () => {
    const { added, groups } = failingWith([serverError('40001'), serverError('40P01')]);
    expect(await added()).toEqual(stored);
    expect(groups).toEqual([ids, [0], [0], ...ids.slice(1).map((id) => [id])]);
  });
});
