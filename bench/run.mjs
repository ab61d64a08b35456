// Measures our routes beside the limits of the same machine, in the same run, in turns.
import { fork } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { connect } from 'nats';
import pg from 'pg';
import { catalogRows } from './catalog-rows.mjs';
import { dashboardRows } from './dashboard-rows.mjs';
import { Connections, measureHttp } from './http-load.mjs';
import { measure, median } from './measure.mjs';
import { connectOptions } from './nats-options.mjs';
import { keyRows } from './key-rows.mjs';
import { payerRows } from './payer-rows.mjs';
import { streamRows } from './stream-rows.mjs';
import { swapRows } from './swap-rows.mjs';
import { waitingRows } from './waiting-rows.mjs';
import { webhookRows } from './webhook-rows.mjs';

const { newKeyText } = createRequire(import.meta.url)('@tollbridge/api-keys');

const levels = [1, 16, 64];
const subject = 'bench.echo';

const local = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * @param world gateway, streamUrl, natsUrl (a user with all rights), databaseUrl (superuser), pids by name
 * @param options rounds, seconds per measurement, and `only`: a part of the names of the rows that are wanted
 */
export async function runBench(world, options, progress) {
  const children = [];
  const endings = [];
  const atEnd = (close) => endings.push(close);
  const spawn = async (file, args) => {
    const child = fork(local(file), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    children.push(child);
    const [message] = await once(child, 'message');
    return { child, ...message };
  };
  const idleMemory = memoryOf(world.pids);
  const admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
  const nats = await connect(connectOptions(world.natsUrl));
  try {
    let sockets = null;
    const stream = streamRows(world, {
      ...{ spawn, nats, admin, report: (found) => (sockets = found) },
      memory: () => memoryOf({ stream: world.pids.stream }).stream,
    });
    const rows = chosen(
      [...(await prepareRows(world, { spawn, nats, admin, atEnd })), ...stream],
      options.only,
    );
    const results = await takeTurns(rows, options, progress);
    return {
      date: new Date().toISOString(),
      ...options,
      rows: table(results),
      sockets,
      memory: memoryTable(idleMemory, memoryOf(world.pids)),
    };
  } finally {
    for (const close of endings) await close();
    await admin.end();
    await nats.close();
    for (const child of children) child.kill();
  }
}

/** The rows of that name, and the limits that they are compared with. */
function chosen(rows, only = '') {
  const wanted = rows.filter(({ name }) => name.includes(only));
  if (wanted.length === 0) throw new Error(`no row has ${only} in its name`);
  return rows.filter((row) => wanted.includes(row) || wanted.some(({ of }) => of === row.name));
}

async function prepareRows(world, { spawn, nats, admin, atEnd }) {
  const local = await localWorld(world.gateway);
  const create = orderRequest(local);
  // The demo key has no limit; the other is counted, by a limit that is never reached.
  const key = local.merchant.secret;
  const countedKey = await makeCountedKey(admin, local.merchant.wallet);
  const measureRoute = (origin, next, inFlight, seconds) => measureHttp(origin, next, inFlight, seconds, key);
  const one = JSON.parse(await sendOnce(world.gateway, create)).order_id;
  const order = (await sendOnce(world.gateway, { path: `/api/v1/pay/order/${one}` })).toString();
  await fillMinAmounts(world.gateway, admin);
  const fastify = await spawn('limits/fastify-server.mjs', [order]);
  await spawn('limits/nats-responder.mjs', [world.natsUrl, subject, order]);
  const insert = await spawn('limits/postgres-insert.mjs', [world.databaseUrl, 'bench.orders']);
  const viaInsert = async (inFlight, seconds) => {
    insert.child.send({ inFlight, seconds });
    return (await once(insert.child, 'message'))[0];
  };
  const { origin, pathname } = new URL(fastify.url);
  return [
    { name: 'raw Fastify GET', run: (n, s) => measureHttp(origin, () => ({ path: pathname }), n, s) },
    {
      name: 'raw NATS request/reply',
      run: (n, s) => measure(() => nats.request(subject, order, { timeout: 5000 }), n, s),
    },
    { name: 'raw pg insert', run: viaInsert },
    {
      name: 'read an order',
      of: 'raw Fastify GET',
      run: (n, s) => measureRoute(world.gateway, () => ({ path: `/api/v1/pay/order/${one}` }), n, s),
    },
    {
      name: 'read an order, counted',
      of: 'raw Fastify GET',
      run: (n, s) =>
        measureHttp(world.gateway, () => ({ path: `/api/v1/pay/order/${one}` }), n, s, countedKey),
    },
    {
      name: 'create an order',
      of: 'raw pg insert',
      run: (n, s) => measureRoute(world.gateway, () => create, n, s),
    },
    {
      name: 'report a transaction',
      of: 'raw pg insert',
      run: (n, s) => measureReports({ ...world, key }, admin, create, n, s),
    },
    {
      name: 'min-amounts',
      of: 'raw Fastify GET',
      run: (n, s) => measureRoute(world.gateway, () => ({ path: '/api/v1/pay/min-amounts' }), n, s),
    },
    ...keyRows(key, (subject, json) => nats.request(subject, json, { timeout: 5000 })).map(
      ({ check, ...row }) => ({ ...row, run: (n, s) => measure(check, n, s) }),
    ),
    ...(await payerRows(world.gateway, local.address('payer'), {
      measureHttp: measureRoute,
      send: sendOnce,
    })),
    ...(await swapRows(world.gateway, local.sandbox, {
      measureHttp: measureRoute,
      send: (gateway, request) => sendOnce(gateway, request, key),
    })),
    ...(await webhookRows(world, { spawn, admin })),
    ...dashboardRows(world, { admin, atEnd }),
    ...catalogRows(world.gateway, {
      ...{ admin, measureHttp: measureRoute },
      send: (gateway, request) => sendOnce(gateway, request, key),
    }),
    ...waitingRows(world, { nats, admin }),
  ];
}

/** As many as there are tokens to pay with: an empty list would be answered faster than any real one. */
async function fillMinAmounts(gateway, admin) {
  const wanted = 78;
  await admin.query(
    `INSERT INTO pay_orders.min_amounts (blockchain, token, settle_chain, settle_token, min_settle_amount, min_usd, updated_at)
     SELECT 'bench', 'TOKEN' || n, 'eip155:8453', 'USDC', 5000000, 5, now() FROM generate_series(1, $1) n
     ON CONFLICT DO NOTHING`,
    [wanted],
  );
  const count = async () => JSON.parse(await sendOnce(gateway, { path: '/api/v1/pay/min-amounts' })).count;
  // Every replica reads the list anew within 15 seconds.
  const endMs = performance.now() + 30_000;
  while ((await count()) < wanted) {
    if (performance.now() > endMs) throw new Error('the minimum amounts did not appear');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Every report needs an order of its own: they are made first, and put aside afterwards so that nobody follows them. */
async function measureReports(world, admin, create, inFlight, seconds) {
  const wanted = Math.ceil(seconds * (inFlight === 1 ? 1_500 : 6_000));
  const connections = new Connections(world.gateway, 64, world.key);
  const ids = [];
  const fill = async () => {
    while (ids.length < wanted) ids.push(JSON.parse(await connections.send(create)).order_id);
  };
  await Promise.all(Array.from({ length: 64 }, fill));
  connections.close();
  const next = () => {
    const id = ids.pop();
    if (!id) throw new Error('too few orders were prepared');
    return {
      method: 'POST',
      path: `/api/v1/pay/order/${id}/tx`,
      body: JSON.stringify({ tx_hash: `0x${randomBytes(32).toString('hex')}` }),
    };
  };
  const result = await measureHttp(world.gateway, next, inFlight, seconds, world.key);
  await admin.query(`WITH made AS (
      SELECT id FROM pay_orders.orders WHERE status IN ('settling', 'waiting_payment') AND paid_height IS NULL ORDER BY id FOR UPDATE)
    UPDATE pay_orders.orders o SET status = 'expired', pay_tx = NULL FROM made WHERE o.id = made.id`);
  return result;
}

/** Its publishable half, which is stored as it is; nobody has its secret. */
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

async function localWorld(gateway) {
  const sandbox = JSON.parse(await sendOnce(gateway, { path: '/sandbox' }));
  const { chains, accounts, merchant } = sandbox;
  const address = (role) => accounts.find((account) => account.role === role).address;
  return { caip2: chains[0].caip2, merchant, address, sandbox };
}

function orderRequest({ caip2, merchant, address }) {
  const terms = {
    pay_blockchain: caip2,
    pay_token: 'USDC',
    settle_chain: caip2,
    settle_token: 'USDC',
    merchant_amount: '1000000',
    fee_amount: '5000',
  };
  const parties = {
    merchant_address: merchant.wallet,
    fee_receiver: address('fee_receiver'),
    payer_address: address('payer'),
    merchant_id: merchant.merchantId,
  };
  return { method: 'POST', path: '/api/v1/pay/create-order', body: JSON.stringify({ ...terms, ...parties }) };
}

async function sendOnce(origin, request, key) {
  const connections = new Connections(origin, 1, key);
  try {
    return await connections.send(request);
  } finally {
    connections.close();
  }
}

/** A B C A B C …: the machine's speed drifts, and all rows drift with it. */
async function takeTurns(rows, { rounds, seconds }, progress) {
  const taken = rows.map((row) => ({
    ...row,
    samples: Object.fromEntries(levelsOf(row).map((level) => [level, []])),
  }));
  for (let round = 0; round <= rounds; round++) {
    for (const level of levels) {
      for (const row of taken.filter((each) => levelsOf(each).includes(level))) {
        // The first round only warms up.
        const sample = await row.run(level, round === 0 ? Math.min(1, seconds) : seconds);
        if (sample.failures > 0) throw new Error(`${row.name}: ${sample.failures} calls failed`);
        if (round > 0) row.samples[level].push(sample);
        progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`, row.name, level);
      }
    }
  }
  return taken;
}

const levelsOf = (row) => row.levels ?? levels;

function table(rows) {
  return rows.flatMap(({ name, of, samples, ...row }) =>
    levelsOf(row).map((level) => {
      const figure = (key) => median(samples[level].map((sample) => sample[key]));
      const limit = rows.find((row) => row.name === of);
      // Paired by round, so that a slow moment counts for both.
      const ratio =
        limit &&
        median(samples[level].map((sample, round) => sample.rate / limit.samples[level][round].rate));
      return {
        row: name,
        inFlight: level,
        rate: figure('rate'),
        p50: figure('p50'),
        p99: figure('p99'),
        of: of ?? null,
        ratio: ratio ?? null,
      };
    }),
  );
}

function memoryOf(pids) {
  const resident = (pid) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, resident(pid)]));
}

function memoryTable(idle, loaded) {
  return Object.keys(idle).map((name) => ({
    process: name,
    idleMb: Math.round(idle[name]),
    afterMb: Math.round(loaded[name]),
  }));
}
