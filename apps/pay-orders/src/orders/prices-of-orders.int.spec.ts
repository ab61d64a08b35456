import { ordersApi, type CreateOrderRequest } from '@tollbridge/contracts';
import { callContext, idempotencyKeyOf, keyPrincipal } from '@tollbridge/rpc';
import { KeptFiatRates } from '@tollbridge/rates';
import { ManualClock, RateServers, startFakeService, type FakeService } from '@tollbridge/testing';
import { v7 as uuid } from 'uuid';
import { TokenPrices } from '../prices/token-prices';
import { PayOrders } from '../testing/pay-orders';

const { createOrder } = ordersApi.operations;
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const price = { amount: '49.90', currency: 'EUR' };
const clock = new ManualClock();
let harness: PayOrders;
let settings: FakeService;
let rates: RateServers;

beforeAll(async () => {
  rates = await RateServers.start(clock);
  harness = await PayOrders.start({ clock, settings: rates.settings });
  settings = await startFakeService(harness.nats.url, 'op.merchant.price-settings.*', () => ({
    output: { spreadBps: 0 },
  }));
});
afterAll(async () => {
  await settings?.close();
  await harness?.close();
  await rates?.close();
});
beforeEach(async () => {
  settings.answer = () => ({ output: { spreadBps: 0 } });
  settings.calls.length = 0;
  rates.reset();
  await readRates();
});

async function readRates(): Promise<void> {
  // Rates of the last minute are not read again.
  clock.advance(61_000);
  for (const { context } of harness.apps) {
    await context.get(TokenPrices, { strict: false }).refresh();
    await context.get(KeptFiatRates, { strict: false }).refresh();
  }
}

const byKey = () => callContext({ principal: keyPrincipal(uuid(), wallet) });
const create = (changes: object = {}, context = byKey()) => {
  const { merchant_amount: _amount, ...request } = harness.request({ price, fee_amount: '0' });
  return harness.call(createOrder, { ...request, ...changes } as CreateOrderRequest, context);
};

it('creates an order for a price, and keeps its amount and rate', async () => {
  const created = await create();
  const converted = {
    price,
    rate: { pair: 'USDC/EUR', value: '0.92', source: 'defillama, openexchangerates', spread_bps: 0 },
  };
  expect(created).toMatchObject(converted);
  expect(created.direct!.payment_order.merchant_amount).toBe('54239131');
  rates.perUsd['EUR'] = 0.9;
  await readRates();
  expect(await harness.getOrder(created.order_id)).toMatchObject({
    merchant_amount: '54239131',
    ...converted,
  });
});

it('settles an order for a price by a payment of its amount', async () => {
  const created = await create();
  await harness.chain.pay(created.direct!.payment_order);
  await harness.chain.anvil.mine(3);
  const order = await harness.orderWith(created.order_id, { status: 'settled' });
  expect(order).toMatchObject({ settled_amount: '54239131', price });
});

it('returns no fields of prices for an order with an amount', async () => {
  const created = await harness.createOrder({}, byKey());
  for (const view of [created, await harness.getOrder(created.order_id)]) {
    expect(Object.keys(view)).not.toContain('price');
    expect(Object.keys(view)).not.toContain('rate');
  }
  expect(settings.calls).toEqual([]);
});

it('adds the spread of the merchant, and asks the merchant app once for many orders', async () => {
  clock.advance(10_000);
  settings.answer = () => ({ output: { spreadBps: 100 } });
  const [first] = await Promise.all([create(), create(), create()]);
  expect(first!.direct!.payment_order.merchant_amount).toBe('54781522');
  await create();
  expect(settings.calls.length).toBeLessThanOrEqual(3);
  expect(settings.calls[0]!.input).toEqual({ wallet });
});

it('adds no spread for an anonymous client', async () => {
  const { direct } = await create({}, callContext());
  expect(direct!.payment_order.merchant_amount).toBe('54239131');
  expect(settings.calls).toEqual([]);
});

it('returns the same amount to a repeated call after the rate moved', async () => {
  const context = { ...byKey(), idempotencyKey: idempotencyKeyOf('payment', uuid()) };
  const first = await create({}, context);
  rates.perUsd['EUR'] = 0.9;
  await readRates();
  expect(await create({}, context)).toEqual(first);
});

it('rejects a fee above the converted amount', async () => {
  await expect(create({ fee_amount: '54239132' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ field: 'fee_amount' }],
  });
});

it('rejects a price without a usable rate', async () => {
  await expect(create({ price: { amount: '5', currency: 'XPF' } })).rejects.toMatchObject({
    code: 'RATE_UNAVAILABLE',
    details: { reason: 'unknown', pair: 'USDC/XPF' },
  });
  clock.advance(11 * 60_000);
  rates.isDown = true;
  await expect(create()).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE', details: { reason: 'stale' } });
});

it.each([
  [{ merchant_amount: '1' }, [{ field: 'price', message: 'must not be sent with merchant_amount' }]],
  [{ price: undefined }, [{ field: 'merchant_amount', message: 'is missing' }]],
  [
    { price: { amount: '1.5', currency: 'JPY' } },
    [{ field: 'price.amount', message: 'must be above 0, with no digits after the point for JPY' }],
  ],
])('rejects %j', async (changes, details) => {
  await expect(create(changes)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
});
