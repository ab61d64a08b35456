import { ManualClock } from '@tollbridge/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { PayOrders } from '../testing/pay-orders';
import { OrderExpiry } from './orders.worker';

jest.setTimeout(120_000);

const dayMs = 24 * 60 * 60 * 1000;
let madeHashes = 0;
const newHash = (): string => `0x${(++madeHashes).toString(16).padStart(64, '0')}`;
const count = (outcomes: string[], outcome: string): number => outcomes.filter((it) => it === outcome).length;

describe('without payments', () => {
  const clock = new ManualClock();
  let world: PayOrders;

  beforeAll(async () => {
    world = await PayOrders.start({ clock, lifetimeSeconds: 1 });
    // The chain has passed every deadline that follows, so that the clock alone decides what expires.
    await world.chain.anvil.mineAt(Math.floor((clock.now() + 30 * dayMs) / 1000));
    await world.caughtUp();
  });
  afterAll(() => world?.close());

  const claims = async (id: string) =>
    world.database.query<{ tx_hash: string }>('SELECT tx_hash FROM tx_claims WHERE order_id = $1', [id]);

  it('50 reports of one transaction on one order: one is taken, 49 are refused, one event', async () => {
    const { order_id: id } = await world.createOrder();
    const hash = newHash();

    const outcomes = await Promise.all(Array.from({ length: 50 }, () => world.report(id, hash)));

    expect([count(outcomes, 'settling'), count(outcomes, 'ORDER_NOT_WAITING')]).toEqual([1, 49]);
    expect(await world.eventsOf(id)).toEqual(['order-created', 'order-settling']);
  });

  it('50 reports of 50 transactions on one order: the one that is taken is the one that is stored', async () => {
    const { order_id: id } = await world.createOrder();
    const hashes = Array.from({ length: 50 }, newHash);

    const outcomes = await Promise.all(hashes.map((hash) => world.report(id, hash)));

    expect([count(outcomes, 'settling'), count(outcomes, 'ORDER_NOT_WAITING')]).toEqual([1, 49]);
    const taken = hashes[outcomes.indexOf('settling')]!;
    expect(await world.getOrder(id)).toMatchObject({ status: 'settling', pay_tx: taken });
    // Those that were refused are nobody's: they can be reported for other orders.
    expect(await claims(id)).toEqual([{ tx_hash: taken }]);
    const { order_id: other } = await world.createOrder();
    expect(
      await world.report(
        other,
        hashes.find((hash) => hash !== taken)!,
      ),
    ).toBe('settling');
  });

  it('one transaction on 50 orders: one takes it, 49 are refused and still wait', async () => {
    const orders = await Promise.all(Array.from({ length: 50 }, () => world.createOrder()));
    const hash = newHash();

    const outcomes = await Promise.all(orders.map(({ order_id: id }) => world.report(id, hash)));

    expect([count(outcomes, 'settling'), count(outcomes, 'TX_ALREADY_REPORTED')]).toEqual([1, 49]);
    const views = await Promise.all(orders.map(({ order_id: id }) => world.getOrder(id)));
    const statuses = views.map(({ status }) => status);
    expect([count(statuses, 'settling'), count(statuses, 'waiting_payment')]).toEqual([1, 49]);
  });

  it("a wrong report at the same moment does not keep the payer's own from being taken, 20 times", async () => {
    const claimed = newHash();
    expect(await world.report((await world.createOrder()).order_id, claimed)).toBe('settling');
    for (let round = 0; round < 20; round++) {
      const { order_id: id } = await world.createOrder();
      const own = newHash();

      const outcomes = await Promise.all([claimed, own, claimed].map((hash) => world.report(id, hash)));

      expect(outcomes[1]).toBe('settling');
      for (const outcome of [outcomes[0], outcomes[2]])
        expect(['TX_ALREADY_REPORTED', 'ORDER_NOT_WAITING']).toContain(outcome);
      expect(await world.getOrder(id)).toMatchObject({ status: 'settling', pay_tx: own });
      expect(await world.eventsOf(id)).toEqual(['order-created', 'order-settling']);
    }
  });

  it('two orders that are told each other’s transaction at once do not block each other, 50 times', async () => {
    for (let round = 0; round < 50; round++) {
      const [first, second] = await Promise.all([world.createOrder(), world.createOrder()]);
      const [one, two] = [newHash(), newHash()];

      const outcomes = await Promise.all([
        world.report(first!.order_id, one),
        world.report(second!.order_id, two),
        world.report(first!.order_id, two),
        world.report(second!.order_id, one),
      ]);

      expect(count(outcomes, 'settling')).toBeGreaterThanOrEqual(1);
      expect(
        outcomes.filter((it) => !['settling', 'ORDER_NOT_WAITING', 'TX_ALREADY_REPORTED'].includes(it)),
      ).toEqual([]);
      const views = await Promise.all([first, second].map((it) => world.getOrder(it!.order_id)));
      expect(new Set(views.map(({ pay_tx }) => pay_tx)).size).toBe(2);
    }
  });

  it('report against expiry at the boundary, 200 times: exactly one wins, never both', async () => {
    const expiry = world.apps[0]!.context.get(OrderExpiry);
    const outcomes = new Map<string, 'expired' | 'settling'>();
    for (let round = 0; round < 200; round++) {
      const { order_id: id, expires_at } = await world.createOrder();
      clock.set(Date.parse(expires_at));
      const [report] = await Promise.all([
        sleep(Math.random() * 4).then(() => world.report(id, newHash())),
        sleep(Math.random() * 4).then(() => expiry.step()),
      ]);
      const { status } = await world.getOrder(id);
      expect([report, status]).toEqual(
        report === 'settling' ? ['settling', 'settling'] : ['ORDER_NOT_WAITING', 'expired'],
      );
      outcomes.set(id, status as 'expired' | 'settling');
    }

    for (const [id, status] of outcomes)
      expect(await world.eventsOf(id)).toEqual(['order-created', `order-${status}`]);
    // A race that one side always wins would prove nothing.
    const statuses = [...outcomes.values()];
    expect(Math.min(count(statuses, 'settling'), count(statuses, 'expired'))).toBeGreaterThan(10);
  });

  it('four sweeps at once over 2,000 due orders: each expires once', async () => {
    const orders = await Promise.all(Array.from({ length: 2_000 }, () => world.createOrder()));
    const expiry = world.apps[0]!.context.get(OrderExpiry);
    clock.set(Date.parse(orders.at(-1)!.expires_at));

    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while ((await expiry.step()) === 'more');
      }),
    );

    const [left] = await world.database.query(
      `SELECT count(*) FROM orders WHERE status = 'waiting_payment' AND expires_at <= $1`,
      [new Date(clock.now())],
    );
    expect(left).toEqual({ count: '0' });
    for (const { order_id: id } of orders)
      expect(await world.eventsOf(id)).toEqual(['order-created', 'order-expired']);
  });
});

