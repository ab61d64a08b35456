import {
  merchantPaymentsApi,
  paymentRequestsApi,
  PaymentRequestReply,
  PaymentRequestsReply,
  paymentsApi,
  PaymentsReply,
  settingsApi,
  StatsReply,
  type CreatePaymentRequest,
  type OrderChanged,
  type PaymentRequestsQuery,
  type PaymentRequestStatus,
  type PaymentsQuery,
} from '@tollbridge/contracts';
import { chains } from '@tollbridge/chains';
import { decode, DomainError, keyPrincipal, walletPrincipal } from '@tollbridge/rpc';
import { eventually, ManualClock, missingCases } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { readFileSync } from 'node:fs';
import { v4, v7 as uuid } from 'uuid';
import { Merchant } from '../../testing/merchant';
import { FakePayOrders } from '../../testing/fake-pay-orders';
import { requestStage } from './payment-requests.repository';

const {
  createPaymentRequest,
  listPaymentRequests,
  getPaymentRequest,
  cancelPaymentRequest,
  setReceiveAddress,
} = paymentRequestsApi.operations;
const { listPayments, merchantStats } = merchantPaymentsApi.operations;
const { executePayment } = paymentsApi.operations;
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const hour = 3_600_000;

// A Wednesday, so that day, week and month begin at different times.
const clock = new ManualClock(Date.parse('2026-11-18T12:00:00Z'));
let merchant: Merchant;
let payOrders: FakePayOrders;

beforeAll(async () => {
  merchant = await Merchant.start({
    clock,
    settings: { GATEWAY_PUBLIC_URL: 'https://api.example.com/', SANDBOX_EXPOSED: 'on' },
  });
  payOrders = await FakePayOrders.start(merchant.nats.url);
  payOrders.expiresAtMs = () => clock.now() + hour / 2;
});
afterAll(async () => {
  await payOrders?.close();
  await merchant?.close();
});

const sample = { amount: '1000000', currency: 'USDC', chain: 'base' };
const create = (changes: Partial<CreatePaymentRequest> = {}, as = walletPrincipal(wallet)) =>
  merchant.call(createPaymentRequest, { ...sample, ...changes }, as);
const read = (id: string, as = wallet) => merchant.call(getPaymentRequest, { id }, walletPrincipal(as));
const cancel = (id: string, as = wallet) => merchant.call(cancelPaymentRequest, { id }, walletPrincipal(as));
const list = (query: PaymentsQuery = {}, as = wallet) =>
  merchant.call(listPayments, query, walletPrincipal(as));
const stats = (as = wallet) => merchant.call(merchantStats, {}, walletPrincipal(as));

/** The names of the rejected fields. */
async function rejectedFields(given: Partial<CreatePaymentRequest>): Promise<string[]> {
  const error = await create(given).catch((thrown: DomainError) => thrown);
  if (!(error instanceof DomainError)) throw new Error('it was taken');
  expect(error.code).toBe('VALIDATION_ERROR');
  return (error.details as { field: string }[]).map(({ field }) => field).sort();
}

interface Paid {
  as: string;
  currency?: string;
  chain?: string;
  usd?: string | null;
  amount?: string;
}

/** Creates a request with a payment that completes immediately. */
async function pay({ as, currency = 'USDC', chain = 'eip155:8453', usd = '1', amount = '1000000' }: Paid) {
  const { id } = await create({ currency, chain, amount, receive_address: other }, walletPrincipal(as));
  const selected_option = { from_token: currency, from_chain: chain };
  const { payment_id, order } = await merchant.call(executePayment, { id, selected_option });
  await publishSettled(order.order_id, as, { settled_amount: amount, settled_value_usd: usd });
  return { id, payment_id };
}

async function publishSettled(order_id: string, as: string, changes: Partial<OrderChanged>): Promise<void> {
  const updated_at = new Date(clock.now()).toISOString();
  await merchant.publishOrder('order-settled', {
    order_id,
    created_by: as,
    merchant_id: as,
    updated_at,
    ...changes,
  });
}

