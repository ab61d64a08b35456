import {
  dashboardApi,
  ExecutePaymentReply,
  paymentAttemptsApi,
  internalDashboardApi,
  internalPaymentsApi,
  ledgerApi,
  exceptionsApi,
  paylinkPaymentsApi,
  paylinksApi,
  publicPaylinksApi,
  merchantPaymentsApi,
  paymentRequestsApi,
  paymentsApi,
  PaymentDetailsReply,
  PaymentStateChanged,
  PaymentStatusReply,
  type AttemptAction,
  type ChangeAttemptRequest,
  webhooksApi,
  type CreatePayLinkRequest,
  type CreatePaymentRequest,
  type OrderChanged,
  type OrderEventType,
  type PaymentStatus,
} from '@tollbridge/contracts';
import { callContext, decode, DomainError, walletPrincipal } from '@tollbridge/rpc';
import { eventually, ManualClock, missingCases, recordEvents } from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { v4, v7 as uuid } from 'uuid';
import { anOrderChanged } from '../orders/testing/order-changed.builder';
import { Merchant, randomWallet } from '../testing/merchant';
import { FakePayOrders } from '../testing/fake-pay-orders';
import { PaymentSettlement } from '../paylinks/payments/payment-settlement';
import { UnplacedPayments } from './payments.worker';

const { getPayment, executePayment, paymentStatus } = paymentsApi.operations;
const { changeAttempt } = paymentAttemptsApi.operations;
const { createPaymentRequest, getPaymentRequest, cancelPaymentRequest } = paymentRequestsApi.operations;
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const payer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const direct = { from_token: 'USDC', from_chain: 'eip155:8453' };
const bridge = { from_token: 'USDC', from_chain: 'eip155:42161' };
const minute = 60_000;

const clock = new ManualClock();
let merchant: Merchant;
let payOrders: FakePayOrders;

beforeAll(async () => {
  merchant = await Merchant.start({ clock });
  // A second replica of the merchant app shares the work.
  await merchant.startApp();
  payOrders = await FakePayOrders.start(merchant.nats.url);
  payOrders.expiresAtMs = () => clock.now() + 30 * minute;
});
afterAll(async () => {
  await payOrders?.close();
  await merchant?.close();
});
beforeEach(() => {
  payOrders.beforeOrder = payOrders.beforeAnswer = payOrders.beforeQuote = () => undefined;
  payOrders.orders.length = 0;
  payOrders.orderCalls = 0;
});

const asked = (changes: Partial<CreatePaymentRequest> = {}) =>
  merchant.call(
    createPaymentRequest,
    { amount: '1000000', currency: 'USDC', chain: 'base', metadata: { cart: 'secret-4711' }, ...changes },
    walletPrincipal(wallet),
  );
/** Gives a request a price, as if its rate had been known at the creation. */
async function setPrice(id: string): Promise<void> {
  const rate = {
    pair: 'USDC/EUR',
    value: '0.92',
    source: 'ecb',
    time: '2026-11-20T12:00:00.000Z',
    spread_bps: 0,
  };
  const conversion = { price: { amount: '49.90', currency: 'EUR' }, rate };
  await merchant.database.query('UPDATE payment_requests SET conversion = $2 WHERE id = $1', [
    id,
    JSON.stringify(conversion),
  ]);
}

const readRequest = (id: string) => merchant.call(getPaymentRequest, { id }, walletPrincipal(wallet));
const execute = (id: string, selected_option = direct, payer_address?: string) =>
  merchant.call(executePayment, { id, selected_option, ...(payer_address && { payer_address }) });
const status = (id: string) => merchant.call(paymentStatus, { id });

/** Publishes an event of a payment's order, like the payment service. */
async function publishOrderEvent(
  order_id: string,
  type: OrderEventType,
  version: number,
  changes: Partial<OrderChanged> = {},
): Promise<void> {
  const unpaid = { pay_tx: null, settle_tx: null, settled_amount: null, settled_value_usd: null };
  await merchant.publishOrder(type, {
    order_id,
    version,
    merchant_id: wallet,
    created_by: wallet,
    ...(type === 'order-settled' ? {} : unpaid),
    ...(type === 'order-settling' || type === 'order-reorged' ? { pay_tx: anOrderChanged().pay_tx } : {}),
    status: type === 'order-reorged' ? 'settling' : (type.slice('order-'.length) as OrderChanged['status']),
    updated_at: new Date(clock.now()).toISOString(),
    ...changes,
  });
}

const becomes = (id: string, wanted: PaymentStatus) =>
  eventually(async () => expect((await status(id)).status).toBe(wanted));

/** The types of the webhooks that the merchant received for payments of a request. */
async function webhooksOf(requestId: string): Promise<string[]> {
  const rows = await merchant.database.query<{ payload: string }>(
    `SELECT payload FROM webhook_messages WHERE payload::json->'data'->>'payment_request_id' = $1
       AND payload::json->>'type' LIKE 'payment.%' ORDER BY id`,
    [requestId],
  );
  return rows.map(({ payload }) => (JSON.parse(payload) as { type: string }).type);
}

beforeAll(() => merchant.addWebhookEndpoint(wallet));

