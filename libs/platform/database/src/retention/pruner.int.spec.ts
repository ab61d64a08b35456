import { transaction } from '../database';
import { InboxRow } from '../outbox/inbox.entity';
import { OutboxRow } from '../outbox/outbox.entity';
import { prunedEveryMs, prunedUntil, Pruner, type PrunedBatch, type PrunedTable } from './pruner';
import { retentionOf, type Pruning } from './retention';
import type { OutboxDatabase } from '../testing/outbox-schema';
import { openRetentionDatabase } from '../testing/retention-schema';

const dayMs = 24 * 3_600_000;
let shop: OutboxDatabase;
let nowMs: number;
let pruner: Pruner;

beforeAll(async () => {
  shop = await openRetentionDatabase();
});
afterAll(() => shop?.close());
beforeEach(async () => {
  nowMs = Date.now();
  pruner = new Pruner({ pool: shop.database.pool, nowMs: () => nowMs, batchRows: 10 });
  await shop.fresh.query('TRUNCATE outbox, outbox_queue, inbox, retention_progress RESTART IDENTITY');
});

const policyOf = (entity: unknown) => retentionOf(entity) as Pruning;
const outbox: PrunedTable = { table: 'outbox', policy: policyOf(OutboxRow), periodMs: 90 * dayMs };
const inbox: PrunedTable = { table: 'inbox', policy: policyOf(InboxRow), periodMs: 120 * dayMs };

/** Inserts past events, the oldest first. They count as published unless they are queued. */
async function append(daysAgo: readonly number[], { isQueued = false } = {}): Promise<void> {
  await shop.fresh.query(
    `INSERT INTO outbox (id, subject, aggregate_id, payload, created_at)
     SELECT gen_random_uuid(), 's', 'a', '{}', now() - days * interval '1 day' FROM unnest($1::float8[]) WITH ORDINALITY t (days, n) ORDER BY n`,
    [daysAgo],
  );
  if (!isQueued) await shop.fresh.query('DELETE FROM outbox_queue');
}
const seqs = async () =>
  (await shop.fresh.query<{ seq: string }>('SELECT seq FROM outbox ORDER BY seq')).map(({ seq }) =>
    Number(seq),
  );

async function drain(table: PrunedTable, by = pruner): Promise<PrunedBatch[]> {
  const batches: PrunedBatch[] = [];
  do batches.push(await by.batch(table));
  while (batches.at(-1)!.state === 'more');
  return batches;
}