describe('POST /api/v1/merchant/payment-requests', () => {
  it('200: stores the request and returns the URL of its checkout page', async () => {
    const metadata = { cart: '4711', items: [{ deep: { deeper: 'x'.repeat(100) } }], nul: '\u0000' };
    const given = {
      description: '<script>alert(1)</script> 🦊',
      metadata,
      success_url: 'https://shop.example/ok?a=1',
      cancel_url: 'https://shop.example/cart?a=1',
      expires_at: '2026-12-01T00:00:00Z',
    };
    const reply = await create(given);
    expect(decode(PaymentRequestReply, reply)).toMatchObject({ ok: true });
    expect(reply).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/),
      status: 'pending',
      amount: '1000000',
      currency: 'USDC',
      chain: 'eip155:8453',
      description: given.description,
      metadata,
      receive_address: wallet,
      receive_address_required: false,
      paylink_id: null,
      success_url: 'https://shop.example/ok?a=1',
      cancel_url: 'https://shop.example/cart?a=1',
      payment_link: `https://api.example.com/checkout/${reply.id}`,
      qr_code_url: `https://api.example.com/api/v1/payment/${reply.id}/qr.png`,
      completed_payments: 0,
      overpaid: false,
      expires_at: '2026-12-01T00:00:00.000Z',
      created_at: new Date(clock.now()).toISOString(),
      updated_at: new Date(clock.now()).toISOString(),
    });
    expect(await read(reply.id)).toEqual(reply);
  });

  it('200: accepts every spelling of chain, token and receiver, and the largest amount', async () => {
    const amount = String(2n ** 128n - 1n);
    const given = { chain: 'BASE', currency: 'usdc', receive_address: other.toLowerCase(), amount };
    expect(await create(given)).toMatchObject({
      chain: 'eip155:8453',
      currency: 'USDC',
      receive_address: other,
      amount,
    });
    const receive_address = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
    expect(await create({ chain: 'btc', currency: 'BTC', receive_address })).toMatchObject({
      receive_address,
    });
  });

  it('200: assigns a request that is created with an API key to the owner of the key', async () => {
    const { id } = await create({}, keyPrincipal(uuid(), wallet));
    expect((await read(id)).id).toBe(id);
  });

  it('400 VALIDATION_ERROR: rejects invalid amounts', async () => {
    const wrong = ['0', '-1', '1.5', '0.1+0.2', '١٢', '1e6', '01', '', ' 1', '0x10', `1${'0'.repeat(78)}`];
    for (const amount of [...wrong, String(2n ** 128n), 1_000_000 as unknown as string])
      expect(await rejectedFields({ amount })).toEqual(['amount']);
  });

  it('400 VALIDATION_ERROR: returns every invalid field at once', async () => {
    expect(
      await rejectedFields({
        chain: 'nowhere',
        success_url: 'javascript:alert(1)',
        cancel_url: 'data:text/html,x',
        amount: '0',
      }),
    ).toEqual(['amount', 'cancel_url', 'chain', 'success_url']);
    expect(
      await rejectedFields({ currency: 'NOPE', receive_address: '0x1', expires_at: '2020-01-01T00:00:00Z' }),
    ).toEqual(['currency', 'expires_at', 'receive_address']);
  });

  it('200: accepts a request without a receiver when the wallet is a contract of another chain', async () => {
    const contract = Wallet.createRandom().address;
    const signIn = 'INSERT INTO contract_wallets VALUES ($1, 8453, now())';
    await merchant.database.query(signIn, [contract]);
    const ask = (chain: string) => create({ chain }, walletPrincipal(contract));
    expect(await ask('base')).toMatchObject({ receive_address: contract });
    expect(await ask('arbitrum')).toMatchObject({ receive_address: '', receive_address_required: true });
  });

  it('400 VALIDATION_ERROR: rejects receivers without a key, and receivers of another chain', async () => {
    expect(await rejectedFields({ chain: 'btc', currency: 'BTC', receive_address: wallet })).toEqual([
      'receive_address',
    ]);
    const zeroAddress = `0x${'0'.repeat(40)}`;
    expect(await rejectedFields({ receive_address: zeroAddress })).toEqual(['receive_address']);
  });

  it('400 VALIDATION_ERROR: rejects metadata that is too large or too deep, and texts that are too long', async () => {
    const nested = (levels: number): Record<string, unknown> =>
      levels === 0 ? {} : { a: nested(levels - 1) };
    expect(await rejectedFields({ metadata: nested(5) })).toEqual(['metadata']);
    expect(await rejectedFields({ metadata: { x: 'x'.repeat(4_096) } })).toEqual(['metadata']);
    expect(await rejectedFields({ metadata: [1] as unknown as Record<string, unknown> })).toEqual([
      'metadata',
    ]);
    expect(await rejectedFields({ description: 'x'.repeat(501) })).toEqual(['description']);
    expect(await rejectedFields({ success_url: `https://x.example/${'x'.repeat(1_024)}` })).toEqual([
      'success_url',
    ]);
    expect(await rejectedFields({ wallet: other } as never)).toEqual(['wallet']);
    await expect(create({ metadata: nested(4), description: 'x'.repeat(500) })).resolves.toBeDefined();
  });

  it('400 VALIDATION_ERROR: rejects an expiry in the past, or more than a year away', async () => {
    for (const ms of [clock.now(), clock.now() + 367 * 24 * hour])
      expect(await rejectedFields({ expires_at: new Date(ms).toISOString() })).toEqual(['expires_at']);
  });

  it('503 RATE_UNAVAILABLE: rejects a price while no source of rates is configured', async () => {
    const { amount: _amount, ...place } = sample;
    const price = { amount: '49.90', currency: 'EUR' };
    const asked = merchant.call(createPaymentRequest, { ...place, price }, walletPrincipal(wallet));
    await expect(asked).rejects.toMatchObject({
      code: 'RATE_UNAVAILABLE',
      status: 503,
      details: { reason: 'unknown', pair: 'USDC/EUR' },
    });
  });
});