describe('GET /api/v1/payment/{id}', () => {
  it('200: returns the public fields of the request and its payment options', async () => {
    const { id } = await asked({
      description: '<b>Two</b> espressos',
      success_url: 'https://shop.example/ok',
      cancel_url: 'https://shop.example/cart',
    });
    const reply = await merchant.call(getPayment, { id, payer_address: payer });
    expect(decode(PaymentDetailsReply, reply)).toMatchObject({ ok: true });
    expect(reply.payment_request).toEqual({
      id,
      status: 'pending',
      amount: '1000000',
      amount_formatted: '1',
      currency: 'USDC',
      chain: 'eip155:8453',
      chain_name: 'Base',
      description: '<b>Two</b> espressos',
      merchant: wallet,
      store_name: null,
      store_color: null,
      store_logo: null,
      embed_origins: [],
      receive_address: wallet,
      receive_address_required: false,
      success_url: 'https://shop.example/ok',
      cancel_url: 'https://shop.example/cart',
      expires_at: null,
      payment_id: null,
      attempt: null,
      paylink_id: null,
    });
    expect(reply.payment_options[0]).toEqual({
      from_token: 'USDC',
      from_chain: 'eip155:8453',
      from_amount: '1000000',
      from_amount_formatted: '1',
      from_amount_usd: '1.00',
      from_chain_name: 'Base',
      execution_strategy: 'direct',
      estimated_time: '6 seconds',
      estimated_seconds: 6,
      needs_payer_address: false,
      logo: '/logos/tokens/usdc.svg',
    });
    expect(reply.payment_options.map((it) => it.execution_strategy)).toEqual(
      expect.arrayContaining(['swap', 'bridge', 'swap_and_bridge']),
    );
    // The merchant's own fields are not public.
    expect(JSON.stringify(reply)).not.toContain('secret-4711');
  });

  it('200: does not wait for a slow quote, and omits options without a quote', async () => {
    payOrders.beforeQuote = ({ pay_blockchain }) => {
      if (pay_blockchain === 'btc') return new Promise(() => undefined);
      if (pay_blockchain === 'ton') throw new DomainError('QUOTE_UNAVAILABLE');
      return undefined;
    };
    const { id } = await asked({ amount: '1000001' });
    const startedMs = performance.now();
    const { payment_options } = await merchant.call(getPayment, { id, payer_address: payer });
    expect(performance.now() - startedMs).toBeLessThan(8_000);
    const chains = payment_options.map(({ from_chain }) => from_chain);
    expect(chains).toEqual(expect.arrayContaining(['eip155:8453', 'eip155:1', 'tron']));
    expect(chains).not.toContain('btc');
    expect(chains).not.toContain('ton');
  });

  it('200: sorts equally fast options in the same way for any order of arrival of the quotes', async () => {
    const optionsOf = async (amount: string) => {
      const { id } = await asked({ amount });
      return eventually(async () => {
        const { payment_options } = await merchant.call(getPayment, { id, payer_address: payer });
        expect(payment_options).toHaveLength(20);
        return payment_options.map((it) => `${it.from_token} ${it.from_chain}`);
      });
    };
    const usual = await optionsOf('1000003');
    let quoted = 0;
    payOrders.beforeQuote = () => sleep(Math.max(0, 20 - quoted++) * 10);
    expect(await optionsOf('1000004')).toEqual(usual);
  });

  it('200: requests quotes once for concurrent readers', async () => {
    const { id } = await asked({ amount: '1000002' });
    const before = payOrders.quoted.length;
    await Promise.all(Array.from({ length: 30 }, () => merchant.call(getPayment, { id })));
    // At most once for each of the two replicas.
    expect(payOrders.quoted.length - before).toBeLessThanOrEqual(40);
  });

  it('200: returns no options when the request cannot be executed any more', async () => {
    const { id } = await asked();
    await merchant.call(cancelPaymentRequest, { id }, walletPrincipal(wallet));
    const before = payOrders.quoted.length;
    expect(await merchant.call(getPayment, { id })).toMatchObject({
      payment_request: { status: 'canceled' },
      payment_options: [],
    });
    expect(payOrders.quoted.length).toBe(before);
  });

  it('400 VALIDATION_ERROR: rejects an id that is too long', async () => {
    await expect(merchant.call(getPayment, { id: 'x'.repeat(65) })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it.each([
    ['an unknown id', v4()],
    ['an invalid id', 'undefined'],
  ])('NOT_FOUND: rejects %s', async (_name, id) => {
    await expect(merchant.call(getPayment, { id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('503 RATE_UNAVAILABLE: shows no amount of a price without a rate', async () => {
    const { id } = await asked();
    await setPrice(id);
    await expect(merchant.call(getPayment, { id })).rejects.toMatchObject({
      code: 'RATE_UNAVAILABLE',
      details: { reason: 'unknown', pair: 'USDC/EUR' },
    });
  });
});

describe('payment_options', () => {
  /** Sets the chains with a refund account, and expires the cached list. */
  function refundedOn(...chains: string[]): void {
    payOrders.refundChains = chains;
    clock.advance(minute);
  }
  afterEach(() => refundedOn());

  const optionsOf = async (id: string, payer_address?: string) =>
    (await merchant.call(getPayment, { id, ...(payer_address && { payer_address }) })).payment_options;

  it('contains without payer_address only options that need none, and with it all options', async () => {
    refundedOn();
    const { id } = await asked({ amount: '3000001' });
    const [own, all] = [await optionsOf(id), await optionsOf(id, payer)];
    expect(own.map(({ execution_strategy }) => execution_strategy)).toEqual(['direct']);
    expect(all).toHaveLength(20);
    expect(all.filter(({ needs_payer_address }) => !needs_payer_address)).toEqual(own);
  });

  it('contains cross-chain options when the platform has a refund account on the source chain', async () => {
    refundedOn('eip155:8453', 'btc');
    const { id } = await asked({ amount: '3000002' });
    const listed = await optionsOf(id);
    expect(listed.length).toBeGreaterThan(2);
    expect(new Set(listed.map(({ from_chain }) => from_chain))).toEqual(new Set(['eip155:8453', 'btc']));
    expect(listed.every(({ needs_payer_address }) => !needs_payer_address)).toBe(true);
    expect(await optionsOf(id, payer)).toHaveLength(20);
  });

  it('can each be executed with selected_option alone', async () => {
    const { id } = await asked({ amount: '3000003' });
    refundedOn(...new Set((await optionsOf(id, payer)).map(({ from_chain }) => from_chain)));
    const { id: fresh } = await asked({ amount: '3000004' });
    const listed = await optionsOf(fresh);
    expect(listed).toHaveLength(20);
    for (const { from_token, from_chain } of listed)
      await expect(execute(fresh, { from_token, from_chain })).resolves.toMatchObject({
        status: 'executing',
      });
    expect(payOrders.orders).toHaveLength(20);
    const named = payOrders.orders.filter(({ request }) => request.payer_address !== undefined);
    expect(named.map(({ request }) => [request.pay_token, request.pay_blockchain])).toEqual([
      ['USDC', 'eip155:8453'],
    ]);
  });

  it('share one payment among all payers without an address', async () => {
    refundedOn('eip155:42161');
    const { id } = await asked();
    const replies = await Promise.all(Array.from({ length: 8 }, () => execute(id, bridge)));
    expect(new Set(replies.map(({ payment_id }) => payment_id)).size).toBe(1);
    expect(payOrders.orders).toHaveLength(1);
    const named = await execute(id, bridge, payer);
    expect(named.payment_id).not.toBe(replies[0]!.payment_id);
    expect(payOrders.orders[1]!.request).toMatchObject({ payer_address: payer });
  });

  it('create one order when the process ends before it receives the order', async () => {
    refundedOn('eip155:42161');
    const { id } = await asked();
    payOrders.beforeAnswer = () => {
      throw new DomainError('OUTCOME_UNKNOWN');
    };
    await expect(execute(id, bridge)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    payOrders.beforeAnswer = () => undefined;
    await expect(execute(id, bridge)).resolves.toMatchObject({ status: 'executing' });
    expect(payOrders.orders).toHaveLength(1);
  });
});

describe('POST /api/v1/payment/{id}/execute', () => {
  it('200: creates the order as the merchant', async () => {
    const { id } = await asked();
    const reply = await execute(id);
    expect(decode(ExecutePaymentReply, reply)).toMatchObject({ ok: true });
    expect(reply).toMatchObject({ payment_request_id: id, status: 'executing', order: { method: 'Direct' } });
    expect(Date.parse(reply.estimated_completion)).toBeGreaterThan(clock.now());
    const [made] = payOrders.orders;
    expect(made!.request).toMatchObject({
      pay_blockchain: 'eip155:8453',
      pay_token: 'USDC',
      settle_chain: 'eip155:8453',
      settle_token: 'USDC',
      merchant_address: wallet,
      merchant_amount: '1000000',
      fee_amount: '0',
      merchant_id: wallet,
    });
    expect(made!.context.principal).toBe(`wallet:${wallet}`);
    expect(await webhooksOf(id)).toEqual(['payment.executing']);
    expect(await status(reply.payment_id)).toMatchObject({ status: 'executing', progress: 0 });
  });

  it('200: generates a payer address for each payment without one, and uses a given address', async () => {
    const [one, other, named] = await Promise.all([asked(), asked(), asked()]);
    await execute(one.id);
    await execute(other.id);
    await execute(named.id, direct, payer.toLowerCase());
    const payers = payOrders.orders.map(({ request }) => request.payer_address);
    expect(new Set(payers).size).toBe(3);
    expect(payers).toContain(payer);
    expect(payers).not.toContain(wallet);
  });

  it('200: creates one payment and one order for concurrent calls', async () => {
    payOrders.beforeOrder = () => new Promise((resolve) => setTimeout(resolve, 300));
    const { id } = await asked();
    const replies = await Promise.all(Array.from({ length: 50 }, () => execute(id)));
    expect(new Set(replies.map(({ payment_id }) => payment_id)).size).toBe(1);
    expect(new Set(replies.map(({ order }) => order.order_id)).size).toBe(1);
    expect([payOrders.orders.length, payOrders.orderCalls]).toEqual([1, 1]);
    expect(await webhooksOf(id)).toEqual(['payment.executing']);
  });

  it('200: returns the same payment while its order waits, and a new one after it expired', async () => {
    const { id } = await asked();
    const first = await execute(id);
    clock.advance(29 * minute);
    expect((await execute(id, { from_token: 'usdc', from_chain: 'base' })).payment_id).toBe(first.payment_id);
    clock.advance(minute);
    const second = await execute(id);
    expect(second.payment_id).not.toBe(first.payment_id);
    expect(payOrders.orders.length).toBe(2);
  });

  it('200: creates another payment for another option or another refund address', async () => {
    const { id } = await asked();
    const replies = [
      await execute(id),
      await execute(id, bridge, payer),
      await execute(id, bridge, wallet),
      await execute(id, bridge, payer),
    ];
    const ids = replies.map(({ payment_id }) => payment_id);
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[1]);
    expect(payOrders.orders.map(({ request }) => request.payer_address).slice(1)).toEqual([payer, wallet]);
  });

  it('200: continues the same payment and order after a crash', async () => {
    const { id } = await asked();
    // The order is created, but the process dies before it receives the reply.
    payOrders.beforeAnswer = () => new Promise(() => undefined);
    void execute(id).catch(() => undefined);
    await eventually(() => expect(payOrders.orders.length).toBe(1));
    payOrders.beforeAnswer = () => undefined;
    clock.advance(26_000);
    const found = await execute(id);
    expect(found.order.order_id).toBe(payOrders.orders[0]!.reply.order_id);
    expect([payOrders.orders.length, payOrders.orderCalls]).toEqual([1, 2]);
    expect((await status(found.payment_id)).order_id).toBe(found.order.order_id);
  });

  it('200: completes in another replica a payment of a process that died', async () => {
    const { id } = await asked();
    payOrders.beforeAnswer = () => new Promise(() => undefined);
    void execute(id).catch(() => undefined);
    await eventually(() => expect(payOrders.orders.length).toBe(1));
    payOrders.beforeAnswer = () => undefined;
    clock.advance(26_000);
    const [app] = merchant.apps;
    await app!.context.get(UnplacedPayments, { strict: false }).finish();
    expect(await status(id)).toMatchObject({ order_id: payOrders.orders[0]!.reply.order_id });
    expect(payOrders.orders.length).toBe(1);
    expect(await webhooksOf(id)).toEqual(['payment.executing']);
  });

  it('200: applies order events that arrived before the payment had its order', async () => {
    const { id } = await asked();
    payOrders.beforeAnswer = async ({ reply }) => {
      await publishOrderEvent(reply.order_id, 'order-expired', 2);
      await eventually(async () =>
        expect(
          await merchant.database.query('SELECT FROM orders WHERE id = $1 AND version = 2', [reply.order_id]),
        ).toHaveLength(1),
      );
    };
    const { payment_id } = await execute(id);
    expect(await status(payment_id)).toMatchObject({ status: 'expired' });
    expect(await webhooksOf(id)).toEqual(['payment.executing', 'payment.expired']);
  });

  it('400 VALIDATION_ERROR: rejects an option that is not offered, and an invalid or missing payer', async () => {
    const { id } = await asked();
    const rejected = async (selected_option: typeof direct, payer_address?: string) => {
      const error = await execute(id, selected_option, payer_address).catch((thrown: DomainError) => thrown);
      const { code, details } = error as DomainError;
      return [code, ...(details as { field: string }[]).map(({ field }) => field)];
    };
    const option = (from_token: string, from_chain: string) => ({ from_token, from_chain });
    for (const unknown of [option('NOPE', 'base'), option('USDC', 'nowhere'), option('DASH', 'dash')])
      expect(await rejected(unknown)).toEqual(['VALIDATION_ERROR', 'selected_option']);
    expect(await rejected(bridge)).toEqual(['VALIDATION_ERROR', 'payer_address']);
    expect(await rejected(bridge, 'not-an-address')).toEqual(['VALIDATION_ERROR', 'payer_address']);
    expect(await rejected(direct, wallet)).toEqual(['VALIDATION_ERROR', 'payer_address']);
    expect(payOrders.orderCalls).toBe(0);
  });

  it('NOT_FOUND: rejects an unknown request and the id of a payment', async () => {
    const { id } = await asked();
    const { payment_id } = await execute(id);
    for (const unknown of [v4(), payment_id, 'undefined'])
      await expect(execute(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('CONFLICT: rejects an expired, a canceled and a paid request', async () => {
    const expiring = await asked({ expires_at: new Date(clock.now() + minute).toISOString() });
    clock.advance(minute);
    const canceled = await asked();
    await merchant.call(cancelPaymentRequest, { id: canceled.id }, walletPrincipal(wallet));
    const paid = await asked();
    const { payment_id, order } = await execute(paid.id);
    await publishOrderEvent(order.order_id, 'order-settled', 3);
    await becomes(payment_id, 'completed');
    for (const { id } of [expiring, canceled, paid])
      await expect(execute(id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('CONFLICT: rejects payment number 21 at the same time, and creates no order for it', async () => {
    const { id } = await asked();
    const payers = Array.from({ length: 25 }, (_, index) => `0x${String(index + 10).padStart(40, '1')}`);
    const outcomes = await Promise.allSettled(payers.map((it) => execute(id, bridge, it)));
    const rejected = outcomes.filter((it) => it.status === 'rejected');
    expect(rejected.map(({ reason }) => (reason as DomainError).code)).toEqual(Array(5).fill('CONFLICT'));
    expect(payOrders.orders.length).toBe(20);
    // Expired payments do not count.
    clock.advance(31 * minute);
    await expect(execute(id, bridge, payer)).resolves.toMatchObject({ status: 'executing' });
  });

  it.each(['ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'] as const)(
    'ROUTE_UNAVAILABLE, UPSTREAM_UNAVAILABLE: returns %s to every concurrent call, creates no payment, and allows a retry',
    async (code) => {
      const { id } = await asked();
      payOrders.beforeOrder = async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        throw new DomainError(code, 'Too little.');
      };
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => execute(id, bridge, payer)));
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ reason: { code, message: 'Too little.' } });
      await expect(status(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await webhooksOf(id)).toEqual([]);
      payOrders.beforeOrder = () => undefined;
      await expect(execute(id, bridge, payer)).resolves.toMatchObject({ status: 'executing' });
    },
  );

  it('ROUTE_UNAVAILABLE: stores only one row, even if a shared payment is retried repeatedly', async () => {
    const { id } = await asked();
    payOrders.beforeOrder = () => {
      throw new DomainError('ROUTE_UNAVAILABLE', 'There is no payment contract.');
    };
    for (let tries = 0; tries < 5; tries++) {
      await expect(execute(id)).rejects.toMatchObject({ code: 'ROUTE_UNAVAILABLE' });
      clock.advance(2 * minute);
    }
    const rows = await merchant.database.query('SELECT FROM payments WHERE request_id = $1', [id]);
    expect(rows).toHaveLength(1);
  });

  it('503 RATE_UNAVAILABLE: creates no payment of a price without a rate', async () => {
    const { id } = await asked();
    await setPrice(id);
    await expect(execute(id)).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' });
    expect(payOrders.orderCalls).toBe(0);
    expect(await merchant.database.query('SELECT FROM payments WHERE request_id = $1', [id])).toEqual([]);
  });
});

describe('payment-changed', () => {
  /** The `status` and `version` of the published changes of a payment, in the order of their commits. */
  const publishedOf = async (paymentId: string): Promise<[string, number][]> => {
    const rows = await merchant.database.query<{ data: PaymentStateChanged }>(
      `SELECT payload->'data' AS data FROM outbox
       WHERE subject = 'events.merchant.payment-changed.v1' AND aggregate_id = $1 ORDER BY seq`,
      [paymentId],
    );
    return rows.map(({ data }) => [data.status, data.version]);
  };

  it('publishes a change when a payment starts, and after each event of its order', async () => {
    const { id } = await asked();
    const { payment_id, order } = await execute(id);
    const [started] = await merchant.database.query<{ data: PaymentStateChanged }>(
      `SELECT payload->'data' AS data FROM outbox WHERE aggregate_id = $1`,
      [payment_id],
    );
    expect(decode(PaymentStateChanged, started!.data)).toMatchObject({ ok: true });
    expect(started!.data).toMatchObject({
      payment_id,
      payment_request_id: id,
      order_id: order.order_id,
      status: 'executing',
    });
    expect((await status(id)).version).toBe(0);
    await publishOrderEvent(order.order_id, 'order-settling', 2, { paid_by: payer });
    await eventually(async () => expect((await status(id)).version).toBe(2));
    await publishOrderEvent(order.order_id, 'order-settled', 3);
    await becomes(payment_id, 'completed');
    expect((await status(payment_id)).version).toBe(3);
    expect(await publishedOf(payment_id)).toEqual([
      ['executing', 0],
      ['executing', 2],
      ['completed', 3],
    ]);
  });

  it('includes an event of the order that arrived before the payment was recorded', async () => {
    const { id } = await asked();
    payOrders.beforeAnswer = async ({ reply }) => {
      await publishOrderEvent(reply.order_id, 'order-settling', 2, { paid_by: payer });
      await eventually(async () =>
        expect(
          await merchant.database.query('SELECT FROM orders WHERE id = $1 AND version = 2', [reply.order_id]),
        ).toHaveLength(1),
      );
    };
    const { payment_id } = await execute(id);
    expect((await status(id)).version).toBe(2);
    expect((await publishedOf(payment_id)).length).toBeGreaterThan(0);
  });

  it('publishes one change for each payment of a request that is cancelled', async () => {
    const { id } = await asked();
    const { payment_id } = await execute(id);
    const { payment_id: other } = await execute(id, bridge, payer);
    const before = await publishedOf(payment_id);
    const cancel = () => merchant.call(cancelPaymentRequest, { id }, walletPrincipal(wallet));
    await Promise.all([cancel(), cancel()]);
    await cancel();
    expect(await publishedOf(payment_id)).toEqual([...before, ['executing', 0]]);
    expect((await publishedOf(other)).at(-1)).toEqual(['executing', 0]);
    expect((await status(payment_id)).payment_request.status).toBe('canceled');
  });

  it('publishes no change for an event that arrives after a newer one', async () => {
    const { id } = await asked();
    const { payment_id, order } = await execute(id);
    await publishOrderEvent(order.order_id, 'order-settled', 4);
    await becomes(payment_id, 'completed');
    await publishOrderEvent(order.order_id, 'order-settling', 2);
    const { payment_id: other, order: next } = await execute((await asked()).id);
    await publishOrderEvent(next.order_id, 'order-settled', 3);
    await becomes(other, 'completed');
    expect((await publishedOf(payment_id)).map(([, version]) => version)).toEqual([0, 4]);
  });
});

describe('GET /api/v1/payment/{id}/status', () => {
  it('200: returns the state of the order until its end, for the ids of the payment and the request', async () => {
    const { id } = await asked();
    const { payment_id, order } = await execute(id);
    const waiting = await status(payment_id);
    expect(decode(PaymentStatusReply, waiting)).toMatchObject({ ok: true });
    expect(waiting).toMatchObject({
      payment_id,
      payment_request_id: id,
      status: 'executing',
      payment_request: { status: 'pending' },
      steps: [{ step_type: 'transfer', status: 'pending', transaction_hash: null }],
      progress: 0,
      order,
      instructions: { chain_id: 8453 },
    });
    expect(JSON.stringify(waiting)).not.toContain('secret-4711');
    await publishOrderEvent(order.order_id, 'order-settling', 2, { paid_by: payer });
    await eventually(async () =>
      expect(await status(id)).toMatchObject({
        status: 'executing',
        payment_request: { status: 'processing' },
        progress: 50,
        instructions: null,
        steps: [{ status: 'executing', transaction_hash: anOrderChanged().pay_tx }],
      }),
    );
    await publishOrderEvent(order.order_id, 'order-settled', 3);
    await becomes(payment_id, 'completed');
    expect(await status(id)).toMatchObject({
      payment_id,
      payment_request: { status: 'completed' },
      progress: 100,
      settle_tx: anOrderChanged().settle_tx,
      steps: [{ step_type: 'transfer', status: 'completed', transaction_hash: anOrderChanged().settle_tx }],
    });
    expect(await readRequest(id)).toMatchObject({
      status: 'completed',
      completed_payments: 1,
      overpaid: false,
    });
    expect(await webhooksOf(id)).toEqual(['payment.executing', 'payment.completed']);
  });

  it('200: returns payment instructions while a submitted payment is not seen on the chain', async () => {
    const { id } = await asked();
    const { payment_id, order } = await execute(id);
    await publishOrderEvent(order.order_id, 'order-settling', 2, { paid_by: null, payment_seen: false });
    await eventually(async () =>
      expect(await status(payment_id)).toMatchObject({
        status: 'executing',
        pay_tx: anOrderChanged().pay_tx,
        payment_request: { status: 'pending' },
        instructions: { pay: { value: '0' } },
      }),
    );
    // All payers share this payment.
    expect(await execute(id)).toMatchObject({ payment_id });
  });

  it('200: expires a request with an unseen payment, and completes it when the chain shows the payment', async () => {
    const { id } = await asked({ expires_at: new Date(clock.now() + minute).toISOString() });
    const { payment_id, order } = await execute(id);
    await publishOrderEvent(order.order_id, 'order-settling', 2, { payment_seen: false });
    await eventually(async () => expect((await status(payment_id)).pay_tx).not.toBeNull());
    clock.advance(minute);
    expect(await readRequest(id)).toMatchObject({ status: 'expired' });
    await expect(execute(id)).rejects.toMatchObject({ code: 'CONFLICT' });
    await publishOrderEvent(order.order_id, 'order-settling', 3, { payment_seen: true });
    await eventually(async () => expect((await readRequest(id)).status).toBe('processing'));
    await publishOrderEvent(order.order_id, 'order-settling', 4, { payment_seen: false });
    await eventually(async () => expect((await readRequest(id)).status).toBe('expired'));
    await publishOrderEvent(order.order_id, 'order-settled', 5);
    await becomes(payment_id, 'completed');
    expect((await readRequest(id)).status).toBe('completed');
  });

  it('200: sends webhooks for three days from the arrival of the event, even if it arrives late', async () => {
    const { id } = await asked();
    const { payment_id, order } = await execute(id);
    clock.advance(5 * 24 * 60 * minute);
    const updated_at = new Date(clock.now() - 4 * 24 * 60 * minute).toISOString();
    await publishOrderEvent(order.order_id, 'order-settled', 3, { updated_at });
    await becomes(payment_id, 'completed');
    const [message] = await merchant.database.query<{ schedule_from: Date }>(
      `SELECT schedule_from FROM webhook_messages
       WHERE type = 'payment.completed' AND payload::json->'data'->>'payment_id' = $1`,
      [payment_id],
    );
    expect(message).toEqual({ schedule_from: new Date(clock.now()) });
  });

  it('200: returns the steps of a cross-chain payment', async () => {
    const { id } = await asked();
    const { payment_id, order } = await execute(
      id,
      { from_token: 'BTC', from_chain: 'btc' },
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    );
    await publishOrderEvent(order.order_id, 'order-settling', 2, { pay_tx: `0x${'b7'.repeat(32)}` });
    await eventually(async () => expect((await status(payment_id)).progress).toBe(16));
    expect((await status(payment_id)).steps.map(({ step_type }) => step_type)).toEqual([
      'swap',
      'bridge',
      'transfer',
    ]);
  });

  it('200: completes a failed or expired payment when money arrives late', async () => {
    for (const end of ['order-failed', 'order-expired'] as const) {
      const { id } = await asked();
      const { payment_id, order } = await execute(id);
      await publishOrderEvent(order.order_id, end, 2, {
        failure_reason: end === 'order-failed' ? 'REVERTED: x' : null,
      });
      const ended = end === 'order-failed' ? 'failed' : 'expired';
      await becomes(payment_id, ended);
      expect((await readRequest(id)).status).toBe('pending');
      await publishOrderEvent(order.order_id, 'order-settling', 3);
      await becomes(payment_id, 'executing');
      await publishOrderEvent(order.order_id, 'order-settled', 4, { late: true });
      await becomes(payment_id, 'completed');
      expect(await webhooksOf(id)).toEqual([
        'payment.executing',
        `payment.${ended}`,
        'payment.executing',
        'payment.completed',
      ]);
    }
  });

  it('200: reverts the completion for a reorged order, and counts the payment once', async () => {
    const sums = () =>
      merchant.database.query<{ payments: string; amount: string; value: string }>(
        'SELECT sum(payments) AS payments, sum(amount) AS amount, sum(value_usd) AS value FROM payment_days',
      );
    const [before] = await sums();
    const { id } = await asked();
    const { payment_id, order } = await execute(id);
    await publishOrderEvent(order.order_id, 'order-settled', 3);
    await becomes(payment_id, 'completed');
    await publishOrderEvent(order.order_id, 'order-reorged', 4);
    await becomes(payment_id, 'executing');
    expect(await readRequest(id)).toMatchObject({ status: 'processing', completed_payments: 0 });
    expect((await sums()).map(({ payments }) => Number(payments))).toEqual([Number(before!.payments)]);
    await publishOrderEvent(order.order_id, 'order-settled', 5);
    await becomes(payment_id, 'completed');
    expect(await sums()).toEqual([
      {
        payments: String(Number(before!.payments) + 1),
        amount: String(BigInt(before!.amount) + 1_000_000n),
        value: String(Number(before!.value) + 1),
      },
    ]);
  });

  it('200: counts two payments of one request, and marks the request as overpaid', async () => {
    const { id } = await asked();
    const [one, other] = [await execute(id), await execute(id, direct, payer)];
    await Promise.all([one, other].map(({ order }) => publishOrderEvent(order.order_id, 'order-settled', 3)));
    await becomes(one.payment_id, 'completed');
    await becomes(other.payment_id, 'completed');
    expect(await readRequest(id)).toMatchObject({
      status: 'completed',
      completed_payments: 2,
      overpaid: true,
    });
  });

  it('200: returns the most advanced payment for the id of a request, even if another is newer', async () => {
    const { id } = await asked();
    const first = await execute(id);
    await execute(id, bridge, payer);
    await publishOrderEvent(first.order.order_id, 'order-settling', 2);
    await eventually(async () => expect((await status(id)).payment_id).toBe(first.payment_id));
  });

  it('200: reaches the same final state when events are reordered, repeated or concurrent', async () => {
    const { id } = await asked();
    const { payment_id, order } = await execute(id);
    const events: [OrderEventType, number][] = [
      ['order-settled', 5],
      ['order-settling', 2],
      ['order-reorged', 4],
      ['order-settled', 3],
      ['order-settled', 5],
    ];
    await Promise.all(events.map(([type, version]) => publishOrderEvent(order.order_id, type, version)));
    await becomes(payment_id, 'completed');
    await eventually(async () => expect((await readRequest(id)).completed_payments).toBe(1));
    const rows = await merchant.database.query('SELECT seen_payments FROM payment_requests WHERE id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ seen_payments: 0 }]);
  });

  it('200: ignores events of orders that only contain the id of the request', async () => {
    const { id } = await asked();
    const { payment_id } = await execute(id);
    await publishOrderEvent(uuid(), 'order-settled', 3);
    await publishOrderEvent(payment_id, 'order-settled', 3);
    const known = async () =>
      (await merchant.database.query('SELECT FROM orders WHERE id = $1', [payment_id])).length;
    await eventually(async () => expect(await known()).toBe(1));
    expect(await status(payment_id)).toMatchObject({ status: 'executing' });
  });

  it('400 VALIDATION_ERROR: rejects an id that is too long', async () => {
    await expect(status('x'.repeat(65))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('NOT_FOUND: rejects an unknown payment, and a request that was never executed', async () => {
    const { id } = await asked();
    for (const unknown of [v4(), id, 'undefined'])
      await expect(status(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('an attempt to pay a request', () => {
  const hash = (digit: string) => `0x${digit.repeat(64)}`;
  const change = (payment_id: string, action: AttemptAction, changes: Partial<ChangeAttemptRequest> = {}) =>
    merchant
      .call(changeAttempt, {
        payment_id,
        action,
        holder: 'tab-0123456789abcdef',
        version: 1_000,
        is_warned: false,
        ...changes,
      })
      .then(({ outcome }) => outcome);
  const attemptOf = async (id: string) => (await status(id)).payment_request.attempt ?? null;
  const attemptIs = (id: string, wanted: object | null) =>
    eventually(async () => {
      const attempt = await attemptOf(id);
      if (wanted === null) expect(attempt).toBeNull();
      else expect(attempt).toMatchObject(wanted);
    });

  it('belongs to only one of many tabs that start one concurrently, across all options and replicas', async () => {
    const { id } = await asked();
    const [one, two] = [await execute(id), await execute(id, direct, payer)];
    const tabs = Array.from({ length: 12 }, (_, index) => ({
      payment: index % 2 === 0 ? one.payment_id : two.payment_id,
      holder: `tab-${String(index).padStart(16, '0')}`,
    }));
    const outcomes = await Promise.all(tabs.map(({ payment, holder }) => change(payment, 'ask', { holder })));
    expect(outcomes.toSorted()).toEqual([...tabs.slice(1).map(() => 'busy'), 'held']);
    const { payment, holder } = tabs[outcomes.indexOf('held')]!;
    // Both payments and the request return the attempt.
    for (const shown of [one.payment_id, two.payment_id, id])
      expect(await attemptOf(shown)).toMatchObject({ payment_id: payment, state: 'asking', tx_hash: null });
    expect(await change(payment, 'decline', { holder })).toBe('held');
    expect(await attemptOf(one.payment_id)).toBeNull();
    expect(await change(two.payment_id, 'ask')).toBe('held');
  });

  it('reaches the pages of all payments of the request', async () => {
    const { id } = await asked();
    const [one, two] = [await execute(id), await execute(id, direct, payer)];
    const events = await recordEvents(merchant.nats.url, 'MERCHANT');
    await change(one.payment_id, 'ask');
    await change(one.payment_id, 'renew');
    await eventually(async () =>
      expect([events.typesOf(one.payment_id), events.typesOf(two.payment_id)]).toEqual([
        expect.arrayContaining(['payment-changed']),
        expect.arrayContaining(['payment-changed']),
      ]),
    );
    await events.stop();
  });

  it('stays in flight until the chain shows the payment, and then ends', async () => {
    const { id } = await asked();
    const { payment_id, order } = await execute(id);
    await change(payment_id, 'ask');
    await change(payment_id, 'send', { tx_hash: hash('a') });
    expect(await attemptOf(payment_id)).toMatchObject({ state: 'sent', tx_hash: hash('a') });
    expect(await change(payment_id, 'ask', { holder: 'another-tab-of-the-payer', is_warned: true })).toBe(
      'busy',
    );
    await publishOrderEvent(order.order_id, 'order-settling', 2, { pay_tx: hash('a'), payment_seen: false });
    expect(await attemptOf(payment_id)).toMatchObject({ state: 'sent', tx_hash: hash('a') });
    await publishOrderEvent(order.order_id, 'order-settling', 2_000, {
      pay_tx: hash('a'),
      payment_seen: true,
    });
    await attemptIs(payment_id, null);
    // Rejected also for a tab that shows the payment.
    expect(await change(payment_id, 'ask', { version: 2_000, is_warned: true })).toBe('closed');
  });

  it('starts when a hash is submitted through the API', async () => {
    const { payment_id, order } = await execute((await asked()).id);
    await publishOrderEvent(order.order_id, 'order-settling', 2, { pay_tx: hash('b'), payment_seen: false });
    await attemptIs(payment_id, { state: 'sent', tx_hash: hash('b') });
  });

  it.each([
    ['failed', { state: 'failed' }, 'warn'],
    ['unrelated', null, 'held'],
  ] as const)('handles a transaction that the chain shows as %s: %j', async (shown, wanted, next) => {
    const { payment_id } = await execute((await asked()).id);
    const tx_hash = hash(shown === 'failed' ? 'c' : 'd');
    payOrders.submitted.set(tx_hash, shown);
    await change(payment_id, 'ask');
    await change(payment_id, 'send', { tx_hash });
    clock.advance(1_500);
    await attemptIs(payment_id, wanted);
    expect(await change(payment_id, 'ask')).toBe(next);
    expect(await change(payment_id, 'ask', { is_warned: true })).toBe(next === 'warn' ? 'held' : 'busy');
  });

  it('warns when no node has its transaction after two minutes, and when a wallet never answers', async () => {
    const [one, two] = [await execute((await asked()).id), await execute((await asked()).id)];
    await change(one.payment_id, 'ask');
    await change(one.payment_id, 'send', { tx_hash: hash('e') });
    await change(two.payment_id, 'ask');
    clock.advance(2 * minute);
    expect(await attemptOf(one.payment_id)).toMatchObject({
      state: 'unknown',
      tx_hash: hash('e'),
      until: null,
    });
    expect(await attemptOf(two.payment_id)).toMatchObject({ state: 'unknown', tx_hash: null });
    expect(await change(one.payment_id, 'ask')).toBe('warn');
    expect(await change(one.payment_id, 'ask', { is_warned: true })).toBe('held');
  });

  it('gets no claim while the chain shows another payment of the request, and after the request is paid', async () => {
    const { id } = await asked();
    const [one, two] = [await execute(id), await execute(id, direct, payer)];
    await publishOrderEvent(one.order.order_id, 'order-settling', 2, { payment_seen: true });
    await eventually(async () => expect(await change(two.payment_id, 'ask')).toBe('closed'));
    await publishOrderEvent(one.order.order_id, 'order-settled', 3);
    await becomes(one.payment_id, 'completed');
    expect(await change(two.payment_id, 'ask')).toBe('closed');
    expect(await change(one.payment_id, 'ask')).toBe('closed');
  });

  it('gets no claim after the merchant has cancelled the request, but continues when a wallet was opened before', async () => {
    const [one, two] = [await asked(), await asked()];
    const [begun, late] = [await execute(one.id), await execute(two.id)];
    expect(await change(begun.payment_id, 'ask')).toBe('held');
    for (const { id } of [one, two])
      await merchant.call(cancelPaymentRequest, { id }, walletPrincipal(wallet));
    expect(await change(late.payment_id, 'ask')).toBe('closed');
    expect(await change(begun.payment_id, 'send', { tx_hash: hash('f') })).toBe('held');
    expect(await attemptOf(begun.payment_id)).toMatchObject({ state: 'sent', tx_hash: hash('f') });
  });

  it('gets no claim for a tab that shows an older state of the order', async () => {
    const { payment_id, order } = await execute((await asked()).id);
    await publishOrderEvent(order.order_id, 'order-created', 3, { status: 'waiting_payment' });
    await eventually(async () => expect((await status(payment_id)).version).toBe(3));
    expect(await change(payment_id, 'ask', { version: 2 })).toBe('stale');
    expect(await change(payment_id, 'ask', { version: 3 })).toBe('held');
  });

  it('fails with NOT_FOUND for an unknown payment', async () => {
    await expect(change(uuid(), 'ask')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('covers each declared error', () => {
  expect(missingCases(Object.values(paymentsApi.operations), readFileSync(__filename, 'utf8'))).toEqual([]);
});

describe('the reference of the merchant', () => {
  const own = walletPrincipal(wallet);
  const reference = { description: 'Table 7, größer', metadata: { cart: '4711', guests: 2 } };

  /** Creates a paid request with its order and events. */
  async function paid(changes: Partial<OrderChanged> = {}): Promise<{ id: string; order_id: string }> {
    const { id } = await asked(reference);
    const { order } = await execute(id);
    await publishOrderEvent(order.order_id, 'order-settled', 3, changes);
    await becomes(id, 'completed');
    return { id, order_id: order.order_id };
  }
  const listed = (q: string) => merchant.call(dashboardApi.operations.listTransactions, { q }, own);

  it('appears in transactions, search, export, ledger, payments and webhooks', async () => {
    const { id, order_id } = await paid({ refunded_amount: '5' });
    const expected = { ...reference, payment_request_id: id };
    const { getTransaction } = dashboardApi.operations;
    const { records } = await merchant.call(internalDashboardApi.operations.exportPage, { q: order_id }, own);
    const { entries } = await merchant.call(ledgerApi.operations.listLedgerEntries, {}, own);
    const { payments } = await merchant.call(merchantPaymentsApi.operations.listPayments, {}, own);
    const { payload } = (
      await merchant.database.query<{ payload: string }>(
        `SELECT payload FROM webhook_messages WHERE payload::json->>'type' = 'order.settled'
           AND payload::json->'data'->>'order_id' = $1`,
        [order_id],
      )
    )[0]!;
    for (const record of [
      await merchant.call(getTransaction, { id: order_id }, own),
      records.find(({ tx_type }) => tx_type === 'payment'),
      entries.find(({ reference: of }) => of === `order:${order_id}`),
      payments.find((payment) => payment.order_id === order_id),
      (JSON.parse(payload) as { data: unknown }).data,
    ])
      expect(record).toMatchObject(expected);
    expect(records.find(({ tx_type }) => tx_type === 'refund')).toMatchObject({
      ...expected,
      description: `Deposit sent back: ${reference.description}`,
    });
    for (const q of ['table 7', id, order_id])
      expect((await listed(q)).map((record) => record.payment_request_id)).toContain(id);
  });

  it('describes a payment without a description, and changes nothing in orders without a request', async () => {
    const { id } = await asked();
    const { order } = await execute(id);
    await publishOrderEvent(order.order_id, 'order-settled', 3);
    const plain = uuid();
    await publishOrderEvent(plain, 'order-settled', 3, { merchant_id: 'shop-17' });
    for (const order_id of [plain, order.order_id])
      await eventually(async () => expect(await listed(order_id)).toHaveLength(1));
    expect((await listed(order.order_id))[0]).toMatchObject({
      description: 'Payment request',
      payment_request_id: id,
      metadata: { cart: 'secret-4711' },
    });
    expect((await listed(plain))[0]).toMatchObject({
      description: 'Order of shop-17',
      payment_request_id: null,
      metadata: null,
    });
  });

  it('appears in a search even if a thousand unpaid checkouts have the same description', async () => {
    await merchant.database.query(
      `INSERT INTO payment_requests (id, wallet, amount, currency, chain, description, receive_address, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 1, 'USDC', 'eip155:8453', 'Espresso: hot', $1, now(), now() FROM generate_series(1, 1000)`,
      [wallet],
    );
    const { id } = await asked({ description: 'Espresso: hot' });
    await publishOrderEvent((await execute(id)).order.order_id, 'order-settled', 3);
    await becomes(id, 'completed');
    expect((await listed('espresso')).map((record) => record.payment_request_id)).toEqual([id]);
  });

  it('does not appear for another merchant', async () => {
    const { id } = await paid();
    const other = walletPrincipal('0x976EA74026E726554dB657fA54763abd0C3a0aa9');
    const { listTransactions } = dashboardApi.operations;
    expect(await merchant.call(listTransactions, { q: id }, other)).toEqual([]);
  });

  it('fills pages of the export up to the size limit of a message', async () => {
    const metadata = { note: 'x'.repeat(4_000) };
    await merchant.database.query(
      `WITH r AS (INSERT INTO payment_requests (id, wallet, amount, currency, chain, description, metadata, receive_address, created_at, updated_at)
         SELECT gen_random_uuid(), $1, 1, 'USDC', 'eip155:8453', '', $2, $1, now(), now() FROM generate_series(1, 400) RETURNING id),
       p AS (INSERT INTO payments (id, request_id, wallet, amount, currency, chain, description, from_chain, from_token, strategy,
           payer_address, claim, order_id, order_reply, order_expires_at, order_status, status, created_at, updated_at)
         SELECT gen_random_uuid(), id, $1, 1, 'USDC', 'eip155:8453', '', 'eip155:8453', 'USDC', 'direct', '', gen_random_uuid(),
           gen_random_uuid(), '{}', now(), 'settling', 'executing', now(), now() FROM r RETURNING order_id)
       INSERT INTO dashboard_transactions (generation, id, wallet, tx_type, order_id, version, outcome, is_own, is_seen, was_completed,
           amount, fee_amount, token, network, tx_hash, description, late, created_at, updated_at)
         SELECT 1, order_id, $1, 'payment', order_id, 1, 'completed', true, true, true, 1, 0, 'USDC', 'eip155:8453', '', 'Order', false,
           date_trunc('milliseconds', now()), now() FROM p`,
      [payer, JSON.stringify(metadata)],
    );
    const ids = new Set<string>();
    for (let cursor: string | undefined; ;) {
      const { records } = await merchant.call(
        internalDashboardApi.operations.exportPage,
        { ...(cursor !== undefined && { cursor }) },
        walletPrincipal(payer),
      );
      if (records.length === 0) break;
      for (const record of records) ids.add(record.id);
      cursor = records.at(-1)!.id;
    }
    expect(ids.size).toBe(400);
  });
});

describe('a checkout of a PayLink', () => {
  const { createPayLink, listPayLinks, togglePayLink, deletePayLink } = paylinksApi.operations;
  const { startPayLinkCheckout } = publicPaylinksApi.operations;
  const { listPayLinkPayments, recordPayLinkPayment, rejectPayLinkPayment } = paylinkPaymentsApi.operations;
  const link = { name: 'Espresso', amount: '1000000', token: 'USDC', network: 'base', description: 'Hot' };
  let shop: string;
  beforeEach(() => (shop = randomWallet()));

  const created = (changes: Partial<CreatePayLinkRequest> = {}) =>
    merchant.call(createPayLink, { ...link, receiveAddress: shop, ...changes }, walletPrincipal(shop));
  const opened = async (id: string, changes: { amount?: string; key?: string } = {}) =>
    (await merchant.call(startPayLinkCheckout, { id, ...changes })).payment_request_id;
  const countOf = async (id: string) =>
    (await merchant.call(listPayLinks, {}, walletPrincipal(shop))).find((it) => it.id === id)!.payment_count;
  const paymentsOf = (id: string) => merchant.call(listPayLinkPayments, { id }, walletPrincipal(shop));
  const webhooks = async () => {
    const rows = await merchant.database.query<{ payload: string }>(
      `SELECT payload FROM webhook_messages WHERE wallet = $1 AND type LIKE 'paylink.%' ORDER BY id`,
      [shop],
    );
    return rows.map(
      ({ payload }) => JSON.parse(payload) as { type: string; data: { payment_count: number } },
    );
  };
  const listens = () =>
    merchant.call(webhooksApi.operations.listenToWebhooks, { seconds: 300 }, walletPrincipal(shop));
  const orderEvent = (order_id: string, type: OrderEventType, version: number, settle_tx: string) =>
    publishOrderEvent(order_id, type, version, {
      merchant_id: shop,
      created_by: shop,
      merchant_address: shop,
      ...(type === 'order-settled' && { settle_tx, pay_tx: settle_tx }),
    });
  const someHash = () => `0x${randomBytes(32).toString('hex')}`;

  it('counts once for the link when its order settles, with one webhook and one ledger entry', async () => {
    await listens();
    const { id } = await created({ metadata: { table: 7 } });
    const request = await opened(id);
    const details = await merchant.call(getPayment, { id: request });
    expect(details.payment_request).toMatchObject({
      paylink_id: id,
      amount: '1000000',
      currency: 'USDC',
      description: 'Espresso: Hot',
      merchant: shop,
    });
    const { order } = await execute(request);
    expect(await countOf(id)).toBe(0);
    const hash = someHash();
    await orderEvent(order.order_id, 'order-settled', 3, hash);
    await becomes(request, 'completed');
    expect(await countOf(id)).toBe(1);
    expect(await paymentsOf(id)).toMatchObject([
      { status: 'counted', verified: true, tx_hash: hash, amount: '1000000', order_id: order.order_id },
    ]);
    // The transaction that settled the order does not count a second time.
    expect(await merchant.call(recordPayLinkPayment, { id, txHash: hash })).toEqual({
      success: true,
      verified: true,
    });
    await orderEvent(order.order_id, 'order-settled', 3, hash);
    expect(await countOf(id)).toBe(1);
    expect(await webhooks()).toMatchObject([
      { type: 'paylink.paid', data: { payment_count: 1, metadata: { table: 7 } } },
    ]);
    const own = walletPrincipal(shop);
    const { entries } = await merchant.call(ledgerApi.operations.listLedgerEntries, {}, own);
    expect(new Set(entries.map(({ reference }) => reference))).toEqual(new Set([`order:${order.order_id}`]));
    expect(await merchant.call(dashboardApi.operations.getOverview, {}, own)).toMatchObject({
      totalPayments: 1,
    });
    expect(await merchant.call(dashboardApi.operations.listTransactions, {}, own)).toMatchObject([
      { paylink_id: id },
    ]);
  });

  it('reverts and counts again with its order after a reorganisation', async () => {
    await listens();
    const { id } = await created();
    const { order } = await execute(await opened(id));
    const hash = someHash();
    await orderEvent(order.order_id, 'order-settled', 3, hash);
    await eventually(async () => expect(await countOf(id)).toBe(1));
    await orderEvent(order.order_id, 'order-reorged', 4, hash);
    await eventually(async () => expect(await countOf(id)).toBe(0));
    expect(await paymentsOf(id)).toMatchObject([{ status: 'pending', verified: false }]);
    await orderEvent(order.order_id, 'order-settled', 5, hash);
    await eventually(async () => expect(await countOf(id)).toBe(1));
    expect((await webhooks()).map(({ type }) => type)).toEqual([
      'paylink.paid',
      'paylink.payment_reverted',
      'paylink.paid',
    ]);
  });

  it('stays counted when a report of its transaction is checked or decided later', async () => {
    await listens();
    const { id } = await created();
    const { order } = await execute(await opened(id));
    const hash = someHash();
    const reported = { id, txHash: hash };
    expect(await merchant.call(recordPayLinkPayment, reported)).toMatchObject({ status: 'unverifiable' });
    const [report] = await paymentsOf(id);
    await orderEvent(order.order_id, 'order-settled', 3, hash);
    await eventually(async () => expect(await countOf(id)).toBe(1));
    // A check of the report started before, and ends now.
    const due = { id: report!.id, linkId: id, chain: 'base', txHash: hash };
    const settlement = merchant.apps[0]!.context.get(PaymentSettlement, { strict: false });
    await settlement.follow(due, { kind: 'unavailable' }, callContext({ principal: 'watcher' }));
    await merchant.call(rejectPayLinkPayment, { id, paymentId: due.id }, walletPrincipal(shop));
    expect(await countOf(id)).toBe(1);
    expect((await paymentsOf(id)).map(({ status }) => status).sort()).toEqual(['counted', 'rejected']);
    expect((await webhooks()).map(({ type }) => type)).toEqual([
      'paylink.payment_unverifiable',
      'paylink.paid',
    ]);
  });

  it('counts when the order settles before the payment is recorded', async () => {
    const { id } = await created();
    const request = await opened(id);
    payOrders.beforeAnswer = async ({ reply }) => {
      await orderEvent(reply.order_id, 'order-settled', 3, someHash());
      await eventually(async () =>
        expect(
          await merchant.database.query('SELECT FROM orders WHERE id = $1', [reply.order_id]),
        ).toHaveLength(1),
      );
    };
    await execute(request);
    expect(await countOf(id)).toBe(1);
  });

  it('reserves no slot of maxPayments, and records one payment too many as an exception', async () => {
    const { id } = await created({ maxPayments: 1 });
    const orders = [];
    for (let count = 0; count < 3; count++) orders.push((await execute(await opened(id))).order.order_id);
    const unpaid = await opened(id);
    await Promise.all(orders.map((order) => orderEvent(order, 'order-settled', 3, someHash())));
    await eventually(async () => expect(await paymentsOf(id)).toHaveLength(3));
    expect(await countOf(id)).toBe(1);
    expect((await paymentsOf(id)).map(({ status }) => status).sort()).toEqual([
      'counted',
      'excess',
      'excess',
    ]);
    const { listExceptions } = exceptionsApi.operations;
    const { exceptions } = await merchant.call(listExceptions, {}, walletPrincipal(shop));
    expect(exceptions.map(({ kind, paylink_id }) => [kind, paylink_id])).toEqual(
      Array(2).fill(['excess', id]),
    );
    await expect(execute(unpaid)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(opened(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('closes with the link, but counts a payment that started before', async () => {
    const { id } = await created();
    const [begun, idle] = [await opened(id), await opened(id)];
    const { order } = await execute(begun);
    await merchant.call(togglePayLink, { id, active: false }, walletPrincipal(shop));
    await expect(execute(idle)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await merchant.call(getPayment, { id: idle })).payment_request.status).toBe('canceled');
    await merchant.call(deletePayLink, { id }, walletPrincipal(shop));
    await orderEvent(order.order_id, 'order-settled', 3, someHash());
    await becomes(begun, 'completed');
    const [row] = await merchant.database.query('SELECT payment_count FROM paylinks WHERE id = $1', [id]);
    expect(row).toEqual({ payment_count: 1 });
  });

  it('returns its state and its attempt to the page of the link, without its options', async () => {
    const { id } = await created();
    const request = await opened(id);
    const { findPaymentRequest } = internalPaymentsApi.operations;
    const found = () => merchant.call(findPaymentRequest, { id: request });
    const open = { id: request, status: 'pending', amount: '1000000', paylink_id: id, attempt: null };
    expect(await found()).toEqual(open);
    const { payment_id, order } = await execute(request);
    const holder = 'tab-0123456789abcdef';
    const claim = { payment_id, action: 'ask' as const, holder, version: 1_000, is_warned: false };
    expect(await merchant.call(changeAttempt, claim)).toEqual({ outcome: 'held' });
    expect(await found()).toMatchObject({ ...open, attempt: { payment_id, state: 'asking' } });
    await orderEvent(order.order_id, 'order-settled', 2_000, someHash());
    await becomes(request, 'completed');
    expect(await found()).toEqual({ ...open, status: 'completed' });
  });

  it('starts only once for one key and amount, also for concurrent calls', async () => {
    const { id } = await created();
    const key = v4();
    const ids = await Promise.all(Array.from({ length: 8 }, () => opened(id, { key })));
    expect(new Set(ids).size).toBe(1);
    expect(await opened(id, { key: v4() })).not.toBe(ids[0]);
    const own = walletPrincipal(shop);
    const { listPaymentRequests } = paymentRequestsApi.operations;
    expect((await merchant.call(listPaymentRequests, {}, own)).payment_requests).toEqual([]);
  });
});
