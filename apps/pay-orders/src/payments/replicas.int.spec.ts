import type { CreateOrderReply } from '@tollbridge/contracts';
import { Database, Leases } from '@tollbridge/database';
import type { RunningService } from '@tollbridge/bootstrap';
import { eventually, startPgBouncer } from '@tollbridge/testing';
import { PayOrders } from '../testing/pay-orders';

const confirmations = 2;
const settings = { PAY_ORDERS_LEADER_LEASE_MS: '1000', PAY_ORDERS_DATABASE_CONNECTIONS: '4' };
let harness: PayOrders;

afterEach(() => harness?.close());

/** The names of the leases of each replica. */
async function held(prefix: string): Promise<string[][]> {
  const rows = await harness.database.query<{ name: string; holder: string }>(
    `SELECT name, holder FROM leases WHERE expires_at > now() AND name LIKE $1 ORDER BY name`,
    [`${prefix}%`],
  );
  const holderOf = ({ context }: RunningService): string => context.get(Leases).holder;
  return harness.apps.map((app) =>
    rows.filter(({ holder }) => holder === holderOf(app)).map(({ name }) => name),
  );
}

const untilSpread = (...counts: number[]): Promise<void> =>
  eventually(async () => expect((await held('watch ')).map(({ length }) => length)).toEqual(counts));

async function expectSettledOnce({ order_id: id }: CreateOrderReply): Promise<void> {
  await harness.orderWith(id, { status: 'settled', late: false });
  expect(await harness.eventsOf(id)).toEqual(['order-created', 'order-settling', 'order-settled']);
}

describe('pay-orders in two replicas', () => {
  const orders = async (): Promise<CreateOrderReply[]> => {
    const other = harness.otherChain!;
    const onOther = { pay_blockchain: other.id, settle_chain: other.id, payer_address: other.payer.address };
    return [await harness.createOrder(), await harness.createOrder(onOther)];
  };
  const payAndMine = async ([first, second]: CreateOrderReply[]): Promise<void> => {
    await harness.chain.pay(first!.direct!.payment_order);
    await harness.otherChain!.pay(second!.direct!.payment_order);
    for (const chain of [harness.chain, harness.otherChain!]) await chain.anvil.mine(confirmations);
  };

  it('watch one chain each, and settle each order once while a replica stops and another one starts', async () => {
    harness = await PayOrders.start({ confirmations, otherChainId: 10, instances: 2, settings });
    await untilSpread(1, 1);
    const before = await orders();
    await payAndMine(before);
    for (const order of before) await expectSettledOnce(order);

    await harness.apps.shift()!.close();
    // Immediately, because the stopped replica has released its leases.
    await untilSpread(2);
    const after = await orders();
    await payAndMine(after);
    for (const order of after) await expectSettledOnce(order);

    await harness.startApp();
    await untilSpread(1, 1);
    const last = await orders();
    await payAndMine(last);
    for (const order of last) await expectSettledOnce(order);
  });
});

describe('pay-orders behind PgBouncer in transaction mode', () => {
  it('creates and settles orders with two replicas and one leader, on fewer connections than clients', async () => {
    harness = await PayOrders.start({ confirmations });
    await harness.stopApps();
    const bouncer = await startPgBouncer(harness.database.runtimeUrl, 3);
    try {
      const env = {
        ...settings,
        PAY_ORDERS_DATABASE_URL: bouncer.url,
        PAY_ORDERS_DATABASE_POOLING: 'transaction',
      };
      await harness.startApp(env);
      await harness.startApp(env);
      const orders = await Promise.all(Array.from({ length: 20 }, () => harness.createOrder()));
      for (const order of orders.slice(0, 5)) await harness.chain.pay(order.direct!.payment_order);
      await harness.chain.anvil.mine(confirmations);
      for (const order of orders.slice(0, 5)) await expectSettledOnce(order);
      // A lease of one second may expire when the machine stalls.
      await eventually(async () => expect((await held('outbox')).flat()).toEqual(['outbox']));
      await eventually(async () => expect((await held('watch ')).flat()).toHaveLength(1));
      const [clients, servers] = await connections();
      expect(servers).toBeLessThanOrEqual(3);
      expect(clients).toBeGreaterThan(servers!);
    } finally {
      await harness.stopApps();
      await bouncer.remove();
    }
  });

  /** The open connections of the apps to PgBouncer, and of PgBouncer to PostgreSQL. */
  async function connections(): Promise<number[]> {
    await Promise.all(
      harness.apps.map(({ context }) => {
        const { pool } = context.get(Database);
        return Promise.all([1, 2, 3, 4].map(() => pool.query('SELECT pg_sleep(0.05)')));
      }),
    );
    const pools = harness.apps.map(({ context }) => context.get(Database).pool.totalCount);
    const { username } = new URL(harness.database.runtimeUrl);
    const rows = await harness.database.query(
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = $1',
      [username],
    );
    return [pools.reduce((sum, count) => sum + count), rows.length];
  }
});
