import { orderEvents, type OrderChanged } from '@tollbridge/contracts';
import {
  BusConnection,
  EventConsumer,
  eventDecoder,
  EventVerifier,
  readIdentityDirectory,
  ServiceIdentity,
  wantedConsumer,
  type EventEnvelope,
} from '@tollbridge/rpc';
import { handleBatchOnce } from '@tollbridge/database';
import { eventually } from '@tollbridge/testing';
import type { JetStreamManager } from 'nats';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import { Holdings } from './holdings';
import { Api } from './http';
import { LoadAcross } from './load-across';
import { Payer } from './payer';
import { PayerAcross } from './payer-across';
import { Harness, startTimeoutMs } from './harness';

const victims = ['pay-orders', 'gateway', 'nats', 'postgres', 'sandbox'];
// `npm run kill:orders` kills far more often.
const killsEach = 2;
// Printed, so that KILL_SEED can repeat a failed run.
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 31);

/** Orders with an acknowledged creation, and their payments. */
const acknowledged = new Map<string, { paidBy?: string }>();

let harness: Harness;
let database: Pool;
let payer: Payer;
let payerAcross: PayerAcross;
let across: LoadAcross;
let holdings: Holdings;
let consumer: EventConsumer<OrderChanged>;
const decode = eventDecoder(Object.values(orderEvents));
let bus: BusConnection;
let events: BusConnection;
let streams: JetStreamManager;

async function openBus(): Promise<void> {
  bus = await BusConnection.open({ app: 'operator', url: harness.state.urls.nats });
  events = await bus.openEvents();
  streams = await events.jetstreamManager();
}

async function closeBus(): Promise<void> {
  await events?.close();
  await bus?.close();
}

/** A consumer of another team, with its own NATS user and identity: those of the operator. */
async function consume(): Promise<EventConsumer<OrderChanged>> {
  await streams.consumers.add('PAY_ORDERS', wantedConsumer({ name: 'operator-kill-test' }));
  const directory = readIdentityDirectory(readFileSync(join(harness.directory, 'identities.json'), 'utf8'));
  const { operator } = harness.state.passwords.identities;
  return new EventConsumer<OrderChanged>(bus, {
    source: 'pay-orders',
    purpose: 'kill-test',
    verifier: new EventVerifier(new ServiceIdentity('operator', [operator!], directory)),
    decode,
    handle: effect,
    onDead: async () => undefined,
  });
}

beforeAll(async () => {
  process.stdout.write(`KILL_SEED=${seed}\n`);
  harness = await Harness.start({ PAY_ORDERS_EVENT_RECEIVERS: 'operator' });
  const api = await Api.at(harness.gateway);
  payer = await Payer.in(api);
  payerAcross = await PayerAcross.in(api);
  across = new LoadAcross(payerAcross, query);
  const { origin, destination } = payerAcross;
  const accounts = ['payer', 'merchant', 'fee_receiver', 'solver'].map(
    (role) => payerAcross.account(role).address,
  );
  holdings = await Holdings.of([origin, destination], accounts);
  database = new Pool({
    connectionString: harness.state.urls.postgres.replace(/\/postgres$/, '/tollbridge'),
    max: 4,
  });
  database.on('error', () => undefined);
  await database.query(`CREATE SCHEMA e2e;
    CREATE TABLE e2e.inbox (consumer text, event_id uuid, PRIMARY KEY (consumer, event_id));
    CREATE TABLE e2e.effects (event_id uuid, order_id text, type text)`);
  const onConnect = 'ALTER ROLE postgres IN DATABASE tollbridge SET search_path = e2e, pay_orders';
  await database.query(onConnect);
  await openBus();
  consumer = await consume();
  consumer.start();
}, startTimeoutMs);

afterAll(async () => {
  payer?.close();
  payerAcross?.close();
  await consumer?.stop();
  await closeBus();
  await database?.end();
  await harness?.remove();
});

/** A consumer as in other services: its effect is a row, which must exist once per event. */
async function effect(events: readonly EventEnvelope[]): Promise<void> {
  await handleBatchOnce(database, 'kill-test', events, async (fresh, client) => {
    await client.query('INSERT INTO e2e.effects SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])', [
      fresh.map(({ id }) => id),
      fresh.map(({ aggregateId }) => aggregateId),
      fresh.map(({ type }) => type),
    ]);
  });
}

describe(`kill -9 of ${victims.join(', ')}, each ${killsEach} times under load`, () => {
  it('loses no acknowledged write, settles every paid order, publishes every event once', async () => {
    const load = new AbortController();
    const loads = [
      ...[1, 2, 3].map(() => keepPaying(load.signal)),
      ...[1, 2, 3, 4].map(() => across.keepPaying(load.signal)),
    ];
    try {
      for (const victim of shuffled(victims.flatMap((name) => Array<string>(killsEach).fill(name))))
        await kill(victim);
      // The number of payments between the kills depends on their order.
      await eventually(() =>
        expect([paidOrders().length > 50, across.paid.length > 10]).toEqual([true, true]),
      );
    } finally {
      // Also after a failure: running loads would prevent the end of the test.
      load.abort();
      await Promise.allSettled(loads);
    }
    await Promise.all(loads);
    await everyPaidOrderSettles();
    await across.everyPaidOrderSettles();
    await everyAcknowledgedWriteIsThere();
    await across.everyAcknowledgedOrderHasItsAddress();
    await across.everyMintedAddressIsAccountedFor();
    await everyEventHappenedOnce();
    holdings.add(...(await across.owners()));
    await holdings.expectSame();
  }, 420_000);

  it('rebuilds the stream from the outbox after its storage was deleted', async () => {
    await consumer.stop();
    await closeBus();
    expect(await harness.stop()).toBe(0);
    await rm(join(harness.directory, 'nats'), { recursive: true });
    await harness.start();
    await openBus();
    await eventually(
      async () => {
        const { rows } = await query<{ count: string }>('SELECT count(*) FROM pay_orders.outbox');
        expect((await streams.streams.info('PAY_ORDERS')).state.messages).toBe(Number(rows[0]!.count));
      },
      { timeoutMs: 30_000, everyMs: 250 },
    );
    consumer = await consume();
    consumer.start();
    // The new consumer receives all events again: each must have only one effect.
    await eventually(
      async () => {
        const info = await streams.consumers.info('PAY_ORDERS', 'operator-kill-test');
        expect(info.num_pending + info.num_ack_pending).toBe(0);
      },
      { timeoutMs: 60_000, everyMs: 250 },
    );
    await everyEventHappenedOnce();
  });
});

