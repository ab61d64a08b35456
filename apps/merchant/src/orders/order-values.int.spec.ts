import {
  dashboardApi,
  ledgerApi,
  merchantPaymentsApi,
  paymentRequestsApi,
  paymentsApi,
} from '@tollbridge/contracts';
import { walletPrincipal } from '@tollbridge/rpc';
import { ManualClock } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { v7 as uuid } from 'uuid';
import { rebuildDashboard } from '../dashboard/rebuild-dashboard';
import { Merchant } from '../testing/merchant';
import type { PublishedOrder } from '../testing/published-order';
import { FakePayOrders } from '../testing/fake-pay-orders';
import { testOperator } from '../testing/test-operator';
import { anOrderChanged } from './testing/order-changed.builder';

const settledAt = '2026-11-18T23:59:50.000Z';
const clock = new ManualClock(Date.parse(settledAt));
let merchant: Merchant;
let payOrders: FakePayOrders;

beforeAll(async () => {
  merchant = await Merchant.start({ clock });
  await merchant.startApp();
  payOrders = await FakePayOrders.start(merchant.nats.url);
  payOrders.expiresAtMs = () => clock.now() + 60_000;
});
afterAll(async () => {
  await payOrders?.close();
  await merchant?.close();
});
beforeEach(() => clock.set(Date.parse(settledAt)));

/**
 * A merchant with a webhook, and an order that pays one of its requests. The events settle the order and then value it.
 */
async function shop() {
  const { address: wallet } = Wallet.createRandom();
  await merchant.addWebhookEndpoint(wallet);
  const asked = { amount: '1000000', currency: 'USDC', chain: 'base', receive_address: wallet };
  const { createPaymentRequest } = paymentRequestsApi.operations;
  const { id } = await merchant.call(createPaymentRequest, asked, walletPrincipal(wallet));
  const selected_option = { from_token: 'USDC', from_chain: 'eip155:8453' };
  const { order } = await merchant.call(paymentsApi.operations.executePayment, { id, selected_option });
  const about = {
    order_id: order.order_id,
    merchant_id: wallet,
    merchant_address: wallet,
    created_by: wallet,
  };
  const base = anOrderChanged({ ...about, settled_value_usd: null, updated_at: settledAt });
  const settled: PublishedOrder = { id: uuid(), type: 'order-settled', order: base };
  const valued: PublishedOrder = {
    id: uuid(),
    type: 'order-valued',
    order: { ...base, settled_value_usd: '1.05', version: 4 },
  };
  const { history } = payOrders;
  for (const event of [settled, valued]) history.push({ seq: history.length + 1, ...event });
  return { wallet, settled, valued };
}

/** All replies and rows that show the order to its merchant. */
async function everything(wallet: string) {
  const read = (text: string) => merchant.database.query(text, [wallet]);
  const as = walletPrincipal(wallet);
  const { operations } = dashboardApi;
  const [record] = await merchant.call(operations.listTransactions, {}, as);
  const { totalVolumeUsd, unpricedPayments, totalPayments } = await merchant.call(
    operations.getOverview,
    {},
    as,
  );
  const { payments } = await merchant.call(merchantPaymentsApi.operations.listPayments, {}, as);
  return {
    record: record!.value_usd,
    overview: { totalVolumeUsd, unpricedPayments, totalPayments },
    payments: payments.map(({ settled_value_usd }) => settled_value_usd),
    paymentDays: await read(
      `SELECT day::text, payments::int, unpriced::int, value_usd::text FROM payment_days WHERE wallet = $1`,
    ),
    days: await read(
      `SELECT day::text, completed::int, unpriced::int, value_usd::text FROM dashboard_sums
       WHERE generation = (SELECT active FROM dashboard_state) AND wallet = $1 AND day <> '-infinity'`,
    ),
    webhooks: (await read('SELECT type FROM webhook_messages WHERE wallet = $1 ORDER BY type')).map(
      ({ type }) => type as string,
    ),
    ledger: await read('SELECT seq::int, reference FROM ledger_transactions WHERE wallet = $1'),
  };
}

const expected = (orderId: string, value: string | null) => {
  const unpriced = value === null ? 1 : 0;
  const sums = { day: '2026-11-18', unpriced, value_usd: value ?? '0' };
  return {
    record: value,
    overview: { totalVolumeUsd: value ?? '0', unpricedPayments: unpriced, totalPayments: 1 },
    payments: [value],
    paymentDays: [{ ...sums, payments: 1 }],
    days: [{ ...sums, completed: 1 }],
    webhooks: ['order.settled', 'payment.completed', 'payment.executing'],
    ledger: [{ seq: 1, reference: `order:${orderId}` }],
  };
};

async function rebuildAgrees(wallet: string): Promise<void> {
  const before = await everything(wallet);
  const [app] = merchant.apps;
  const { comparison } = await rebuildDashboard(app!.database!, app!.busClient, { operator: testOperator });
  expect(comparison).toMatchObject({ differing: 0, examples: [] });
  expect(await everything(wallet)).toEqual(before);
  const proof = await merchant.call(ledgerApi.operations.proveLedger, {}, walletPrincipal(wallet));
  expect(proof).toMatchObject({ ok: true });
}

it('adds a later value to every view of an order without a price, on the day of the settlement', async () => {
  const { wallet, settled, valued } = await shop();
  await merchant.publishAndWait([settled]);
  expect(await everything(wallet)).toEqual(expected(settled.order.order_id, null));

  clock.advance(3_600_000);
  await merchant.publishAndWait([valued, valued]);

  expect(await everything(wallet)).toEqual(expected(settled.order.order_id, '1.05'));
  await rebuildAgrees(wallet);
});

it('applies a value that arrives before the settlement, and sends one webhook for each event', async () => {
  const { wallet, settled, valued } = await shop();
  await merchant.publishAndWait([valued]);
  await merchant.publishAndWait([settled]);
  expect(await everything(wallet)).toEqual(expected(settled.order.order_id, '1.05'));
  await rebuildAgrees(wallet);
});
