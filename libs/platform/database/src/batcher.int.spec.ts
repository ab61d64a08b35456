import { databaseFailure } from './database-failure';
import { Batcher } from './batcher';
import { openOutboxDatabase, type OutboxDatabase } from './testing/outbox-schema';

let shop: OutboxDatabase;
let statements: number;
let inserts: Batcher<string, string>;

beforeAll(async () => {
  shop = await openOutboxDatabase();
});

afterAll(() => shop.close());

beforeEach(async () => {
  await shop.fresh.query('DELETE FROM goods');
  statements = 0;
  const insert = async (ids: string[]): Promise<string[]> => {
    statements++;
    const { rows } = await shop.database.pool.query<{ id: string }>(
      'INSERT INTO goods (id) SELECT unnest($1::text[]) RETURNING id',
      [ids],
    );
    const stored = new Set(rows.map(({ id }) => id));
    return ids.map((id) => (stored.has(id) ? `stored ${id}` : 'lost'));
  };
  inserts = new Batcher(insert, { maxGroup: 100, maxConcurrent: 2 });
});

const goods = async (): Promise<string[]> =>
  (await shop.fresh.query<{ id: string }>('SELECT id FROM goods')).map(({ id }) => id).sort();

describe('Batcher with PostgreSQL', () => {
  it('shares a few statements among many writes, and returns each caller its own result', async () => {
    const ids = Array.from({ length: 500 }, (_, index) => `good ${index}`);
    expect(await Promise.all(ids.map((id) => inserts.add(id)))).toEqual(ids.map((id) => `stored ${id}`));
    expect(statements).toBe(5);
    expect(await goods()).toEqual([...ids].sort());
  });

  it('fails only the row that the database rejects, and writes no row twice', async () => {
    await inserts.add('taken');
    const outcomes = await Promise.allSettled(
      ['a', 'taken', 'b', 'no\0body', 'c'].map((id) => inserts.add(id)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await goods()).toEqual(['a', 'b', 'c', 'taken']);
  });

  it('stores each of 64 idempotent writes once when the server ends their connections before and after the commit', async () => {
    let attempts = 0;
    const { pool } = shop.database;
    const insert = async (ids: string[]): Promise<string[]> => {
      const text = `INSERT INTO goods (id) SELECT unnest($1::text[]) ON CONFLICT (id) DO NOTHING`;
      attempts++;
      if (attempts === 1)
        await Promise.all([shop.fresh.breakConnections(), pool.query('SELECT pg_sleep(60)')]);
      await pool.query(text, [ids]);
      // The transaction is committed, but the reply is lost.
      if (attempts === 2)
        await Promise.all([shop.fresh.breakConnections(), pool.query('SELECT pg_sleep(60)')]);
      return ids;
    };
    const options = { maxGroup: 100, maxConcurrent: 2, isIdempotent: true };
    const orders = new Batcher(insert, options);
    const ids = Array.from({ length: 64 }, (_, index) => `order ${index}`);
    expect(await Promise.all(ids.map((id) => orders.add(id)))).toEqual(ids);
    expect(attempts).toBe(3);
    expect(await goods()).toEqual([...ids].sort());
  });

  it('fails every caller with OUTCOME_UNKNOWN after a lost connection, without a retry', async () => {
    const slow = new Batcher(
      async (ids: string[]) => {
        statements++;
        const { pool } = shop.database;
        const writing = pool.query(
          'INSERT INTO goods (id) SELECT id FROM unnest($1::text[]) id, pg_sleep(60)',
          [ids],
        );
        await Promise.all([shop.fresh.breakConnections(), writing]);
        return ids;
      },
      { maxGroup: 100, maxConcurrent: 2 },
    );
    const codes = await Promise.all(
      ['a', 'b'].map((id) => slow.add(id).catch((error: unknown) => databaseFailure(error)?.code)),
    );
    expect(codes).toEqual(['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN']);
    expect(statements).toBe(1);
  });
});
