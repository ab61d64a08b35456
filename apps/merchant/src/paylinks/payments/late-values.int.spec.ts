import { dashboardApi, orderHistoryApi } from '@tollbridge/contracts';
import { walletPrincipal } from '@tollbridge/rpc';
import { eventually, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { connect, type NatsConnection } from 'nats';
import { TokenValues } from '../../chains/token-values';
import { rebuildDashboard } from '../../dashboard/rebuild-dashboard';
import { PayLinkHarness, someWallet } from '../../testing/paylink-harness';
import { LateValues } from './late-values.worker';
import { testOperator } from '../../testing/test-operator';

const { getOverview, listTransactions } = dashboardApi.operations;
let llama: HttpServer;
let harness: PayLinkHarness;
let nats: NatsConnection;
/** The price of every token in dollars; undefined while the price source has no price. */
let price: number | undefined;

const coinsOf = (path: string) => {
  const ids = price === undefined ? [] : decodeURIComponent(path.split('/').at(-1)!).split(',');
  const coin = { price, timestamp: Math.floor(harness.clock.now() / 1_000), confidence: 0.99, symbol: 'X' };
  return { body: { coins: Object.fromEntries(ids.map((id) => [id, coin])) } };
};

beforeAll(async () => {
  llama = await startHttpServer(({ path }) => coinsOf(path));
  const settings = { DEFILLAMA_URL: llama.url, PRICES_EVERY_SECONDS: '1' };
  harness = await PayLinkHarness.start({ settings });
  await harness.merchant.startApp({ ...harness.settings, ...settings });
  nats = await connect({ servers: harness.merchant.nats.url });
  nats.subscribe(orderHistoryApi.operations.orderHistory.subject, {
    callback: (_error, message) => message.respond(JSON.stringify({ events: [] })),
  });
});
afterAll(async () => {
  await nats?.close();
  await harness?.close();
  await llama?.close();
});

/** Both replicas search concurrently for payments without a value. */
const valuePayments = () =>
  Promise.all(harness.merchant.apps.map(({ context }) => context.get(LateValues, { strict: false }).step()));
const record = async (wallet: string) =>
  (await harness.merchant.call(listTransactions, {}, walletPrincipal(wallet)))[0];
const overview = (wallet: string) => harness.merchant.call(getOverview, {}, walletPrincipal(wallet));

/** Creates a payment that is counted while its token has no price. */
async function paidWithoutPrice(): Promise<{
  wallet: string;
  linkId: string;
  paymentId: string;
  hash: string;
}> {
  const wallet = someWallet();
  const { id: linkId } = await harness.create({}, wallet);
  await harness.merchant.addWebhookEndpoint(wallet);
  const hash = await harness.paid();
  await harness.pay(linkId, hash);
  const [payment] = await harness.payments(linkId, wallet);
  expect(payment).toMatchObject({ status: 'counted', value_usd: null });
  return { wallet, linkId, paymentId: payment!.id, hash };
}

it('values a payment once when its token gets a price, with equal sums in dashboard, ledger and rebuild', async () => {
  const { wallet, linkId, paymentId } = await paidWithoutPrice();
  const old = await paidWithoutPrice();
  // Locks the link, so that a concurrent check of the payment does not overwrite the time.
  await harness.merchant.database.query(
    `UPDATE paylink_payments p SET decided_at = decided_at - interval '6 hours'
     FROM (SELECT id FROM paylinks WHERE id = $2 FOR UPDATE) l WHERE p.paylink_id = l.id AND p.id = $1`,
    [old.paymentId, old.linkId],
  );
  expect(await overview(wallet)).toMatchObject({ totalVolumeUsd: '0', unpricedPayments: 1 });
  const before = (await record(wallet))!;
  await valuePayments();
  expect((await harness.payments(linkId, wallet))[0]!.value_usd).toBeNull();

  price = 2;
  await eventually(async () => {
    await valuePayments();
    expect((await harness.payments(linkId, wallet))[0]!.value_usd).toBe('7.00');
  });
  await valuePayments();
  expect(await harness.eventsOf(paymentId)).toEqual(['paylink-paid', 'paylink-payment-valued']);
  expect(await overview(wallet)).toMatchObject({
    totalVolumeUsd: '7',
    unpricedPayments: 0,
    totalPayments: 1,
  });
  expect(await record(wallet)).toEqual({ ...before, value_usd: '7.00' });
  expect(await harness.messagesTo(wallet)).toHaveLength(1);
  const posted = `SELECT FROM ledger_transactions WHERE reference = 'paylink:${paymentId}'`;
  expect(await harness.merchant.database.query(posted)).toHaveLength(1);
  // A price from a much later time is not used for the payment.
  expect(await overview(old.wallet)).toMatchObject({ totalVolumeUsd: '0', unpricedPayments: 1 });

  const [app] = harness.merchant.apps;
  const { comparison } = await rebuildDashboard(app!.database!, app!.busClient, { operator: testOperator });
  expect(comparison).toMatchObject({ differing: 0, examples: [] });
  expect(await overview(wallet)).toMatchObject({ totalVolumeUsd: '7', unpricedPayments: 0 });

  // The next payment is valued immediately, because the price is cached.
  price = 3;
  await harness.pass(15 * 60);
  await eventually(() => {
    for (const { context } of harness.merchant.apps)
      expect(context.get(TokenValues, { strict: false }).priced()).not.toHaveLength(0);
  });
  await harness.pay(linkId, await harness.paid());
  expect((await harness.payments(linkId, wallet))[0]).toMatchObject({
    status: 'counted',
    value_usd: '10.50',
  });
});
