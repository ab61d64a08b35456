// Limit 3: the same two rows, in one durable transaction, straight from a `pg` pool. Runs in a process of its own.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { measure } from '../measure.mjs';

const [url, table] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 20 });
await pool.query(`CREATE SCHEMA IF NOT EXISTS bench;
  DROP TABLE IF EXISTS ${table}_outbox, ${table};
  CREATE TABLE ${table} (LIKE pay_orders.orders INCLUDING ALL);
  CREATE TABLE ${table}_outbox (LIKE pay_orders.outbox INCLUDING ALL);`);
const text = `WITH o AS (
    INSERT INTO ${table} (id, status, method, pay_chain, pay_token, settle_chain, settle_token, merchant_address, merchant_amount,
      fee_receiver, fee_amount, merchant_id, payer_address, contract_address, token_in_address, created_at, updated_at, expires_at)
    VALUES ($1, 'waiting_payment', 'Direct', $2, $3, $2, $3, $4, $5, $4, $6, $7, $4, $4, $4, $8, $8, $9))
  INSERT INTO ${table}_outbox (id, subject, aggregate_id, payload) VALUES ($10, 'events.pay-orders.order-created.v1', $11, $12)`;
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const payload = JSON.stringify({ data: 'x'.repeat(900) });

function insert() {
  const now = new Date().toISOString();
  const id = randomUUID();
  const terms = ['eip155:8453', 'USDC', address, '1000000', '5000', 'demo-merchant', now, now];
  return pool.query({ name: 'raw', text, values: [id, ...terms, randomUUID(), id, payload] });
}

process.on('message', async ({ inFlight, seconds }) =>
  process.send(await measure(insert, inFlight, seconds)),
);
process.send({ ready: true });
