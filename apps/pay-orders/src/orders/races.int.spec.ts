import type { CreateOrderReply } from '@tollbridge/contracts';
import { eventually, ManualClock } from '@tollbridge/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { PayOrders } from '../testing/pay-orders';
import { OrderExpiry } from './orders.worker';

const dayMs = 24 * 60 * 60 * 1000;
let madeHashes = 0;
const newHash = (): string => `0x${(++madeHashes).toString(16).padStart(64, '0')}`;
const count = (outcomes: string[], outcome: string): number => outcomes.filter((it) => it === outcome).length;

describe('concurrent reports', () => {
  const clock = new ManualClock();
  let harness: PayOrders;

  beforeAll(async () => {
    harness = await PayOrders.start({ clock, lifetimeSeconds: 1 });
    // The chain has passed every later deadline, so only the clock decides which orders expire.
    await harness.chain.anvil.mineAt(Math.floor((clock.now() + 30 * dayMs) / 1000));
    await harness.caughtUp();
  });
  afterAll(() => harness?.close());

  const claims = async (id: string) =>
    harness.database.query<{ tx_hash: string }>('SELECT tx_hash FROM tx_claims WHERE order_id = $1', [id]);

  it('accept one of 50 reports of one transaction for one order, with one event', async () => {
    const { order_id: id } = await harness.createOrder();
    const hash = newHash();

    const outcomes = await Promise.all(Array.from({ length: 50 }, () => harness.report(id, hash)));

    expect([count(outcomes, 'settling'), count(outcomes, 'ORDER_NOT_WAITING')]).toEqual([1, 49]);
    expect(await harness.eventsOf(id)).toEqual(['order-created', 'order-settling']);
  });

  it('store the accepted one of 50 transactions for one order', async () => {
    const { order_id: id } = await harness.createOrder();
    const hashes = Array.from({ length: 50 }, newHash);

    const outcomes = await Promise.all(hashes.map((hash) => harness.report(id, hash)));

    expect([count(outcomes, 'settling'), count(outcomes, 'ORDER_NOT_WAITING')]).toEqual([1, 49]);
    const taken = hashes[outcomes.indexOf('settling')]!;
    expect(await harness.getOrder(id)).toMatchObject({ status: 'settling', pay_tx: taken });
    // Rejected transactions remain available for other orders.
    expect(await claims(id)).toEqual([{ tx_hash: taken }]);
    const { order_id: other } = await harness.createOrder();
    expect(
      await harness.report(
        other,
        hashes.find((hash) => hash !== taken)!,
      ),
    ).toBe('settling');
  });

  it('let one of 50 orders claim a transaction, and the other 49 are rejected and still wait', async () => {
    const orders = await Promise.all(Array.from({ length: 50 }, () => harness.createOrder()));
    const hash = newHash();

    const outcomes = await Promise.all(orders.map(({ order_id: id }) => harness.report(id, hash)));

    expect([count(outcomes, 'settling'), count(outcomes, 'TX_ALREADY_REPORTED')]).toEqual([1, 49]);
    const views = await Promise.all(orders.map(({ order_id: id }) => harness.getOrder(id)));
    const statuses = views.map(({ status }) => status);
    expect([count(statuses, 'settling'), count(statuses, 'waiting_payment')]).toEqual([1, 49]);
  });

  it("accept the payer's own report after a concurrent wrong one, 20 times", async () => {
    const claimed = newHash();
    expect(await harness.report((await harness.createOrder()).order_id, claimed)).toBe('settling');
    for (let round = 0; round < 20; round++) {
      const { order_id: id } = await harness.createOrder();
      const own = newHash();

      const outcomes = await Promise.all([claimed, own, claimed].map((hash) => harness.report(id, hash)));

      expect(outcomes[1]).toBe('settling');
      for (const outcome of [outcomes[0], outcomes[2]])
        expect(['TX_ALREADY_REPORTED', 'ORDER_NOT_WAITING']).toContain(outcome);
      expect(await harness.getOrder(id)).toMatchObject({ status: 'settling', pay_tx: own });
      expect(await harness.eventsOf(id)).toEqual(['order-created', 'order-settling']);
    }
  });

  it('do not deadlock when two orders receive each other’s transaction, 50 times', async () => {
    for (let round = 0; round < 50; round++) {
      const [first, second] = await Promise.all([harness.createOrder(), harness.createOrder()]);
      const [one, two] = [newHash(), newHash()];

      const outcomes = await Promise.all([
        harness.report(first!.order_id, one),
        harness.report(second!.order_id, two),
        harness.report(first!.order_id, two),
        harness.report(second!.order_id, one),
      ]);

      expect(count(outcomes, 'settling')).toBeGreaterThanOrEqual(1);
      expect(
        outcomes.filter((it) => !['settling', 'ORDER_NOT_WAITING', 'TX_ALREADY_REPORTED'].includes(it)),
      ).toEqual([]);
      const views = await Promise.all([first, second].map((it) => harness.getOrder(it!.order_id)));
      expect(new Set(views.map(({ pay_tx }) => pay_tx)).size).toBe(2);
    }
  });

  it('lead to an accepted report or an expired order at the boundary, never both, 200 times', async () => {
    const expiry = harness.apps[0]!.context.get(OrderExpiry);
    const outcomes = new Map<string, 'expired' | 'settling'>();
    // Adjusted against the winner of each round, because the speed of each side depends on the machine.
    let reportLaterMs = 0;
    for (let round = 0; round < 200; round++) {
      const { order_id: id, expires_at } = await harness.createOrder();
      clock.set(Date.parse(expires_at));
      const [report] = await Promise.all([
        sleep(Math.random() * 4 + Math.max(0, reportLaterMs)).then(() => harness.report(id, newHash())),
        sleep(Math.random() * 4 + Math.max(0, -reportLaterMs)).then(() => expiry.step()),
      ]);
      reportLaterMs += report === 'settling' ? 1 : -1;
      const { status } = await harness.getOrder(id);
      expect([report, status]).toEqual(
        report === 'settling' ? ['settling', 'settling'] : ['ORDER_NOT_WAITING', 'expired'],
      );
      outcomes.set(id, status as 'expired' | 'settling');
    }

    for (const [id, status] of outcomes)
      expect(await harness.eventsOf(id)).toEqual(['order-created', `order-${status}`]);
    // The race is valid only if each side wins sometimes.
    const statuses = [...outcomes.values()];
    expect(Math.min(count(statuses, 'settling'), count(statuses, 'expired'))).toBeGreaterThan(10);
  });

  it('four concurrent sweeps expire each of 2,000 due orders once', async () => {
    const orders: CreateOrderReply[] = [];
    // On a slow machine, 2,000 concurrent calls would exceed the time-out of a call.
    while (orders.length < 2_000)
      orders.push(...(await Promise.all(Array.from({ length: 200 }, () => harness.createOrder()))));
    const expiry = harness.apps[0]!.context.get(OrderExpiry);
    clock.set(Date.parse(orders.at(-1)!.expires_at));

    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while ((await expiry.step()).kind === 'more');
      }),
    );

    const [left] = await harness.database.query(
      `SELECT count(*) FROM orders WHERE status = 'waiting_payment' AND expires_at <= $1`,
      [new Date(clock.now())],
    );
    expect(left).toEqual({ count: '0' });
    for (const { order_id: id } of orders)
      expect(await harness.eventsOf(id)).toEqual(['order-created', 'order-expired']);
  });
});

