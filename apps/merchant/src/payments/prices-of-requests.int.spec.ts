import {
  dashboardApi,
  merchantPaymentsApi,
  paymentRequestsApi,
  paymentsApi,
  settingsApi,
  type CreatePaymentRequest,
} from '@tollbridge/contracts';
import { walletPrincipal } from '@tollbridge/rpc';
import { eventually, ManualClock, RateServers } from '@tollbridge/testing';
import { FakePayOrders } from '../testing/fake-pay-orders';
import { Merchant, randomWallet } from '../testing/merchant';
import { readAllRates } from '../testing/read-all-rates';

const { createPaymentRequest, getPaymentRequest } = paymentRequestsApi.operations;
const { getPayment, executePayment, paymentStatus } = paymentsApi.operations;
const { listPayments, merchantStats } = merchantPaymentsApi.operations;
const { getOverview, listTransactions } = dashboardApi.operations;
const { putSettings } = settingsApi.operations;
const direct = { from_token: 'USDC', from_chain: 'eip155:8453' };
const bitcoin = { from_token: 'BTC', from_chain: 'btc' };
const price = { amount: '49.90', currency: 'EUR' };
const payer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const minuteMs = 60_000;

const clock = new ManualClock(Date.UTC(2026, 10, 20, 12));
let rates: RateServers;
let merchant: Merchant;
let payOrders: FakePayOrders;

beforeAll(async () => {
  rates = await RateServers.start(clock);
  merchant = await Merchant.start({ clock, settings: rates.settings });
  payOrders = await FakePayOrders.start(merchant.nats.url);
  payOrders.expiresAtMs = () => clock.now() + 30 * minuteMs;
});
afterAll(async () => {
  await payOrders?.close();
  await merchant?.close();
  await rates?.close();
});
beforeEach(async () => {
  // Moves are compared with the last day only.
  clock.advance(25 * 60 * minuteMs);
  rates.reset();
  payOrders.orders.length = 0;
  await readRates();
});

const readRates = () => readAllRates(merchant, clock);

const ask = (changes: object = {}, wallet = randomWallet()) => {
  const request: CreatePaymentRequest = { price, currency: 'USDC', chain: 'base', ...changes };
  return merchant.call(createPaymentRequest, request, walletPrincipal(wallet));
};
const execute = (id: string, selected_option = direct, payer_address = payer) =>
  merchant.call(executePayment, { id, selected_option, payer_address });

it('creates a request with a price, its amount at the current rate, and the rate', async () => {
  const wallet = randomWallet();
  const request = await ask({}, wallet);
  expect(request).toMatchObject({
    amount: '54239131',
    price,
    rate: { pair: 'USDC/EUR', value: '0.92', source: 'defillama, openexchangerates', spread_bps: 0 },
  });
  expect(Date.parse(request.rate!.time)).toBe(Math.floor(clock.now() / 1_000) * 1_000);
  const read = await merchant.call(getPaymentRequest, { id: request.id }, walletPrincipal(wallet));
  expect(read).toEqual(request);
});

it('returns no fields of prices for a request with an amount', async () => {
  const { id, ...request } = await ask({ amount: '1000000', price: undefined });
  const started = await execute(id);
  const { payment_request } = await merchant.call(paymentStatus, { id: started.payment_id });
  for (const view of [request, payment_request]) {
    expect(Object.keys(view)).not.toContain('price');
    expect(Object.keys(view)).not.toContain('rate');
  }
});

