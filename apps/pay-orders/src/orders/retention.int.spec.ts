import { Database, databaseEntities, Pruner, retentionOf, type PrunedTable } from '@tollbridge/database';
import { type FreshDatabase } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import { entities } from '../entities';
import { OrderRow } from './storage/orders.entity';
import { migratedDatabase } from '../testing/migrated-database';

const dayMs = 24 * 3_600_000;
let fresh: FreshDatabase;
let database: Database;
let pruner: Pruner;
let nowMs: number;

beforeAll(async () => {
  fresh = await migratedDatabase();
  const all = [...entities, ...(await databaseEntities({ hasAuditLog: true, hasLockRows: true }))];
  database = await Database.open({
    app: 'pay-orders',
    url: fresh.runtimeUrl,
    entities: all,
    maxConnections: 4,
  });
});
afterAll(async () => {
  await database?.close();
  await fresh?.drop();
});
beforeEach(async () => {
  nowMs = Date.now();
  pruner = new Pruner({ pool: database.pool, nowMs: () => nowMs, batchRows: 5 });
  await fresh.query('TRUNCATE orders, retention_progress CASCADE');
});

/** @returns the id, which begins with the time of the order */
async function insertOrder(status: string, daysAgo: number, method = 'Direct'): Promise<string> {
  const atMs = nowMs - daysAgo * dayMs;
  const hex = Math.round(atMs).toString(16).padStart(12, '0');
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
  const contract = method === 'Direct' ? '0x1' : null;
  await fresh.query(
    `INSERT INTO orders (id, status, method, pay_chain, pay_token, settle_chain, settle_token, merchant_address, merchant_amount,
       fee_receiver, fee_amount, merchant_id, payer_address, contract_address, token_in_address, created_at, updated_at, expires_at)
     VALUES ($1, $2, $3, 'base', 'USDC', 'base', 'USDC', '0x2', 5, '0x3', 0, 'm', '0x4', $4, $4, $5, $5, $5)`,
    [id, status, method, contract, new Date(atMs)],
  );
  return id;
}
const prune = async () => {
  const table: PrunedTable = {
    table: 'orders',
    policy: retentionOf(OrderRow) as PrunedTable['policy'],
    periodMs: 180 * dayMs,
  };
  let rows = 0;
  for (let state = 'more'; state === 'more';) {
    const batch = await pruner.batch(table);
    rows += batch.rows;
    state = batch.state;
  }
  return rows;
};
const left = async () =>
  (await fresh.query<{ id: string }>('SELECT id FROM orders')).map(({ id }) => id).sort();

describe('retention of orders', () => {
  it('deletes expired direct orders without any payment or report, and no other order', async () => {
    for (let n = 0; n < 12; n++) await insertOrder('expired', 181 + n);
    const kept = [await insertOrder('expired', 179)];
    for (const status of ['waiting_payment', 'settling', 'settled', 'failed'])
      kept.push(await insertOrder(status, 400));
    kept.push(await insertOrder('expired', 400, 'CrossChain'));
    const [paid, claimed, settled, followed] = [
      await insertOrder('expired', 300),
      await insertOrder('expired', 301),
      await insertOrder('expired', 302),
      await insertOrder('expired', 303),
    ];
    await fresh.query(
      `INSERT INTO payments (chain, block_hash, log_index, tx_hash, height, order_id, order_hash, payer, fields)
       VALUES ('base', 'b', 0, 't', 1, $1, 'h', 'p', '{}')`,
      [paid],
    );
    await fresh.query(`INSERT INTO tx_claims VALUES ('base', 't1', $1)`, [claimed]);
    await fresh.query(`INSERT INTO settlement_claims VALUES ('base', 't2', 0, $1)`, [settled]);
    await fresh.query(`INSERT INTO displaced_reports VALUES ($1, 't3', 'base', now(), now())`, [followed]);
    expect(await prune()).toBe(12);
    expect(await left()).toEqual([...kept, paid, claimed, settled, followed].sort());
  });

  it('keeps an order when its payment is found between the search and the deletion', async () => {
    const id = await insertOrder('expired', 200);
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(`UPDATE orders SET status = 'settling', late = true WHERE id = $1`, [id]);
      expect(await prune()).toBe(0);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    expect(await left()).toEqual([id]);
  });
});
