// Orders: creating, reading and submitting payments of them, with the machine limits that all rows are compared with.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Redis } from 'ioredis';
import { fillOrders, orderIdOf, randomOrderId } from './filled-orders.mjs';
import { measureHttp, sendOnce } from './http-load.mjs';
import { measure } from './measure.mjs';
import { ofPeer, rowsOfPeer } from './peer-rows.mjs';

const { newKeyText } = createRequire(import.meta.url)('@tollbridge/api-keys');

const subject = 'bench.echo';
// More than any machine handles in a second. A row without remaining orders ends early.
const reportsPerSecond = 6_000;

/**
 * The reply of one order determines the size of the replies of the limits.
 * @param parts `spawn`, `nats`, `admin`; `orders`, number of orders in the table; `local`, the reply of `GET
 * /sandbox`
 */
export async function orderRows(deployment, parts) {
  const { spawn, admin, orders, local } = parts;
  await fillOrders(admin, orders);
  const key = local.merchant.secret;
  const create = orderRequest(local);
  const priced = pricedOrder(local);
  const order = (await sendOnce(deployment.gateway, { path: orderPath(orderIdOf(1)) }, key)).toString();
  await fillMinAmounts(deployment, admin);
  const countedKey = await makeCountedKey(admin, local.merchant.wallet);
  const viaHttp =
    (next, withKey = key) =>
    (n, s) =>
      measureHttp(deployment.gateway, next, n, s, withKey);
  const readOne = () => ({ path: orderPath(randomOrderId(orders)) });
  const table = `${orders.toLocaleString('en')} orders, random ids`;
  const peerRows = rowsOfPeer(deployment, { spawn, admin, create, readOne, key });
  const inserts = ['raw pg insert', 'raw pg insert, batched'];
  return [
    ...(await limitRows(deployment, parts, order)),
    ...peerRows,
    {
      name: 'read an order',
      of: 'raw Fastify GET',
      peer: ofPeer('read an order'),
      table,
      run: viaHttp(readOne),
    },
    { name: 'read an order, counted', of: 'raw Fastify GET', table, run: viaHttp(readOne, countedKey) },
    {
      name: 'create an order',
      of: inserts,
      peer: ofPeer('create an order'),
      table,
      sustained: { isDefault: true },
      run: viaHttp(() => create),
    },
    { name: 'create an order with a price', of: inserts, table, run: viaHttp(() => priced) },
    reportRow(deployment, { admin, create, key }),
    {
      name: 'create a payment request',
      of: inserts,
      sustained: {},
      run: viaHttp(() => paymentRequest(local)),
    },
    { name: 'min-amounts', of: 'raw Fastify GET', run: viaHttp(() => ({ path: '/api/v1/pay/min-amounts' })) },
  ];
}

const orderPath = (id) => `/api/v1/pay/order/${id}`;

async function limitRows(deployment, { spawn, nats }, order) {
  const fastify = await spawn('limits/fastify-server.mjs', [order]);
  await spawn('limits/nats-responder.mjs', [deployment.natsUrl, subject, order]);
  const insert = await spawn('limits/postgres-insert.mjs', [deployment.databaseUrl, 'bench.orders']);
  const viaInsert = (isBatched) => async (inFlight, seconds) => {
    insert.child.send({ inFlight, seconds, isBatched });
    return (await once(insert.child, 'message'))[0];
  };
  const { origin, pathname } = new URL(fastify.url);
  return [
    { name: 'raw Fastify GET', run: (n, s) => measureHttp(origin, () => ({ path: pathname }), n, s) },
    {
      name: 'raw NATS request/reply',
      run: (n, s) => measure(() => nats.request(subject, order, { timeout: 5000 }), n, s),
    },
    { name: 'raw pg insert', run: viaInsert(false) },
    { name: 'raw pg insert, batched', run: viaInsert(true) },
  ];
}