it('fixes the amount when a payer chooses how to pay, for the lifetime of the order', async () => {
  const wallet = randomWallet();
  const { id } = await ask({}, wallet);
  rates.perUsd['EUR'] = 0.9;
  await readRates();
  const { payment_request: shown } = await merchant.call(getPayment, { id });
  expect(shown).toMatchObject({ amount: '55444445', amount_formatted: '55.444445', price });
  const first = await execute(id);
  expect(payOrders.orders.at(-1)!.request.merchant_amount).toBe('55444445');

  rates.perUsd['EUR'] = 0.91;
  await readRates();
  expect((await execute(id)).payment_id).toBe(first.payment_id);
  const other = await execute(id, bitcoin, 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq');
  expect(payOrders.orders.map(({ request }) => request.merchant_amount)).toEqual(['55444445', '54835165']);
  const [ofFirst, ofOther] = await Promise.all(
    [first, other].map(({ payment_id }) => merchant.call(paymentStatus, { id: payment_id })),
  );
  expect(ofFirst!.payment_request).toMatchObject({ amount: '55444445', rate: { value: '0.9' } });
  expect(ofOther!.payment_request).toMatchObject({ amount: '54835165', rate: { value: '0.91' } });
  const request = await merchant.call(getPaymentRequest, { id }, walletPrincipal(wallet));
  expect(request).toMatchObject({ amount: '54835165', price, rate: { value: '0.91' } });
  const { payments } = await merchant.call(listPayments, {}, walletPrincipal(wallet));
  expect(payments.map((it) => [it.amount, it.price, it.rate!.value])).toEqual([
    ['54835165', price, '0.91'],
    ['55444445', price, '0.9'],
  ]);
});

it('converts the price again after the order of a choice has expired', async () => {
  const { id } = await ask();
  await execute(id);
  clock.advance(31 * minuteMs);
  rates.perUsd['EUR'] = 0.9;
  await readRates();
  await execute(id);
  expect(payOrders.orders.map(({ request }) => request.merchant_amount)).toEqual(['54239131', '55444445']);
});

it('fixes one amount for fifty parallel choices', async () => {
  const { id } = await ask();
  const started = await Promise.all(Array.from({ length: 50 }, () => execute(id)));
  expect(new Set(started.map(({ payment_id }) => payment_id)).size).toBe(1);
  expect(payOrders.orders).toHaveLength(1);
});

it('adds the spread of the settings, which stays the same for the payments of the request', async () => {
  const wallet = randomWallet();
  const put = (settings: object) => merchant.call(putSettings, { settings }, walletPrincipal(wallet));
  await put({ priceSpreadBps: 100 });
  const { id, amount, rate } = await ask({}, wallet);
  expect([amount, rate!.spread_bps]).toEqual(['54781522', 100]);
  await put({});
  await execute(id);
  expect(payOrders.orders[0]!.request.merchant_amount).toBe('54781522');
  await expect(put({ priceSpreadBps: 1_001, defaultCurrency: 'EURO' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ field: 'priceSpreadBps' }, { field: 'defaultCurrency' }],
  });
});