/** Creates orders and pays every second one. Submits half of the payments. The kills cause failures. */
async function keepPaying(signal: AbortSignal): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    const created = await payer.createOrder().catch(() => undefined);
    if (created?.status !== 200) {
      if (created) expect(created.status).toBeGreaterThanOrEqual(500);
      await pause(50);
      continue;
    }
    const id: string = created.body.order_id;
    acknowledged.set(id, {});
    if (round % 2 === 0) continue;
    const hash = await payer.pay(created.body);
    acknowledged.set(id, { paidBy: hash });
    if (round % 4 === 1) await payer.report(id, hash).catch(() => undefined);
    await pause(20);
  }
}

/**
 * Kills a process without warning and waits until the supervisor has replaced it. The other processes must survive: a
 * service that ends with its bus or database would end its callers too.
 */
async function kill(victim: string): Promise<void> {
  const before = harness.state.pids;
  process.kill(before[victim]!, 'SIGKILL');
  await eventually(
    async () => {
      expect(Object.keys(harness.state.pids).sort()).toEqual(Object.keys(before).sort());
      expect(harness.state.pids[victim]).not.toBe(before[victim]);
      expect((await fetch(`${harness.gateway}/health/ready`)).status).toBe(200);
      for (const app of ['pay-orders', 'sandbox'])
        expect((await fetch(`${harness.state.urls.management[app]}/health/ready`)).status).toBe(200);
    },
    { timeoutMs: 30_000, everyMs: 50 },
  );
  expect({ ...harness.state.pids, [victim]: 0 }).toEqual({ ...before, [victim]: 0 });
  await pause(random() * 400);
}

const paidOrders = () => [...acknowledged].filter(([, { paidBy }]) => paidBy !== undefined);

async function everyPaidOrderSettles(): Promise<void> {
  const paid = paidOrders();
  process.stdout.write(`${acknowledged.size} orders were acknowledged, ${paid.length} of them paid\n`);
  await eventually(
    async () => {
      const { rows } = await query<{ id: string; status: string; settle_tx: string }>(
        'SELECT id, status, settle_tx FROM pay_orders.orders WHERE id = ANY($1::uuid[])',
        [paid.map(([id]) => id)],
      );
      const settled = new Map(
        rows.filter(({ status }) => status === 'settled').map(({ id, settle_tx }) => [id, settle_tx]),
      );
      expect(paid.filter(([id, { paidBy }]) => settled.get(id) !== paidBy)).toEqual([]);
    },
    { timeoutMs: 90_000, everyMs: 500 },
  );
}

async function everyAcknowledgedWriteIsThere(): Promise<void> {
  const { rows } = await query<{ id: string }>('SELECT id FROM pay_orders.orders');
  const stored = new Set(rows.map(({ id }) => id));
  expect([...acknowledged.keys()].filter((id) => !stored.has(id))).toEqual([]);
}

async function everyEventHappenedOnce(): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await query<{ lost: string; doubled: string }>(`SELECT
        (SELECT count(*) FROM pay_orders.outbox o WHERE NOT EXISTS (SELECT FROM e2e.effects e WHERE e.event_id = o.id)) AS lost,
        (SELECT count(*) - count(DISTINCT event_id) FROM e2e.effects) AS doubled`);
      expect(rows[0]).toEqual({ lost: '0', doubled: '0' });
    },
    { timeoutMs: 60_000, everyMs: 500 },
  );
  // Without reorganisations each order is created and settled at most once. It is settling at most twice: submitted,
  // then seen.
  const { rows } = await query(`SELECT order_id, type, count(*) FROM e2e.effects GROUP BY 1, 2
    HAVING count(*) > CASE type WHEN 'order-settling' THEN 2 ELSE 1 END`);
  expect(rows).toEqual([]);
  const { rows: settled } =
    await query(`SELECT id FROM pay_orders.orders o WHERE status = 'settled' AND NOT EXISTS (
    SELECT FROM e2e.effects e WHERE e.order_id = o.id::text AND e.type = 'order-settled')`);
  expect(settled).toEqual([]);
}

/** The database may be restarting. */
async function query<Row extends object>(text: string, values: unknown[] = []): Promise<{ rows: Row[] }> {
  return eventually(() => database.query<Row>(text, values), { timeoutMs: 20_000, everyMs: 100 });
}

let state = seed;
/** A small linear congruential generator: the same seed kills in the same order. */
function random(): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return state / 0x80000000;
}

function shuffled<T>(list: T[]): T[] {
  return list
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
