import { Database, databaseEntities, Pruner, retentionOf, type PrunedTable } from '@tollbridge/database';
import { type FreshDatabase } from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';
import { entities } from '../../entities';
import { UsedNonceRow } from './session.entity';
import { migratedDatabase } from '../../testing/migrated-database';

const daySeconds = 24 * 3_600;
let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await migratedDatabase();
  const all = [...entities, ...(await databaseEntities())];
  database = await Database.open({ app: 'tee', url: fresh.runtimeUrl, entities: all, maxConnections: 4 });
});
afterAll(async () => {
  await database?.close();
  await fresh?.drop();
});

describe('retention of used nonces', () => {
  it('deletes a nonce a week after its order has expired, in batches', async () => {
    const nowMs = Date.now();
    const insert = (validBefore: number) =>
      fresh.query('INSERT INTO used_nonces VALUES ($1, $2, $3)', [
        randomBytes(32),
        randomBytes(32),
        validBefore,
      ]);
    const now = Math.floor(nowMs / 1_000);
    for (let n = 0; n < 7; n++) await insert(now - (8 + n) * daySeconds);
    const kept = [now - 6 * daySeconds, now, now + 100 * daySeconds];
    for (const validBefore of kept) await insert(validBefore);
    const table: PrunedTable = {
      table: 'used_nonces',
      policy: retentionOf(UsedNonceRow) as PrunedTable['policy'],
      periodMs: 7 * daySeconds * 1_000,
    };
    const pruner = new Pruner({ pool: database.pool, nowMs: () => nowMs, batchRows: 5 });
    expect(await pruner.batch(table)).toMatchObject({ state: 'more', rows: 5 });
    expect(await pruner.batch(table)).toMatchObject({ state: 'done', rows: 2 });
    const left = await fresh.query<{ valid_before: string }>(
      'SELECT valid_before FROM used_nonces ORDER BY 1',
    );
    expect(left.map(({ valid_before }) => Number(valid_before))).toEqual(kept);
  });
});