describe('a new request without chain, token or receiver', () => {
  const solanaWallet = 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB';
  const tonWallet = 'UQAfOEHwTpozSfZP4WJsbwRbVNbC2DnT4AAVGDMdbCAzUiJ7';
  const btc = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
  const solanaOther = '8GNb3m6RjiEu5tutbQ8sJv5EbrcJJBPC8kCHcSo77Nyo';
  const receiverRequired = { receive_address: '', receive_address_required: true };
  let shop: string;
  beforeEach(() => (shop = Wallet.createRandom().address));
  const store = (settings: object, of = shop) =>
    merchant.call(settingsApi.operations.putSettings, { settings } as never, walletPrincipal(of));
  const ask = (given: object, of = shop) =>
    merchant.call(createPaymentRequest, { amount: '1000000', ...given } as never, walletPrincipal(of));
  const problems = (asked: Promise<unknown>) =>
    asked.then(
      () => 'answered',
      ({ code, details }: DomainError) => [code, ...(details as { field: string; message: string }[])],
    );

  it('reads chain and token from defaultChain and defaultToken', async () => {
    await store({ defaultChain: 'Base', defaultToken: 'usdc' });
    const placed = { chain: 'eip155:8453', currency: 'USDC', receive_address: shop };
    expect(await ask({})).toMatchObject(placed);
    expect(await ask({ chain: 'arbitrum' })).toMatchObject({ chain: 'eip155:42161', currency: 'USDC' });
    expect(await ask({ currency: 'ETH' })).toMatchObject({ ...placed, currency: 'ETH' });
  });

  it.each([
    ['solana', 'USDC', 2n ** 64n - 1n],
    ['tron', 'TRX', 2n ** 63n - 1n],
  ])(
    'returns 400 for an amount that %s cannot transfer in %s, whether given or by default',
    async (chain, currency, most) => {
      await store({ defaultChain: chain, defaultToken: currency });
      const amount = String(most + 1n);
      for (const place of [{}, { chain }, { currency }, { chain, currency }])
        expect(await problems(ask({ amount, ...place }))).toEqual([
          'VALIDATION_ERROR',
          { field: 'amount', message: expect.stringContaining(`at most ${most}`) },
        ]);
    },
  );

  it('rejects a request without defaults, and returns the missing fields', async () => {
    const missing = (field: string, name: string) => ({
      field,
      message: `is missing. Send it, or set ${name} in your settings`,
    });
    const [chain, currency] = [missing('chain', 'defaultChain'), missing('currency', 'defaultToken')];
    expect(await problems(ask({}))).toEqual(['VALIDATION_ERROR', chain, currency]);
    expect(await problems(ask({ chain: 'base' }))).toEqual(['VALIDATION_ERROR', currency]);
    expect(await problems(ask({ currency: 'USDC' }))).toEqual(['VALIDATION_ERROR', chain]);
    await store({ defaultChain: '', defaultToken: null });
    expect(await problems(ask({}))).toEqual(['VALIDATION_ERROR', chain, currency]);
  });

  it.each([
    [{ defaultChain: 'nowhere', defaultToken: 'USDC' }, 'chain', 'the defaultChain of your settings is not'],
    [{ defaultChain: 5, defaultToken: 'USDC' }, 'chain', 'the defaultChain of your settings is not'],
    [{ defaultChain: 'base', defaultToken: 'NOPE' }, 'currency', 'the defaultToken of your settings is not'],
    [{ defaultChain: 'base', defaultToken: {} }, 'currency', 'the defaultToken of your settings is not'],
  ])('rejects invalid defaults in the settings: %j', async (settings, field, message) => {
    await store(settings);
    expect(await problems(ask({}))).toEqual([
      'VALIDATION_ERROR',
      { field, message: expect.stringContaining(message) },
    ]);
    expect(await ask({ chain: 'base', currency: 'USDC' })).toMatchObject({ chain: 'eip155:8453' });
  });

  it('validates its own fields against the default chain', async () => {
    await store({ defaultChain: 'base', defaultToken: 'USDC' });
    expect(await problems(ask({ currency: 'BTC' }))).toMatchObject([
      'VALIDATION_ERROR',
      { field: 'currency' },
    ]);
    expect(await problems(ask({ receive_address: btc }))).toMatchObject([
      'VALIDATION_ERROR',
      { field: 'receive_address' },
    ]);
  });

  it('uses the receiver of the settings on another family of chains, and accepts a request without one', async () => {
    const onSolana = { chain: 'solana', currency: 'USDC' };
    expect(await ask(onSolana)).toMatchObject(receiverRequired);
    await store({ receiveAddresses: { solana: solanaWallet, btc } });
    expect(await ask(onSolana)).toMatchObject({ receive_address: solanaWallet });
    expect(await ask({ chain: 'btc', currency: 'BTC' })).toMatchObject({ receive_address: btc });
    expect(await ask({ chain: 'base', currency: 'USDC' })).toMatchObject({ receive_address: shop });
    expect(await ask({ chain: 'ltc', currency: 'LTC' })).toMatchObject(receiverRequired);
    expect(await ask({ chain: 'ton', currency: 'TON' })).toMatchObject(receiverRequired);
    await store({ receiveAddresses: { evm: other } });
    expect(await ask({ chain: 'base', currency: 'USDC' })).toMatchObject({ receive_address: other });
  });

  it.each(chains.filter(({ family }) => family !== 'evm').map(({ id, tokens }) => [id, tokens[0]!.symbol]))(
    'accepts the five specified fields alone, and has no receiver on %s yet when the wallet is of an EVM chain',
    async (chain, currency) => {
      const { id, ...created } = await ask({ chain, currency, description: 'Tea', metadata: { cart: 17 } });
      expect(created).toMatchObject({ ...receiverRequired, status: 'pending', description: 'Tea' });
      expect(created.payment_link).toContain(id);
      const shown = await merchant.call(paymentsApi.operations.getPayment, { id });
      expect(shown).toMatchObject({ payment_request: receiverRequired, payment_options: [] });
      const selected_option = { from_token: currency!, from_chain: chain! };
      await expect(merchant.call(executePayment, { id, selected_option })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('has not named an address'),
      });
    },
  );

  it('can be paid after the settings have a receiver, and keeps the receiver of the first payment', async () => {
    const { id } = await ask({ chain: 'solana', currency: 'USDC' });
    const read = () => merchant.call(getPaymentRequest, { id }, walletPrincipal(shop));
    expect(await read()).toMatchObject(receiverRequired);
    await store({ receiveAddresses: { solana: solanaWallet } });
    expect(await read()).toMatchObject({ receive_address: solanaWallet, receive_address_required: false });
    const [listed] = (await merchant.call(listPaymentRequests, {}, walletPrincipal(shop))).payment_requests;
    expect(listed).toMatchObject({ receive_address: solanaWallet });
    const selected_option = { from_token: 'USDC', from_chain: 'solana' };
    await Promise.all([1, 2, 3].map(() => merchant.call(executePayment, { id, selected_option })));
    await store({ receiveAddresses: { solana: solanaOther } });
    expect(await read()).toMatchObject({ receive_address: solanaWallet });
    expect(payOrders.orders.at(-1)!.request).toMatchObject({
      merchant_address: solanaWallet,
      fee_receiver: solanaWallet,
    });
  });

  it('uses the only address that the merchant has proven on the chain, but none of several', async () => {
    const prove = (address: string) =>
      merchant.database.query(
        `INSERT INTO proven_receivers (wallet, address, scheme, chain_id, proven_at) VALUES ($1, $2, 'solana', 0, now())`,
        [shop, address],
      );
    await prove(solanaWallet);
    const onSolana = { chain: 'solana', currency: 'USDC' };
    expect(await ask(onSolana)).toMatchObject({ receive_address: solanaWallet });
    expect(await ask({ chain: 'ton', currency: 'TON' })).toMatchObject(receiverRequired);
    await prove(solanaOther);
    expect(await ask(onSolana)).toMatchObject(receiverRequired);
  });

  it('pays a TON or Solana wallet on its own chain only', async () => {
    for (const [of, chain, currency] of [
      [tonWallet, 'ton', 'TON'],
      [solanaWallet, 'solana', 'SOL'],
    ] as const) {
      expect(await ask({ chain, currency }, of)).toMatchObject({ receive_address: of });
      expect(await ask({ chain: 'base', currency: 'USDC' }, of)).toMatchObject(receiverRequired);
    }
  });

  it('returns to payers the current name of the shop', async () => {
    const { id } = await ask({ chain: 'base', currency: 'USDC' });
    const shown = async () =>
      (await merchant.call(paymentsApi.operations.getPayment, { id })).payment_request.store_name;
    expect(await shown()).toBeNull();
    await store({ storeName: 'Corner \u202eCafé' });
    expect(await shown()).toBe('Corner Café');
    await store({});
    expect(await shown()).toBeNull();
  });
});