describe('concurrent creates', () => {
  let harness: PayOrders;
  beforeAll(async () => {
    harness = await PayOrders.start();
  });
  afterAll(() => harness?.close());

  /** The number of the app's connections that wait for a lock. */
  const waiting = async (): Promise<number> => {
    const [row] = await harness.database.query<{ count: string }>(
      "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'orders'::regclass",
    );
    return Number(row!.count);
  };

  it('store all orders once, each with its event, when the server ends the connections of 64 calls in progress', async () => {
    const owner = new Client({ connectionString: harness.database.ownerUrl });
    await owner.connect();
    await owner.query('BEGIN; LOCK TABLE orders IN SHARE MODE');
    const creates = Array.from({ length: 64 }, () => harness.createOrder());
    await eventually(async () => expect(await waiting()).toBeGreaterThan(0));
    await harness.database.breakConnections();
    await owner.query('COMMIT');
    await owner.end();
    const ids = (await Promise.all(creates)).map(({ order_id: id }) => id);
    const stored = await harness.database.query('SELECT id FROM orders WHERE id = ANY($1)', [ids]);
    expect(stored).toHaveLength(64);
    for (const id of ids) expect(await harness.eventsOf(id)).toEqual(['order-created']);
  });

  it('store all orders once when connections end repeatedly, before and after commits', async () => {
    const creates: Promise<unknown>[] = [];
    for (let round = 0; round < 15; round++) {
      // With more concurrent rounds, a slow machine would exceed the time-out of a call.
      await Promise.allSettled(creates.slice(0, (round - 1) * 64));
      creates.push(...Array.from({ length: 64 }, () => harness.createOrder()));
      await sleep(Math.random() * 30);
      await harness.database.breakConnections();
    }
    const outcomes = await Promise.allSettled(creates);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    const [row] = await harness.database.query(
      `SELECT count(*) AS orders, (SELECT count(*) FROM (SELECT aggregate_id FROM outbox
         WHERE payload ->> 'type' = 'order-created' GROUP BY 1 HAVING count(*) > 1) doubled) AS doubled FROM orders`,
    );
    expect(row).toEqual({ orders: String(64 + creates.length), doubled: '0' });
  });
});

describe('concurrent payments', () => {
  let harness: PayOrders;

  afterEach(() => harness?.close());

  it('settle once, with each event once, when the watcher and a report see the same payment', async () => {
    harness = await PayOrders.start({ confirmations: 1 });
    const ids: string[] = [];
    for (let round = 0; round < 25; round++) {
      const { order_id: id, direct } = await harness.createOrder();
      const hash = await harness.chain.send(direct!.payment_order);
      await sleep(Math.random() * 40);

      expect(await harness.report(id, hash)).toBe('settling');
      ids.push(id);
    }

    for (const id of ids) await harness.orderWith(id, { status: 'settled' });
    for (const id of ids)
      expect(await harness.eventsOf(id)).toEqual(['order-created', 'order-settling', 'order-settled']);
    // A second report of a settled order is rejected.
    const { pay_tx } = await harness.getOrder(ids[0]!);
    expect(await harness.report(ids[0]!, pay_tx!)).toBe('ORDER_NOT_WAITING');
  });

  it('settle and publish each order once with two instances, also when one of them stops', async () => {
    harness = await PayOrders.start({ confirmations: 2, instances: 2 });
    const ids: string[] = [];
    for (let round = 0; round < 40; round++) {
      const { order_id: id, direct } = await harness.createOrder();
      const hash = await harness.chain.pay(direct!.payment_order);
      if (round % 3 === 0) await harness.report(id, hash);
      if (round === 15) await harness.apps.shift()!.close();
      if (round === 25) await harness.startApp();
      ids.push(id);
    }
    await harness.chain.anvil.mine(2);

    for (const id of ids) await harness.orderWith(id, { status: 'settled', confirmations: 2, late: false });
    for (const id of ids)
      expect(await harness.eventsOf(id)).toEqual(['order-created', 'order-settling', 'order-settled']);
  });
});