describe('with payments', () => {
  let world: PayOrders;

  afterEach(() => world?.close());

  it('watcher and report see the same payment: one settlement, each event once, in any order', async () => {
    world = await PayOrders.start({ confirmations: 1 });
    const ids: string[] = [];
    for (let round = 0; round < 25; round++) {
      const { order_id: id, direct } = await world.createOrder();
      const hash = await world.chain.send(direct!.payment_order);
      await sleep(Math.random() * 40);

      expect(await world.report(id, hash)).toBe('settling');
      ids.push(id);
    }

    for (const id of ids) await world.orderWith(id, { status: 'settled' });
    for (const id of ids)
      expect(await world.eventsOf(id)).toEqual(['order-created', 'order-settling', 'order-settled']);
    // A second report of what is settled is refused as any other.
    const { pay_tx } = await world.getOrder(ids[0]!);
    expect(await world.report(ids[0]!, pay_tx!)).toBe('ORDER_NOT_WAITING');
  });

  it('two instances on one database: each order settles once and is told once, also when one of them goes', async () => {
    world = await PayOrders.start({ confirmations: 2, instances: 2 });
    const ids: string[] = [];
    for (let round = 0; round < 40; round++) {
      const { order_id: id, direct } = await world.createOrder();
      const hash = await world.chain.pay(direct!.payment_order);
      if (round % 3 === 0) await world.report(id, hash);
      if (round === 15) await world.apps.shift()!.close();
      if (round === 25) await world.startApp();
      ids.push(id);
    }
    await world.chain.anvil.mine(2);

    for (const id of ids) await world.orderWith(id, { status: 'settled', confirmations: 2, late: false });
    for (const id of ids)
      expect(await world.eventsOf(id)).toEqual(['order-created', 'order-settling', 'order-settled']);
  });
});
