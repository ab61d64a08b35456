import { orderHistoryApi } from '@tollbridge/contracts';
import { callContext } from '@tollbridge/rpc';
import { eventually, ManualClock, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { TokenPrices } from '../prices/token-prices';
import { PayOrders } from '../testing/pay-orders';
import { LateValues } from './late-values.worker';
import { OrdersRepository } from './storage/orders.repository';

const confirmations = 2;
const hourMs = 60 * 60_000;
const clock = new ManualClock();
let llama: HttpServer;
let harness: PayOrders;
/** The price of every token in dollars; undefined while the price source has no price. */
let price: number | undefined;

const coinsOf = (path: string) => {
  const ids = price === undefined ? [] : decodeURIComponent(path.split('/').at(-1)!).split(',');
  const coin = { price, timestamp: Math.floor(clock.now() / 1_000), confidence: 0.99, symbol: 'X' };
  return { body: { coins: Object.fromEntries(ids.map((id) => [id, coin])) } };
};

beforeAll(async () => {
  llama = await startHttpServer(({ path }) => coinsOf(path));
});
afterAll(() => llama?.close());
beforeEach(async () => {
  price = undefined;
  const settings = { DEFILLAMA_URL: llama.url, PRICES_EVERY_SECONDS: '0' };
  harness = await PayOrders.start({ clock, confirmations, instances: 2, settings });
});
afterEach(() => harness?.close());

const workers = () => harness.apps.map(({ context }) => context.get(LateValues));
/** All replicas search concurrently for orders without a value. */
const poll = () => Promise.all(workers().map((worker) => worker.step()));

/** Resolves when all replicas have the price of a token, and another poll is due. */
async function priced(usd: number): Promise<void> {
  price = usd;
  clock.advance(31_000);
  const prices = harness.apps.map(({ context }) => context.get(TokenPrices));
  await eventually(async () => {
    await Promise.all(prices.map((one) => one.refresh()));
    for (const one of prices) expect(one.usd(harness.chain.id, null)).toBe(String(usd));
  });
}

async function settled(): Promise<{ id: string; settledAt: string; raw: string }> {
  const { order_id: id, direct } = await harness.createOrder();
  const hash = await harness.chain.pay(direct!.payment_order);
  const raw = await harness.chain.anvil.rawTransaction(hash);
  await harness.chain.anvil.mine(confirmations);
  const { updated_at: settledAt } = await harness.orderWith(id, { status: 'settled' });
  return { id, settledAt, raw };
}

const stored = (id: string) =>
  harness.database
    .query<{ value: string | null; version: number; updated_at: Date }>(
      'SELECT settled_value_usd::text AS value, version, updated_at FROM orders WHERE id = $1',
      [id],
    )
    .then(([row]) => row!);

it('values a settled order once, in any replica, without changing the time of its settlement', async () => {
  const { id, settledAt } = await settled();
  await poll();
  expect(await stored(id)).toMatchObject({ value: null, version: 3 });

  await priced(2);
  await poll();
  expect(await stored(id)).toEqual({ value: '200.00', version: 4, updated_at: new Date(settledAt) });
  await priced(3);
  await poll();

  expect(await harness.eventsOf(id)).toEqual([
    'order-created',
    'order-settling',
    'order-settled',
    'order-valued',
  ]);
  const [before, { envelope }] = harness.events.of(id).slice(-2) as [any, any];
  expect(envelope.data).toEqual({ ...before.envelope.data, settled_value_usd: '200.00', version: 4 });
  const { events } = await harness.call(orderHistoryApi.operations.orderHistory, {});
  expect(events.at(-1)).toMatchObject({ id: envelope.id, type: 'order-valued', order: envelope.data });
});

it('values an order once when two replicas find it, and not after its settlement was reorged', async () => {
  const { id } = await settled();
  const { id: reorgedId } = await settled();
  await harness.chain.anvil.reorg(confirmations + 1);
  await harness.orderWith(reorgedId, { status: 'settling' });
  const valued = await Promise.all(
    ['1.00', '2.00'].map((valueUsd, at) => {
      const values = [id, reorgedId].map((orderId) => ({ orderId, valueUsd }));
      return harness.apps[at]!.context.get(OrdersRepository).value(values, clock.now(), callContext());
    }),
  );
  expect(valued.flat()).toEqual([id]);
  const first = valued[0]!.length === 1 ? '1.00' : '2.00';
  expect(await stored(id)).toMatchObject({ value: first, version: 4 });
  expect((await stored(reorgedId)).value).toBeNull();
  expect(await harness.eventsOf(reorgedId)).not.toContain('order-valued');
});

it('does not value an order when the first price is available more than six hours later', async () => {
  const old = await settled();
  clock.advance(6 * hourMs);
  const recent = await settled();
  await priced(2);
  await poll();
  expect(await stored(old.id)).toMatchObject({ value: null, version: 3 });
  expect(await stored(recent.id)).toMatchObject({ value: '200.00', version: 4 });
});

it('values a reorged order only when it is settled again', async () => {
  const { anvil } = harness.chain;
  const { id, raw } = await settled();
  const settledOnce = await stored(id);
  await anvil.reorg(confirmations + 1);
  await harness.orderWith(id, { status: 'settling' });
  await priced(2);
  await poll();
  expect(await stored(id)).toMatchObject({ value: null, version: settledOnce.version + 1 });

  await anvil.send('eth_sendRawTransaction', [raw]);
  await anvil.mine(confirmations);
  await harness.orderWith(id, { status: 'settled' });
  await poll();
  expect((await stored(id)).value).toBe('200.00');
  expect((await harness.eventsOf(id)).at(-1)).toBe('order-settled');
});

it('sends no query without a price, and values more orders than the batch size', async () => {
  const { id } = await settled();
  const copied = `INSERT INTO orders SELECT (json_populate_record(o, json_build_object('id', gen_random_uuid()))).*
    FROM orders o, generate_series(1, 700) WHERE o.id = $1`;
  await harness.database.query(copied, [id]);
  const queries = harness.apps.map(({ database }) => jest.spyOn(database!.pool, 'query'));
  const isAsked = () =>
    queries
      .flatMap(({ mock }) => mock.calls)
      .some(([query]) => (query as { name?: string }).name === 'orders-unvalued');
  expect(await poll()).toEqual([{ kind: 'done' }, { kind: 'done' }]);
  expect(isAsked()).toBe(false);

  await priced(2);
  await eventually(async () => expect(await poll()).toEqual([{ kind: 'done' }, { kind: 'done' }]));
  expect(isAsked()).toBe(true);
  const counts = await harness.database.query(
    `SELECT settled_value_usd::text AS value, version, count(*)::int AS orders,
       (SELECT count(*)::int FROM outbox WHERE payload->>'type' = 'order-valued') AS published
     FROM orders GROUP BY 1, 2`,
  );
  expect(counts).toEqual([{ value: '200.00', version: 4, orders: 701, published: 701 }]);
});