describe('Pruner along a key', () => {
  it('deletes rows past their period, in batches, and leaves the others', async () => {
    await append([...Array.from({ length: 25 }, () => 91), 89, 1]);
    const batches = await drain(outbox);
    expect(batches.map(({ state, rows }) => [state, rows])).toEqual([
      ['more', 10],
      ['more', 10],
      ['done', 5],
    ]);
    expect(await seqs()).toEqual([26, 27]);
    expect(batches[0]!.overdueMs / dayMs).toBeCloseTo(1, 1);
    expect(batches.at(-1)!.overdueMs).toBe(0);
  });

  it('keeps unpublished events, regardless of their age', async () => {
    await append([100, 100], { isQueued: true });
    await drain(outbox);
    expect(await seqs()).toEqual([1, 2]);
  });

  it('deletes a row that becomes due before its position in a later pass', async () => {
    await append(
      Array.from({ length: 12 }, () => 100),
      { isQueued: true },
    );
    await drain(outbox);
    await shop.fresh.query('DELETE FROM outbox_queue WHERE seq <= 5');
    nowMs += prunedEveryMs;
    await drain(outbox);
    expect(await seqs()).toContain(1);
    nowMs += 31 * dayMs;
    await drain(outbox);
    nowMs += prunedEveryMs;
    await drain(outbox);
    expect(await seqs()).toEqual([6, 7, 8, 9, 10, 11, 12]);
  });

  it('pauses in all replicas after a batch that left no due rows', async () => {
    await append([100]);
    await drain(outbox);
    await append([100]);
    expect(await pruner.batch(outbox)).toEqual({ state: 'standby', rows: 0, overdueMs: 0 });
    nowMs += prunedEveryMs;
    expect(await pruner.batch(outbox)).toMatchObject({ state: 'done', rows: 1 });
  });

  it('records the horizon of the deleted rows', async () => {
    await append([10]);
    await drain(outbox);
    expect(await prunedUntil(shop.database.pool, 'outbox')).toBeUndefined();
    nowMs += prunedEveryMs;
    await append([100]);
    await shop.fresh.query(`UPDATE outbox SET created_at = now() - interval '100 days'`);
    await drain(outbox);
    expect(await prunedUntil(shop.database.pool, 'outbox')).toEqual(new Date(nowMs - 90 * dayMs));
  });

  it('skips a row that a transaction has locked', async () => {
    await append([100, 100]);
    await transaction(shop.database.pool, async (client) => {
      await client.query('SELECT FROM outbox WHERE seq = 1 FOR UPDATE');
      expect(await pruner.batch(outbox)).toMatchObject({ rows: 1 });
    });
    expect(await seqs()).toEqual([1]);
  });

  it('lets one of several replicas prune at a time, so that no row is counted twice', async () => {
    await append(Array.from({ length: 200 }, () => 100));
    const replicas = Array.from(
      { length: 3 },
      () => new Pruner({ pool: shop.database.pool, nowMs: () => nowMs, batchRows: 10 }),
    );
    let rows = 0;
    for (let round = 0; round < 30; round++) {
      const batches = await Promise.all(replicas.map((replica) => replica.batch(outbox)));
      expect(batches.filter(({ state }) => state !== 'standby').length).toBeGreaterThan(0);
      rows += batches.reduce((sum, batch) => sum + batch.rows, 0);
      if ((await seqs()).length === 0) break;
    }
    expect(rows).toBe(200);
    const [progress] = await shop.fresh.query('SELECT pruned_rows FROM retention_progress');
    expect(progress).toEqual({ pruned_rows: '200' });
  });

  it('rolls back an interrupted batch with its progress, and continues', async () => {
    await append(Array.from({ length: 15 }, () => 100));
    await pruner.batch(outbox);
    // The connection breaks between the deletion and the commit.
    await shop.fresh.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'interrupted'; END $$`);
    await shop.fresh.query(
      'CREATE TRIGGER fail BEFORE UPDATE ON retention_progress FOR EACH ROW EXECUTE FUNCTION fail()',
    );
    await expect(pruner.batch(outbox)).rejects.toThrow('interrupted');
    expect(await seqs()).toHaveLength(5);
    await shop.fresh.query('DROP FUNCTION fail CASCADE');
    await drain(outbox);
    expect(await seqs()).toEqual([]);
  });
});

describe('Pruner below a horizon', () => {
  const uuidOf = (daysAgo: number, n: number) => {
    const time = Math.round(nowMs - daysAgo * dayMs)
      .toString(16)
      .padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(n).padStart(12, '0')}`;
  };
  const handle = (consumer: string, created: number, handled: number, n: number) =>
    shop.fresh.query(`INSERT INTO inbox VALUES ($1, $2, to_timestamp($3::float8 / 1000))`, [
      consumer,
      uuidOf(created, n),
      nowMs - handled * dayMs,
    ]);
  const left = async () =>
    (
      await shop.fresh.query<{ n: string }>(
        'SELECT consumer || right(event_id::text, 2) AS n FROM inbox ORDER BY n',
      )
    ).map(({ n }) => n);

  it('deletes events of every consumer after the period, counted from when they were handled', async () => {
    await handle('a', 121, 121, 1);
    await handle('a', 121, 119, 2);
    await handle('a', 3, 2, 3);
    await handle('b', 300, 299, 4);
    await handle('c', 119, 119, 5);
    expect(await drain(inbox)).toMatchObject([{ state: 'done', rows: 2 }]);
    expect(await left()).toEqual(['a02', 'a03', 'c05']);
  });

  it('limits a batch to its maximum over all consumers', async () => {
    for (let n = 0; n < 24; n++) await handle(n % 2 ? 'a' : 'b', 200, 200, n);
    expect((await drain(inbox)).map(({ rows }) => rows)).toEqual([10, 10, 4]);
    expect(await left()).toEqual([]);
  });
});