describe('GET /api/v1/merchant/payment-requests', () => {
  const mine = Wallet.createRandom().address;
  const made = {} as Record<PaymentRequestStatus, string>;
  let start: string;
  const listed = (query: PaymentRequestsQuery = {}, as = mine) =>
    merchant.call(listPaymentRequests, query, walletPrincipal(as));
  const ids = ({ payment_requests: requests }: PaymentRequestsReply) => requests.map(({ id }) => id);
  const createMine = async (changes: Partial<CreatePaymentRequest> = {}) =>
    (await create(changes, walletPrincipal(mine))).id;

  beforeAll(async () => {
    start = new Date(clock.now()).toISOString();
    made.expired = await createMine({ expires_at: new Date(clock.now() + 1_000).toISOString() });
    clock.advance(hour);
    made.canceled = await createMine();
    await cancel(made.canceled, mine);
    made.completed = (await pay({ as: mine })).id;
    made.processing = await createMine({ receive_address: other });
    const selected_option = { from_token: 'USDC', from_chain: 'base' };
    const { order } = await merchant.call(executePayment, { id: made.processing, selected_option });
    await merchant.publishOrder('order-settling', {
      order_id: order.order_id,
      status: 'settling',
      version: 2,
    });
    clock.advance(hour);
    made.pending = await createMine({ expires_at: new Date(clock.now() + hour).toISOString() });
    await eventually(async () => {
      expect((await read(made.completed, mine)).status).toBe('completed');
      expect((await read(made.processing, mine)).status).toBe('processing');
    });
  });

  it('200: lists requests page by page, newest first and without repeats', async () => {
    const all = await listed();
    expect(decode(PaymentRequestsReply, all)).toMatchObject({ ok: true });
    expect([all.limit, all.next_cursor, all.payment_requests.length]).toEqual([20, null, 5]);
    expect(new Set(ids(all))).toEqual(new Set(Object.values(made)));
    expect([ids(all)[0], ids(all)[4]]).toEqual([made.pending, made.expired]);
    expect(all.payment_requests[0]).toEqual(await read(made.pending, mine));
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: PaymentRequestsReply = await listed({ limit: 2, ...(cursor !== null && { cursor }) });
      expect(page.limit).toBe(2);
      found.push(...ids(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(found).toEqual(ids(all));
  });

  it.each(['pending', 'processing', 'completed', 'expired', 'canceled'] as const)(
    '200: filters by status %s, which the reply contains too',
    async (status) => {
      const found = await listed({ status });
      expect(ids(found)).toEqual([made[status]]);
      expect(found.payment_requests[0]!.status).toBe(status);
    },
  );

  it('200: filters by creation time', async () => {
    const to = new Date(clock.now()).toISOString();
    expect(ids(await listed({ from: to }))).toEqual([made.pending]);
    expect(ids(await listed({ from: start, to }))).toHaveLength(4);
    expect(ids(await listed({ to: start }))).toEqual([]);
  });

  it('200: lists no request of another merchant, and treats a limit above 100 as 100', async () => {
    const nothing = { payment_requests: [], limit: 100, next_cursor: null };
    expect(await listed({ limit: 1_000 }, Wallet.createRandom().address)).toEqual(nothing);
  });

  it('uses an index for the list and for each status', async () => {
    for (const condition of ['true', requestStage + " = 'open'"]) {
      const plan = await merchant.database.query<Record<string, string>>(
        `EXPLAIN SELECT * FROM payment_requests WHERE wallet = $1 AND ${condition}
         ORDER BY created_at DESC, id DESC LIMIT 20`.replace('$1', `'${mine}'`),
      );
      const text = plan.map((row) => Object.values(row)[0]).join(' ');
      expect(text).toContain(condition === 'true' ? 'payment_requests_wallet' : 'payment_requests_stage');
      expect(text).not.toContain('Sort');
    }
  });

  it('400 VALIDATION_ERROR: rejects an invalid limit, cursor, status and time', async () => {
    const wrong: PaymentRequestsQuery[] = [
      { limit: 0 },
      { cursor: 'x' },
      { status: 'settled' as never },
      { from: 'yesterday' },
      { to: '2026-02-30T00:00:00Z' },
    ];
    for (const query of wrong)
      await expect(listed(query)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field: Object.keys(query)[0] }],
      });
  });
});

