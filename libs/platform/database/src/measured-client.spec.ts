import { EventEmitter } from 'node:events';
import type { Client, Pool } from 'pg';
import { measuredClient, measureWaits } from './measured-client';

/** A fake of pg's client: uses the callback if one is passed, else returns a promise. */
class FakeClient extends EventEmitter {
  query(...given: unknown[]): unknown {
    const failure = JSON.stringify(given).includes('fails')
      ? Object.assign(new Error('secret value'), { code: '23505' })
      : null;
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      setImmediate(() => (callback as (...results: unknown[]) => void)(failure, { rows: [1] }));
      return undefined;
    }
    return failure ? Promise.reject(failure) : Promise.resolve({ rows: [1] });
  }
}

function harness() {
  const observed: string[] = [];
  const spans: [string, string | undefined][] = [];
  const Measured = measuredClient(FakeClient as unknown as typeof Client, {
    observe: (statement, seconds) => void (seconds >= 0 && observed.push(statement)),
    trace: (statement) => (failure) => void spans.push([statement, failure]),
  });
  return { client: new Measured() as unknown as FakeClient, observed, spans };
}

describe('measuredClient', () => {
  it.each([
    ['the name of a statement', { name: 'orders-find', text: 'SELECT 1' }, 'orders-find'],
    ['"unnamed" for a statement without a name', { text: 'SELECT 1' }, 'unnamed'],
    ['"unnamed" for a text', 'SELECT secret', 'unnamed'],
    ['COMMIT', 'COMMIT', 'COMMIT'],
  ])('observes %s', async (_name, query, expected) => {
    const { client, observed, spans } = harness();
    expect(await client.query(query)).toEqual({ rows: [1] });
    expect([observed, spans]).toEqual([[expected], [[expected, undefined]]]);
  });

  it('observes a statement with a callback once, and passes on its error and result', async () => {
    const { client, observed, spans } = harness();
    const call = (name: string) =>
      new Promise((resolve) =>
        client.query({ name }, ['value'], (error: Error | null, result: unknown) =>
          resolve([error?.message, result]),
        ),
      );
    expect(await call('one')).toEqual([undefined, { rows: [1] }]);
    expect(await call('fails')).toEqual(['secret value', { rows: [1] }]);
    expect(observed).toEqual(['one', 'fails']);
    expect(spans).toEqual([
      ['one', undefined],
      ['fails', '23505'],
    ]);
  });

  it('passes on the rejection, and reports its SQLSTATE but not its message', async () => {
    const { client, spans } = harness();
    await expect(client.query({ name: 'fails' })).rejects.toThrow('secret value');
    expect(spans).toEqual([['fails', '23505']]);
  });

  it('does not measure streams and cursors', async () => {
    const { client, observed } = harness();
    await client.query({ name: 'copy', submit: () => undefined });
    expect(observed).toEqual([]);
  });
});

describe('measureWaits', () => {
  const waitsOf = async (idleCount: number, use: (pool: Pool) => unknown): Promise<number> => {
    const waits: number[] = [];
    const pool = {
      idleCount,
      connect: (callback?: (error: undefined, client: string) => void) =>
        callback ? setImmediate(() => callback(undefined, 'client')) : Promise.resolve('client'),
    } as unknown as Pool;
    measureWaits(pool, (seconds) => waits.push(seconds));
    await use(pool);
    return waits.length;
  };
  const byCallback = (pool: Pool) =>
    new Promise((resolve) => pool.connect((_error, client) => resolve(client)));

  it('observes a wait while no connection is free, by promise and by callback', async () => {
    expect(await waitsOf(0, async (pool) => expect(await pool.connect()).toBe('client'))).toBe(1);
    expect(await waitsOf(0, async (pool) => expect(await byCallback(pool)).toBe('client'))).toBe(1);
  });

  it('observes nothing while a connection is free', async () => {
    expect(await waitsOf(2, (pool) => pool.connect())).toBe(0);
    expect(await waitsOf(2, byCallback)).toBe(0);
  });
});
