// Fills the orders table and the tables of the insert limits before the measurements.
import { createHash, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

const fill = new URL('fill-orders.sql', import.meta.url);

/**
 * Fills `pay_orders.orders`, and creates the tables of the insert limits with as many rows.
 * @param admin a superuser of the database
 * @param count number of orders
 */
export async function fillOrders(admin, count) {
  const addressOf = (text) => `'0x' || left(encode(sha256((${text})::bytea), 'hex'), 40)`;
  const statement = readFileSync(fill, 'utf8')
    .replaceAll('{orders}', String(count))
    .replace(/address\(([^)]+)\)/g, (_, text) => addressOf(text));
  await admin.query(statement);
  await admin.query(`CREATE SCHEMA IF NOT EXISTS bench;
    DROP TABLE IF EXISTS bench.orders_outbox, bench.orders;
    CREATE TABLE bench.orders (LIKE pay_orders.orders INCLUDING ALL);
    CREATE TABLE bench.orders_outbox (LIKE pay_orders.outbox INCLUDING ALL);
    INSERT INTO bench.orders SELECT * FROM pay_orders.orders`);
  // Otherwise, the first reads would write hint bits, and the first writes would wait for the checkpoint of the fill.
  await admin.query('VACUUM (ANALYZE) pay_orders.orders, bench.orders');
  await admin.query('CHECKPOINT');
}

/** @returns the id of a random filled order, with uniform distribution */
export const randomOrderId = (count) => orderIdOf(randomInt(1, count + 1));

/** Returns the id that fill-orders.sql assigns to order `n`. */
export function orderIdOf(n) {
  const hex = createHash('md5').update(`order ${n}`).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ];
  return parts.join('-');
}