describe('GET /api/v1/merchant/payment-requests/{id}', () => {
  it('200: expires at its expiry time, and not before', async () => {
    const { id } = await create({ expires_at: new Date(clock.now() + 1_000).toISOString() });
    clock.advance(999);
    expect((await read(id)).status).toBe('pending');
    clock.advance(1);
    expect((await read(id)).status).toBe('expired');
  });

  it('400 VALIDATION_ERROR: rejects an id that is too long', async () => {
    await expect(read('x'.repeat(65))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('NOT_FOUND: returns the same error for a request of another merchant and an invalid id', async () => {
    const { id } = await create();
    const rejection = (as: string, of: string) =>
      read(of, as).catch(({ code, message, details }: DomainError) => ({ code, message, details }));
    const foreign = await rejection(other, id);
    expect(foreign).toMatchObject({ code: 'NOT_FOUND' });
    for (const unknown of [v4(), 'undefined']) expect(await rejection(other, unknown)).toEqual(foreign);
  });
});

describe('POST /api/v1/merchant/payment-requests/{id}/cancel', () => {
  it('200: cancels the request, and returns the same reply for a repeated call', async () => {
    const { id } = await create();
    const canceled = await cancel(id);
    expect(canceled).toMatchObject({ id, status: 'canceled' });
    clock.advance(1_000);
    expect(await cancel(id)).toEqual(canceled);
    expect(await read(id)).toEqual(canceled);
  });

  it('200: keeps concurrently started payments payable, and starts none after the cancellation', async () => {
    const { id } = await create();
    const selected_option = { from_token: 'USDC', from_chain: 'base' };
    const executions = Array.from({ length: 10 }, () =>
      merchant.call(executePayment, { id, selected_option }),
    );
    const [canceled, ...outcomes] = await Promise.allSettled([cancel(id), ...executions]);
    expect(canceled).toMatchObject({ status: 'fulfilled', value: { status: 'canceled' } });
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' });
    await expect(merchant.call(executePayment, { id, selected_option })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('400 VALIDATION_ERROR: rejects an id that is too long', async () => {
    await expect(cancel('x'.repeat(65))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('NOT_FOUND: rejects an unknown request and a request of another merchant', async () => {
    const { id } = await create();
    await expect(cancel(v4())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(cancel(id, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await read(id)).status).toBe('pending');
  });

  it('200: cancels a request with a submitted payment that is not seen on the chain', async () => {
    const { id } = await create();
    const selected_option = { from_token: 'USDC', from_chain: 'base' };
    const { order, payment_id } = await merchant.call(executePayment, { id, selected_option });
    const report = { order_id: order.order_id, status: 'settling', payment_seen: false, version: 2 } as const;
    await merchant.publishOrder('order-settling', report);
    await eventually(async () => {
      const [row] = await merchant.database.query('SELECT order_status FROM payments WHERE id = $1', [
        payment_id,
      ]);
      expect(row).toEqual({ order_status: 'settling' });
    });
    await cancel(id);
    expect((await read(id)).status).toBe('canceled');
  });

  it('CONFLICT: rejects an expired, a processing and a paid request', async () => {
    const expired = await create({ expires_at: new Date(clock.now() + 1).toISOString() });
    clock.advance(1);
    const paid = await pay({ as: wallet });
    await eventually(async () => expect((await read(paid.id)).status).toBe('completed'));
    const seen = await create();
    const selected_option = { from_token: 'USDC', from_chain: 'base' };
    const { order } = await merchant.call(executePayment, { id: seen.id, selected_option });
    await merchant.publishOrder('order-settling', {
      order_id: order.order_id,
      status: 'settling',
      version: 2,
    });
    await eventually(async () => expect((await read(seen.id)).status).toBe('processing'));
    for (const { id } of [expired, paid, seen])
      await expect(cancel(id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('GET /api/v1/merchant/payments', () => {
  const mine = Wallet.createRandom().address;
  let made: string[];
  beforeAll(async () => {
    made = [];
    for (let index = 0; index < 5; index++) {
      const currency = index === 4 ? 'ETH' : 'USDC';
      made.unshift((await pay({ as: mine, currency })).payment_id);
      // The last two payments have the same time, so only their ids differ.
      if (index < 3) clock.advance(hour);
    }
    const { id } = await create({}, walletPrincipal(mine));
    const selected_option = { from_token: 'USDC', from_chain: 'base' };
    clock.advance(hour);
    made.unshift((await merchant.call(executePayment, { id, selected_option })).payment_id);
    await eventually(async () => expect((await list({ status: 'completed' }, mine)).total).toBe(5));
  });
  const ids = ({ payments }: PaymentsReply) => payments.map(({ payment_id }) => payment_id);

  it('200: lists payments page by page, newest first and without repeats', async () => {
    const all = await list({}, mine);
    expect(decode(PaymentsReply, all)).toMatchObject({ ok: true });
    expect(all).toMatchObject({ total: 6, total_is_capped: false, limit: 20, next_cursor: null });
    expect(new Set(ids(all))).toEqual(new Set(made));
    expect(ids(all)[0]).toBe(made[0]);
    expect(all.payments[1]).toMatchObject({
      status: 'completed',
      amount: '1000000',
      chain: 'eip155:8453',
      from_chain: 'eip155:8453',
      execution_strategy: 'direct',
      settled_amount: '1000000',
      settled_value_usd: '1',
    });
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: PaymentsReply = await list({ limit: 2, ...(cursor !== null && { cursor }) }, mine);
      expect([page.limit, page.total]).toEqual([2, 6]);
      found.push(...ids(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(found).toEqual(ids(all));
  });

  it('200: filters by state, currency, chain and time', async () => {
    expect(ids(await list({ status: 'executing' }, mine))).toEqual([made[0]]);
    expect((await list({ currency: 'eth', chain: 'base' }, mine)).total).toBe(1);
    expect((await list({ currency: 'USDC' }, mine)).total).toBe(5);
    expect((await list({ chain: 'arb' }, mine)).total).toBe(0);
    const to = new Date(clock.now()).toISOString();
    expect((await list({ to }, mine)).total).toBe(5);
    expect(ids(await list({ from: to }, mine))).toEqual([made[0]]);
  });

  it('200: lists no payment of another merchant, and treats a limit above 100 as 100', async () => {
    expect(await list({ limit: 1_000 }, Wallet.createRandom().address)).toEqual({
      payments: [],
      total: 0,
      total_is_capped: false,
      limit: 100,
      next_cursor: null,
    });
  });

  it('200: counts up to 10,000 payments, and marks a capped total', async () => {
    const busy = Wallet.createRandom().address;
    const { id } = await create({}, walletPrincipal(busy));
    const selected_option = { from_token: 'USDC', from_chain: 'base' };
    const { payment_id } = await merchant.call(executePayment, { id, selected_option });
    const fields = (
      await merchant.database.query<{ column_name: string }>(
        `SELECT column_name FROM information_schema.columns WHERE table_name = 'payments'
           AND column_name NOT IN ('id', 'order_id', 'created_at')`,
      )
    ).map(({ column_name }) => column_name);
    await merchant.database.query(
      `INSERT INTO payments (id, order_id, created_at, ${fields.join(', ')})
       SELECT gen_random_uuid(), gen_random_uuid(), created_at - n * interval '1 s', ${fields.join(', ')}
       FROM payments, generate_series(1, 10000) n WHERE id = $1`,
      [payment_id],
    );
    expect(await list({ limit: 1 }, busy)).toMatchObject({ total: 10_000, total_is_capped: true });
  });

  it('400 VALIDATION_ERROR: rejects an invalid limit, cursor, state, chain and time', async () => {
    const wrong: PaymentsQuery[] = [
      { limit: 0 },
      { limit: -1 },
      { limit: 'abc' as never },
      { cursor: 'x' },
      { status: 'settled' as never },
      { chain: 'nowhere' },
      { from: 'yesterday' },
      { to: '2026-02-30T00:00:00Z' },
    ];
    for (const query of wrong)
      await expect(list(query)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field: Object.keys(query)[0] }],
      });
  });
});

describe('GET /api/v1/merchant/stats', () => {
  it('200: sums the received amounts of the day, the week and the month', async () => {
    const mine = Wallet.createRandom().address;
    const at = async (time: string, paid: Omit<Paid, 'as'> = {}) => {
      clock.set(Date.parse(time));
      await pay({ as: mine, ...paid });
    };
    await at('2026-10-31T23:59:59.999Z', { usd: '1000' });
    await at('2026-11-01T00:00:00.000Z', { usd: '10.5' });
    await at('2026-11-15T23:59:59.999Z', { amount: String(10n ** 30n), currency: 'ETH', usd: '0.25' });
    await at('2026-11-16T00:00:00.000Z', { usd: null });
    await at('2026-11-17T23:59:59.999Z', { usd: '2' });
    await at('2026-11-18T00:00:00.000Z', { usd: '0.1' });
    await at('2026-11-18T11:00:00.000Z', { chain: 'eip155:42161', usd: '0.2' });
    clock.set(Date.parse('2026-11-18T12:00:00Z'));
    await eventually(async () => expect((await stats(mine)).this_month.total_payments).toBe(6));
    const reply = await stats(mine);
    expect(decode(StatsReply, reply)).toMatchObject({ ok: true });
    const usdc = (total_payments: number, total_amount: string, chain = 'eip155:8453') => ({
      currency: 'USDC',
      chain,
      total_payments,
      total_amount,
    });
    const eth = { ...usdc(1, `1${'0'.repeat(30)}`), currency: 'ETH' };
    const arbitrum = usdc(1, '1000000', 'eip155:42161');
    expect(reply).toEqual({
      today: {
        total_payments: 2,
        total_amount: 0.3,
        currency: 'USD',
        unpriced_payments: 0,
        by_currency: [arbitrum, usdc(1, '1000000')],
      },
      this_week: {
        total_payments: 4,
        total_amount: 2.3,
        currency: 'USD',
        unpriced_payments: 1,
        by_currency: [arbitrum, usdc(3, '3000000')],
      },
      this_month: {
        total_payments: 6,
        total_amount: 13.05,
        currency: 'USD',
        unpriced_payments: 1,
        by_currency: [eth, arbitrum, usdc(4, '4000000')],
      },
    });
  });

  it('200: returns zeros for a merchant without payments', async () => {
    const none = {
      total_payments: 0,
      total_amount: 0,
      currency: 'USD',
      unpriced_payments: 0,
      by_currency: [],
    };
    expect(await stats(Wallet.createRandom().address)).toEqual({
      today: none,
      this_week: none,
      this_month: none,
    });
  });

  it('400 VALIDATION_ERROR: rejects unknown fields', async () => {
    const asked = merchant.call(merchantStats, { wallet: other } as never, walletPrincipal(wallet));
    await expect(asked).rejects.toMatchObject({ details: [{ field: 'wallet' }] });
  });
});

describe('POST /api/v1/merchant/payment-requests/{id}/receive-address', () => {
  const btc = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
  const name = (id: string, receive_address: string, as = wallet) =>
    merchant.call(setReceiveAddress, { id, receive_address }, walletPrincipal(as));

  it('200: sets the receiver of a request without one, and accepts the same address again', async () => {
    const { id } = await create({ chain: 'btc', currency: 'BTC' });
    for (let times = 0; times < 2; times++)
      expect(await name(id, btc)).toMatchObject({ receive_address: btc, receive_address_required: false });
    const { payment_options } = await merchant.call(paymentsApi.operations.getPayment, {
      id,
      payer_address: btc,
    });
    expect(payment_options).not.toHaveLength(0);
  });

  it('400 VALIDATION_ERROR: rejects an address that cannot be paid on the chain', async () => {
    const { id } = await create({ chain: 'btc', currency: 'BTC' });
    await expect(name(id, wallet)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'receive_address' }],
    });
  });

  it('409 CONFLICT: rejects another address when the receiver is fixed', async () => {
    const { id } = await create({});
    await expect(name(id, other)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('404 NOT_FOUND: rejects an unknown request and a request of another merchant', async () => {
    const { id } = await create({ chain: 'btc', currency: 'BTC' });
    for (const [of, as] of [[uuid()], ['x'], [id, other]] as const)
      await expect(name(of, btc, as)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('covers each declared error', () => {
  const operations = [paymentRequestsApi, merchantPaymentsApi].flatMap((api) =>
    Object.values(api.operations),
  );
  expect(missingCases(operations, readFileSync(__filename, 'utf8'))).toEqual([]);
});
