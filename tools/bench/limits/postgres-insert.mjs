// Limit 3: an order and its outbox row in one durable transaction. A `pg` pool inserts them directly, singly or in
// batches, in a separate process.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { measure } from '../measure.mjs';

const [url, table] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 20 });
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const payload = JSON.stringify({ data: 'x'.repeat(900) });
// The same batch sizes as in the product.
const maxGroup = 128;
const maxConcurrent = 3;

/** Columns of the order that differ between rows, or need the type of the parameter. */
const columns = [
  ['id', 'uuid'],
  ['pay_chain', 'text'],
  ['pay_token', 'text'],
  ['settle_chain', 'text'],
  ['settle_token', 'text'],
  ['merchant_address', 'text'],
  ['merchant_amount', 'numeric'],
  ['fee_receiver', 'text'],
  ['fee_amount', 'numeric'],
  ['merchant_id', 'text'],
  ['payer_address', 'text'],
  ['contract_address', 'text'],
  ['token_in_address', 'text'],
  ['created_at', 'timestamptz'],
  ['updated_at', 'timestamptz'],
  ['expires_at', 'timestamptz'],
];
const names = columns.map(([name]) => name).join(', ');
const outbox = `INSERT INTO ${table}_outbox (id, subject, aggregate_id, payload)`;
const subject = `'events.pay-orders.order-created.v1'`;

function newRow() {
  const now = new Date().toISOString();
  const terms = ['eip155:8453', 'USDC', 'eip155:8453', 'USDC', address, '1000000', address, '5000'];
  return [randomUUID(), ...terms, 'demo-merchant', address, address, address, now, now, now];
}

const singleText = `
  WITH o AS (
    INSERT INTO ${table} (${names}, status, method)
    VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')}, 'waiting_payment', 'Direct'))
  ${outbox} VALUES ($${columns.length + 1}, ${subject}, $${columns.length + 2}, $${columns.length + 3})`;

function insertOne() {
  const row = newRow();
  return pool.query({ name: 'single', text: singleText, values: [...row, randomUUID(), row[0], payload] });
}

const batchText = `
  WITH given AS (
    SELECT * FROM unnest(${columns.map(([, type], at) => `$${at + 1}::${type}[]`).join(', ')},
      $${columns.length + 1}::uuid[], $${columns.length + 2}::json[]) AS g (${names}, event_id, payload)
  ), o AS (
    INSERT INTO ${table} (${names}, status, method) SELECT ${names}, 'waiting_payment', 'Direct' FROM given)
  ${outbox} SELECT event_id, ${subject}, id::text, payload FROM given`;

let waiting = [];
let running = 0;

/** Resolves when the statement with this row is committed. */
function insertInGroup() {
  return new Promise((resolve, reject) => {
    waiting.push({ row: newRow(), resolve, reject });
    startNext();
  });
}

function startNext() {
  if (running >= maxConcurrent || waiting.length === 0) return;
  running++;
  // Further rows of this turn join the batch before it is sent.
  setImmediate(() => void insertGroup());
}

async function insertGroup() {
  const group = waiting.splice(0, maxGroup);
  try {
    if (group.length > 0) await insertRows(group.map(({ row }) => row));
    for (const { resolve } of group) resolve();
  } catch (error) {
    for (const { reject } of group) reject(error);
  } finally {
    running--;
    startNext();
  }
}

function insertRows(rows) {
  const values = columns.map((_, at) => rows.map((row) => row[at]));
  return pool.query({
    name: 'batch',
    text: batchText,
    values: [...values, rows.map(() => randomUUID()), rows.map(() => payload)],
  });
}

process.on('message', async ({ inFlight, seconds, isBatched }) =>
  process.send(await measure(isBatched ? insertInGroup : insertOne, inFlight, seconds)),
);
process.send({ ready: true });
