import {
  paylinksApi,
  paymentsApi,
  publicPaylinksApi,
  type CreatePayLinkRequest,
} from '@tollbridge/contracts';
import { walletPrincipal } from '@tollbridge/rpc';
import { ManualClock, RateServers } from '@tollbridge/testing';
import { v4 as uuid } from 'uuid';
import { FakePayOrders } from '../testing/fake-pay-orders';
import { Merchant, randomWallet } from '../testing/merchant';
import { readAllRates } from '../testing/read-all-rates';

const { createPayLink, listPayLinks } = paylinksApi.operations;
const { getPublicPayLink, startPayLinkCheckout } = publicPaylinksApi.operations;
const { getPayment, executePayment } = paymentsApi.operations;
const receiveAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const price = { amount: '3.50', currency: 'EUR' };

const clock = new ManualClock(Date.UTC(2026, 10, 20, 12));
let rates: RateServers;
let merchant: Merchant;
let payOrders: FakePayOrders;

beforeAll(async () => {
  rates = await RateServers.start(clock);
  merchant = await Merchant.start({ clock, settings: rates.settings });
  payOrders = await FakePayOrders.start(merchant.nats.url);
});
afterAll(async () => {
  await payOrders?.close();
  await merchant?.close();
  await rates?.close();
});
beforeEach(async () => {
  // Moves are compared with the last day only.
  clock.advance(25 * 60 * 60_000);
  rates.reset();
  await readAllRates(merchant, clock);
});

const create = (changes: object = {}, wallet = randomWallet()) => {
  const link = { name: 'Espresso', description: '', token: 'USDC', network: 'eip155:8453', receiveAddress };
  const request: CreatePayLinkRequest = { ...link, price, ...changes };
  return merchant.call(createPayLink, request, walletPrincipal(wallet));
};

it('creates a PayLink with a price, and shows payers the amount at the current rate', async () => {
  const wallet = randomWallet();
  const link = await create({}, wallet);
  expect(link).toMatchObject({ amount: '3804348', price, rate: { value: '0.92' }, open_amount: false });
  rates.perUsd['EUR'] = 0.9;
  await readAllRates(merchant, clock);
  expect(await merchant.call(getPublicPayLink, { id: link.id })).toMatchObject({
    amount: '3888889',
    price,
    rate: { value: '0.9' },
  });
  const [listed] = await merchant.call(listPayLinks, {}, walletPrincipal(wallet));
  expect(listed).toEqual(link);
});

it('returns no fields of prices for a PayLink with an amount', async () => {
  const link = await create({ price: undefined, amount: '3500000' });
  const shown = await merchant.call(getPublicPayLink, { id: link.id });
  for (const view of [link, shown]) {
    expect(Object.keys(view)).not.toContain('price');
    expect(Object.keys(view)).not.toContain('rate');
  }
});

it('starts one checkout for a repeated click after the rate moved, and fixes its amount at the choice', async () => {
  const { id } = await create();
  const key = uuid();
  const first = await merchant.call(startPayLinkCheckout, { id, key });
  rates.perUsd['EUR'] = 0.9;
  await readAllRates(merchant, clock);
  const again = await merchant.call(startPayLinkCheckout, { id, key });
  expect(again.payment_request_id).toBe(first.payment_request_id);
  const request = { id: first.payment_request_id };
  expect((await merchant.call(getPayment, request)).payment_request).toMatchObject({
    amount: '3888889',
    price,
  });
  await merchant.call(executePayment, {
    ...request,
    selected_option: { from_token: 'USDC', from_chain: 'eip155:8453' },
  });
  expect(payOrders.orders.at(-1)!.request.merchant_amount).toBe('3888889');
});

it.each([
  [{ amount: '1' }, [{ field: 'price', message: 'must not be sent with amount' }]],
  [
    { openAmount: true },
    [{ field: 'openAmount' }, { field: 'openAmount', message: expect.stringContaining('does not apply') }],
  ],
  [
    { price: { amount: '1.234', currency: 'EUR' } },
    [{ field: 'price.amount', message: 'must be above 0, with at most 2 digits after the point for EUR' }],
  ],
])('rejects %j', async (changes, details) => {
  await expect(create(changes)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
});

it('rejects an amount of the payer for the checkout of a PayLink with a price', async () => {
  const { id } = await create();
  await expect(merchant.call(startPayLinkCheckout, { id, amount: '1' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ field: 'amount' }],
  });
});

it('rejects new PayLinks, their page and their checkout without a rate', async () => {
  const { id } = await create();
  rates.isDown = true;
  clock.advance(11 * 60_000);
  const unavailable = { code: 'RATE_UNAVAILABLE', details: { reason: 'stale' } };
  await expect(create()).rejects.toMatchObject(unavailable);
  await expect(merchant.call(getPublicPayLink, { id })).rejects.toMatchObject(unavailable);
  await expect(merchant.call(startPayLinkCheckout, { id })).rejects.toMatchObject(unavailable);
});
