// The peer: the same two routes as a plain Nest application, which anyone would write with the documentation of Nest.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { orderIdOf } from './filled-orders.mjs';
import { measureHttp, measurePacedHttp } from './http-load.mjs';
import { connectOptions } from './nats-options.mjs';

const hook = fileURLToPath(new URL('../../libs/dev/testing/src/run-typescript.cjs', import.meta.url));
const database = 'plain_nest';

/**
 * Starts the gateway and the service of the peer, with as many orders in its table as Tollbridge has.
 * @param deployment `natsUrl`, `databaseUrl` (superuser)
 * @param parts `admin`, a client of the superuser; `orders`, number of orders in the table; `atEnd`
 * @returns {Promise<string>} URL of the peer's gateway
 */
async function startPeer(deployment, { admin, orders, atEnd }) {
  await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${database}`);
  const url = new URL(deployment.databaseUrl);
  url.pathname = `/${database}`;
  const { noAsyncTraces: _traces, ...nats } = connectOptions(deployment.natsUrl);
  const settings = JSON.stringify({ nats, database: url.href });
  const start = async (file) => {
    const path = fileURLToPath(new URL(`plain-nest/${file}`, import.meta.url));
    const options = {
      execArgv: ['-r', 'reflect-metadata', '-r', hook],
      env: { ...process.env, NODE_ENV: 'production' },
    };
    const child = fork(path, [settings], { ...options, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    atEnd(() => child.kill());
    const gone = once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`${file} ended with ${code}`)),
    );
    return Promise.race([once(child, 'message'), gone]).then(([message]) => message);
  };
  await start('orders.ts');
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await fill(client, orders);
  await client.end();
  return (await start('gateway.ts')).url;
}

/** Orders with the ids of `orderIdOf`, of as many payers and merchants as those of `fillOrders`. */
async function fill(client, orders) {
  await client.query(
    `INSERT INTO orders
    SELECT overlay(overlay(md5('order ' || n) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid, 'settled',
      'optimism', 'USDC', 'optimism', 'USDC', '0x' || left(encode(sha256(('merchant ' || n % 1000)::bytea), 'hex'), 40),
      1000000 + n % 500000 * 100, '0x' || repeat('3', 40), 5000, 'shop-' || n % 1000,
      '0x' || left(encode(sha256(('payer ' || n::bigint * 7919 % 50000)::bytea), 'hex'), 40),
      now(), now(), now()
    FROM generate_series(1, ${Number(orders)}) n`,
  );
  const { rowCount } = await client.query('SELECT 1 FROM orders WHERE id = $1', [orderIdOf(1)]);
  if (rowCount !== 1) throw new Error('the orders of the peer have other ids');
  await client.query('VACUUM (ANALYZE) orders');
}

export const ofPeer = (name) => `plain Nest: ${name}`;

/**
 * The rows of the peer, and Tollbridge's rows of one payer at a time, which are compared with it.
 * @param parts those of `startPeer`; `create`, the request that creates an order; `readOne`, which returns a request
 * that reads one; `key`
 * @returns {Promise<import('./run.mjs').Row[]>}
 */
export async function rowsOfPeer(deployment, { create, readOne, key, ...parts }) {
  const peer = await startPeer(deployment, parts);
  const next = { 'create an order': () => create, 'read an order': readOne };
  const paced = [
    ['create an order', 150],
    ['read an order', 50],
  ].flatMap(([what, everyMs]) => {
    const name = `${what}, one every ${everyMs} ms`;
    const run = (origin) => (_inFlight, seconds) =>
      measurePacedHttp(origin, next[what], everyMs, seconds, key);
    return [
      { name: ofPeer(name), levels: [1], run: run(peer) },
      { name, peer: ofPeer(name), levels: [1], run: run(deployment.gateway) },
    ];
  });
  const full = Object.entries(next).map(([name, request]) => ({
    name: ofPeer(name),
    run: (inFlight, seconds) => measureHttp(peer, request, inFlight, seconds),
  }));
  return [...full, ...paced];
}