describe('the currency of the merchant', () => {
  /** Completes the payment of a request, with a dollar value of 54.00. */
  async function pay(wallet: string, changes: object = {}): Promise<string> {
    const { id } = await ask(changes, wallet);
    const { payment_id, order } = await execute(id);
    const { amount } = (await merchant.call(paymentStatus, { id: payment_id })).payment_request;
    await merchant.publishOrder('order-settled', {
      order_id: order.order_id,
      version: 2,
      merchant_id: wallet,
      created_by: wallet,
      status: 'settled',
      merchant_amount: amount,
      settled_amount: amount,
      settled_value_usd: '54.00',
      updated_at: new Date(clock.now()).toISOString(),
    });
    await eventually(async () =>
      expect((await merchant.call(paymentStatus, { id: payment_id })).status).toBe('completed'),
    );
    return order.order_id;
  }

  it('values a priced payment by its price, and others by the rate of the day', async () => {
    const wallet = randomWallet();
    const own = walletPrincipal(wallet);
    const inEuros = await pay(wallet);
    const inTokens = await pay(wallet, { price: undefined, amount: '54000000' });
    const stats = async () => (await merchant.call(merchantStats, {}, own)).today;
    expect(await stats()).toMatchObject({ total_amount: 108, currency: 'USD', unpriced_payments: 0 });
    expect(Object.keys(await stats())).not.toContain('value');
    expect(Object.keys(await merchant.call(getOverview, {}, own))).not.toContain('currency');

    await merchant.call(putSettings, { settings: { defaultCurrency: 'EUR' } }, own);
    expect(await stats()).toMatchObject({
      total_payments: 2,
      total_amount: 108,
      value: '99.58',
      value_currency: 'EUR',
      unvalued_payments: 0,
    });
    await eventually(async () =>
      expect(await merchant.call(getOverview, {}, own)).toMatchObject({
        currency: 'EUR',
        totalVolume: '99.58',
        unvaluedPayments: 0,
        totalVolumeUsd: '108',
      }),
    );
    const records = await merchant.call(listTransactions, {}, own);
    const valueOf = (orderId: string) => records.find(({ order_id: id }) => id === orderId)!;
    expect(valueOf(inEuros)).toMatchObject({
      value: '49.90',
      value_currency: 'EUR',
      price,
      rate: { value: '0.92' },
    });
    expect(valueOf(inTokens)).toMatchObject({ value: '49.68', value_currency: 'EUR', value_usd: '54.00' });
  });

  it('states that past payments have no value without a rate of their day', async () => {
    const wallet = randomWallet();
    const own = walletPrincipal(wallet);
    await pay(wallet, { price: undefined, amount: '54000000' });
    await merchant.call(putSettings, { settings: { defaultCurrency: 'XPF' } }, own);
    const { today } = await merchant.call(merchantStats, {}, own);
    expect(today).toMatchObject({ value: '0', value_currency: 'XPF', unvalued_payments: 1 });
    const [record] = await merchant.call(listTransactions, {}, own);
    expect(record).toMatchObject({ value: null, value_currency: 'XPF' });
  });
});

describe('without a usable rate', () => {
  const unavailable = (reason: string, pair = 'USDC/EUR') => ({
    code: 'RATE_UNAVAILABLE',
    status: 503,
    details: { reason, pair },
  });

  it('rejects new requests and payments while the prices are too old', async () => {
    const { id } = await ask();
    rates.isDown = true;
    clock.advance(11 * minuteMs);
    await expect(ask()).rejects.toMatchObject(unavailable('stale'));
    await expect(execute(id)).rejects.toMatchObject(unavailable('stale'));
    await expect(merchant.call(getPayment, { id })).rejects.toMatchObject(unavailable('stale'));
    expect(payOrders.orders).toEqual([]);
    rates.isDown = false;
  });

  it('rejects a currency that no source lists', async () => {
    await expect(ask({ price: { amount: '5', currency: 'XPF' } })).rejects.toMatchObject(
      unavailable('unknown', 'USDC/XPF'),
    );
  });

  it('rejects a price while the rate moved above the bound and no second source confirms it', async () => {
    rates.perUsd['EUR'] = 1.1;
    await readRates();
    await expect(ask()).rejects.toMatchObject(unavailable('moved'));
    rates.perUsd['EUR'] = 1;
    await readRates();
    expect((await ask()).amount).toBe('49900000');
    rates.usd = 0.5;
    await readRates();
    await expect(ask()).rejects.toMatchObject(unavailable('moved'));
  });
});

it.each([
  [{ amount: '1', price }, [{ field: 'price', message: 'must not be sent with amount' }]],
  [{ price: undefined }, [{ field: 'amount', message: 'is missing' }]],
  [
    { price: { amount: '1.234', currency: 'EUR' } },
    [{ field: 'price.amount', message: 'must be above 0, with at most 2 digits after the point for EUR' }],
  ],
  [
    { price: { amount: '1', currency: 'XAU' } },
    [{ field: 'price.currency', message: 'must be a currency code of ISO 4217, such as EUR' }],
  ],
])('rejects %j', async (changes, details) => {
  await expect(ask(changes)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details,
  });
});
