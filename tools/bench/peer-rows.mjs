// The peer: the same two routes as a plain Nest application, which anyone would write with the documentation of Nest.
import { fileURLToPath } from 'node:url';
import { measureHttp, measurePacedHttp } from './http-load.mjs';
import { lazily } from './lazily.mjs';
import { connectOptions } from './nats-options.mjs';

const hook = fileURLToPath(new URL('../../libs/dev/testing/src/run-typescript.cjs', import.meta.url));
const schema = 'plain_nest';

/**
 * Starts the gateway and the service of the peer, with the orders of Tollbridge in its table.
 * @param deployment `natsUrl`, `databaseUrl` (superuser)
 * @param parts `spawn`; `admin`, a client of the superuser
 * @returns {Promise<string>} URL of the peer's gateway
 */
async function startPeer(deployment, { spawn, admin }) {
  await admin.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);
  const { noAsyncTraces: _, ...nats } = connectOptions(deployment.natsUrl);
  const settings = JSON.stringify({ nats, databaseUrl: deployment.databaseUrl, schema });
  const options = {
    execArgv: ['-r', 'reflect-metadata', '-r', hook],
    env: { ...process.env, NODE_ENV: 'production' },
  };
  await spawn('plain-nest/orders.ts', [settings], options);
  await admin.query(`INSERT INTO ${schema}.orders (id, status, pay_blockchain, pay_token, settle_chain, settle_token,
      merchant_address, merchant_amount, fee_receiver, fee_amount, merchant_id, payer_address, expires_at)
    SELECT id, status, pay_chain, pay_token, settle_chain, settle_token,
      merchant_address, merchant_amount, fee_receiver, fee_amount, merchant_id, payer_address, expires_at
    FROM pay_orders.orders`);
  await admin.query(`VACUUM (ANALYZE) ${schema}.orders`);
  return (await spawn('plain-nest/gateway.ts', [settings], options)).url;
}

/** @param {string} name of a row of Tollbridge @returns {string} the name of the peer's row */
export const ofPeer = (name) => `plain Nest: ${name}`;

/**
 * The rows of the peer, and Tollbridge's rows of one payer at a time, which are compared with it.
 * @param parts those of `startPeer`; `create`, the request that creates an order; `readOne`, which returns a request
 * that reads one; `key`
 * @returns {import('./run.mjs').Row[]}
 */
export function rowsOfPeer(deployment, { create, readOne, key, ...parts }) {
  // Other rows need no peer.
  const peer = lazily(() => startPeer(deployment, parts));
  const next = { 'create an order': () => create, 'read an order': readOne };
  const paced = [
    ['create an order', 150],
    ['read an order', 50],
  ].flatMap(([what, everyMs]) => {
    const name = `${what}, one every ${everyMs} ms`;
    const run = (origin) => async (_inFlight, seconds) =>
      measurePacedHttp(await origin(), next[what], everyMs, seconds, key);
    return [
      { name: ofPeer(name), levels: [1], run: run(peer) },
      { name, peer: ofPeer(name), levels: [1], run: run(() => deployment.gateway) },
    ];
  });
  const full = Object.entries(next).map(([name, request]) => ({
    name: ofPeer(name),
    run: async (inFlight, seconds) => measureHttp(await peer(), request, inFlight, seconds),
  }));
  return [...full, ...paced];
}
