import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { transaction } from '../database';
import { openOutboxDatabase, type OutboxDatabase } from '../testing/outbox-schema';

let shop: OutboxDatabase;

beforeAll(async () => {
  shop = await openOutboxDatabase();
});

afterAll(() => shop.close());

const append = (client: PoolClient, payload: string) =>
  client.query(
    `INSERT INTO outbox (id, subject, aggregate_id, payload) VALUES ($1, 'events.shop.sold.v1', 'tea', $2)`,
    [randomUUID(), payload],
  );

const payloadOf = (bytes: number) =>
  JSON.stringify({ text: 'x'.repeat(bytes - JSON.stringify({ text: '' }).length) });

describe('outboxTables', () => {
  it('accepts an event of 1,000,000 bytes, which fits into a message', async () => {
    await transaction(shop.database.pool, (client) => append(client, payloadOf(1_000_000)));
  });

  it('rejects a larger event together with the change that it describes', async () => {
    const work = transaction(shop.database.pool, async (client) => {
      await client.query(`INSERT INTO goods VALUES ('tea')`);
      await append(client, payloadOf(1_000_001));
    });
    await expect(work).rejects.toMatchObject({ code: '23514', constraint: 'outbox_payload_fits' });
    expect(await shop.fresh.query('SELECT FROM goods')).toEqual([]);
  });

  it('measures the size of an event in bytes', async () => {
    const work = transaction(shop.database.pool, (client) =>
      append(client, JSON.stringify('é'.repeat(500_000))),
    );
    await expect(work).rejects.toMatchObject({ constraint: 'outbox_payload_fits' });
  });

  it('queues every committed row, regardless of the inserting statement', async () => {
    await shop.fresh.query('TRUNCATE outbox, outbox_queue');
    await transaction(shop.database.pool, async (client) => {
      await append(client, '"one"');
      await client.query('SAVEPOINT inner_part');
      await append(client, '"undone"');
      await client.query('ROLLBACK TO inner_part');
      await client.query(`INSERT INTO outbox (id, subject, aggregate_id, payload)
        SELECT gen_random_uuid(), 'events.shop.sold.v1', 'tea', to_json(n) FROM generate_series(1, 3) n`);
      await client.query(`WITH sold AS (INSERT INTO outbox (id, subject, aggregate_id, payload)
        VALUES (gen_random_uuid(), 'events.shop.sold.v1', 'tea', '"within"') RETURNING seq) SELECT FROM sold`);
    });
    const waiting = await shop.fresh.query<{ payload: unknown }>(
      'SELECT payload FROM outbox_queue JOIN outbox USING (seq) ORDER BY seq',
    );
    expect(waiting.map(({ payload }) => payload)).toEqual(['one', 1, 2, 3, 'within']);
  });

  it('limits outbox_stream to one row', async () => {
    const second = shop.database.pool.query('INSERT INTO outbox_stream DEFAULT VALUES');
    await expect(second).rejects.toMatchObject({ code: '23505' });
  });
});