/** Each submission needs a separate order, so the row uses copies of an order that waits for its payment. */
function reportRow(deployment, { admin, create, key }) {
  const copied = `bench-${randomUUID()}`;
  let template;
  const copy = async (count) => {
    template ??= JSON.parse(await sendOnce(deployment.gateway, create, key)).order_id;
    const ids = Array.from({ length: count }, () => randomUUID());
    await admin.query(
      `INSERT INTO pay_orders.orders
       SELECT copy.* FROM (SELECT to_jsonb(o) AS made FROM pay_orders.orders o WHERE id = $1) one,
         unnest($2::uuid[]) id,
         jsonb_populate_record(NULL::pay_orders.orders, made || jsonb_build_object(
           'id', id, 'merchant_id', $3::text, 'expires_at', now() + interval '1 day')) copy`,
      [template, ids, copied],
    );
    return ids;
  };
  // The submitted transactions do not exist. Closing the orders prevents the workers from polling thousands of them.
  const close = () =>
    withoutDeadlock(() =>
      admin.query(
        `UPDATE pay_orders.orders SET status = 'expired', pay_tx = NULL, pay_tx_since = NULL
       WHERE merchant_id = $1 AND status IN ('settling', 'waiting_payment') AND paid_height IS NULL`,
        [copied],
      ),
    );
  const report = async (inFlight, seconds) => {
    const ids = await copy(Math.ceil(seconds * Math.min(reportsPerSecond, 1_500 * inFlight)));
    const next = () => {
      const id = ids.pop();
      const body = JSON.stringify({ tx_hash: `0x${randomBytes(32).toString('hex')}` });
      return id && { method: 'POST', path: `${orderPath(id)}/tx`, body };
    };
    return measureHttp(deployment.gateway, next, inFlight, seconds, key);
  };
  return {
    name: 'report a transaction',
    of: ['raw pg insert', 'raw pg insert, batched'],
    sustained: {},
    run: report,
    afterRun: close,
  };
}

/** The workers lock the same orders in another sequence, so PostgreSQL may end this update as a deadlock. */
async function withoutDeadlock(update) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await update();
    } catch (error) {
      if (error.code !== '40P01' || attempt === 5) throw error;
    }
  }
}

/** Returns the request that creates an order, paid on the chain that it settles on. */
export function orderRequest({ caip2, merchant, address }) {
  const order = {
    pay_blockchain: caip2,
    pay_token: 'USDC',
    settle_chain: caip2,
    settle_token: 'USDC',
    merchant_amount: '1000000',
    fee_amount: '5000',
    merchant_address: merchant.wallet,
    fee_receiver: address('fee_receiver'),
    payer_address: address('payer'),
    merchant_id: merchant.merchantId,
  };
  return { method: 'POST', path: '/api/v1/pay/create-order', body: JSON.stringify(order) };
}

/** Returns the request that creates the same order for a price in euros. */
function pricedOrder(local) {
  const { body, ...request } = orderRequest(local);
  const { merchant_amount: _amount, ...order } = JSON.parse(body);
  const price = { amount: '1.00', currency: 'EUR' };
  return { ...request, body: JSON.stringify({ ...order, price }) };
}

/** Returns the request that creates a payment request. */
export function paymentRequest({ caip2 }) {
  const request = { amount: '1000000', currency: 'USDC', chain: caip2, description: 'Two espressos' };
  return { method: 'POST', path: '/api/v1/merchant/payment-requests', body: JSON.stringify(request) };
}

/** Adds a row for each token that a payer can use. With an empty list, the measurement would be too fast. */
async function fillMinAmounts({ gateway, redisUrl }, admin) {
  const wanted = 78;
  await admin.query(
    `INSERT INTO pay_orders.min_amounts (blockchain, token, settle_chain, settle_token, min_settle_amount, min_usd, updated_at)
     SELECT 'bench', 'TOKEN' || n, 'eip155:8453', 'USDC', 5000000, 5, now() FROM generate_series(1, $1) n
     ON CONFLICT DO NOTHING`,
    [wanted],
  );
  // Replicas read the list from Redis after each round of probes, and this list lacks the new rows.
  const redis = new Redis(redisUrl);
  await redis.del('pay-orders:min-amounts').finally(() => redis.disconnect());
  const count = async () => JSON.parse(await sendOnce(gateway, { path: '/api/v1/pay/min-amounts' })).count;
  // Every replica reloads the list within 15 seconds.
  const endMs = performance.now() + 30_000;
  while ((await count()) < wanted) {
    if (performance.now() > endMs) throw new Error('the minimum amounts did not appear');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Creates a publishable key with a rate limit that is never reached, because the demo key has no limit. */
async function makeCountedKey(admin, owner) {
  const key = newKeyText('test', 'publishable');
  const digest = createHash('sha256').update(key).digest();
  await admin.query(
    `INSERT INTO merchant.api_keys (id, owner, label, key, key_digest, secret_hash, permissions, plan, per_minute, burst,
       environment, created_at, updated_at)
     VALUES ($1, $2, 'bench', $3, $4, $5, '{read}', 'enterprise', 50000000, 50000000, 'sandbox', now(), now())`,
    [randomUUID(), owner, key, digest, randomBytes(32)],
  );
  return key;
}
