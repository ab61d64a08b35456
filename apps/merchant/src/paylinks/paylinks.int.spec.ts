import {
  exceptionsApi,
  PayLink,
  PayLinkPayment,
  PayLinkPaymentChanged,
  paylinkPaymentsApi,
  paylinksApi,
  publicPaylinksApi,
  PublicPayLink,
  settingsApi,
  type CreatePayLinkRequest,
  type ExceptionsQuery,
} from '@tollbridge/contracts';
import { callContext, decode, walletPrincipal, type DomainError, type Operation } from '@tollbridge/rpc';
import { eventually, missingCases } from '@tollbridge/testing';
import { readFileSync } from 'node:fs';
import { v4 as uuid } from 'uuid';
import { PaymentRequestsRepository } from '../payments/requests/payment-requests.repository';
import {
  blindChain,
  confirmations,
  merchantWallet,
  PayLinkHarness,
  receiver,
  someWallet,
} from '../testing/paylink-harness';

const { listPayLinks, createPayLink, togglePayLink, deletePayLink } = paylinksApi.operations;
const { startPayLinkCheckout, getPublicPayLink } = publicPaylinksApi.operations;
const { recordPayLinkPayment, listPayLinkPayments, confirmPayLinkPayment, rejectPayLinkPayment } =
  paylinkPaymentsApi.operations;
const { listExceptions, resolveException } = exceptionsApi.operations;
let harness: PayLinkHarness;
beforeAll(async () => {
  harness = await PayLinkHarness.start({ hasElsewhere: true });
  // A second replica of the merchant app shares the work.
  await harness.startApp();
});
afterAll(() => harness?.close());

const call = <I, O>(operation: Operation<I, O>, input: unknown, wallet = merchantWallet): Promise<O> =>
  harness.merchant.call(operation, input as I, walletPrincipal(wallet));

async function failure(calling: Promise<unknown>): Promise<DomainError> {
  const outcome = await calling.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  if ('answer' in outcome) throw new Error(`answered ${JSON.stringify(outcome.answer)}`);
  return outcome.error as DomainError;
}

const badFields = async (calling: Promise<unknown>): Promise<string[]> => {
  const { code, details } = await failure(calling);
  expect(code).toBe('VALIDATION_ERROR');
  return (details as { field: string }[]).map(({ field }) => field);
};

const rejected = (error: string) => ({ success: false, verified: false, error });
const unverifiable = { success: false, verified: false, status: 'unverifiable' };
const madeUp = (digit: string) => `0x${digit.repeat(64)}`;
const exceptionsOf = async (wallet: string, query: ExceptionsQuery = {}) =>
  (await harness.merchant.call(listExceptions, query, walletPrincipal(wallet))).exceptions;
/** Creates a link, and gives it a price as if its rate had been known then. */
async function createPriced(): Promise<string> {
  const { id } = await harness.create();
  const rate = {
    pair: 'USDC/EUR',
    value: '0.92',
    source: 'ecb',
    time: '2026-11-20T12:00:00.000Z',
    spread_bps: 0,
  };
  const conversion = JSON.stringify({ price: { amount: '3.50', currency: 'EUR' }, rate });
  await harness.merchant.database.query('UPDATE paylinks SET conversion = $2 WHERE id = $1', [
    id,
    conversion,
  ]);
  return id;
}

const noRate = { code: 'RATE_UNAVAILABLE', details: { reason: 'unknown', pair: 'USDC/EUR' } };
const publicView = (id: string) => harness.merchant.call(getPublicPayLink, { id });
const soon = (seconds: number) => new Date(harness.clock.now() + seconds * 1_000).toISOString();

/** The cursor of the next page, which the gateway writes into the header `Link`. */
const nextOf = async (operation: Operation<any, any>, wallet: string, query: object) => {
  const json = Buffer.from(JSON.stringify(query));
  const context = callContext({ principal: walletPrincipal(wallet) });
  return (await harness.merchant.client.callBytes(operation, json, context)).page?.next;
};

describe('POST /api/paylinks', () => {
  it('200: creates a link and returns all of its fields', async () => {
    const now = harness.clock.now();
    const link = await harness.create({
      network: 'base',
      token: 'usdc',
      receiveAddress: receiver.toLowerCase(),
      imageUrl: 'https://shop.example/a.png',
      expiresAt: soon(3_600),
      maxPayments: 5,
      metadata: { table: 7, list: [null] },
      successUrl: 'http://localhost:8080/thanks',
      cancelUrl: 'http://localhost:8080/cart',
    });
    expect(decode(PayLink, link)).toMatchObject({ ok: true });
    expect(link).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      wallet_address: merchantWallet,
      name: 'Espresso',
      amount: '3500000',
      token: 'USDC',
      network: 'eip155:8453',
      description: 'A double one',
      receive_address: receiver,
      receiver_verified: false,
      image_url: 'https://shop.example/a.png',
      active: true,
      payment_count: 0,
      unverified_count: 0,
      verifiable: true,
      reference: `0x7462706c${link.id.replaceAll('-', '')}`,
      open_amount: false,
      min_amount: null,
      expires_at: link.expires_at,
      max_payments: 5,
      metadata: { table: 7, list: [null] },
      success_url: 'http://localhost:8080/thanks',
      cancel_url: 'http://localhost:8080/cart',
      created_at: link.created_at,
      updated_at: link.created_at,
    });
    expect(Math.abs(Date.parse(link.created_at) - now)).toBeLessThan(5_000);
  });

  it('200: creates a link with an amount that the payer chooses', async () => {
    const { amount: _, ...request } = harness.request({ openAmount: true });
    expect(await call(createPayLink, request)).toMatchObject({
      amount: '0',
      open_amount: true,
      min_amount: '1',
    });
    expect(await harness.create({ openAmount: true, amount: '0', minAmount: '5' })).toMatchObject({
      amount: '0',
      min_amount: '5',
    });
  });

  it('200: accepts each network, with addresses in the format of the network', async () => {
    const link = await harness.create({
      network: 'btc',
      token: 'BTC',
      receiveAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    });
    expect(link).toMatchObject({
      network: 'bip122:000000000019d6689c085ae165831e93',
      token: 'BTC',
      verifiable: false,
      reference: null,
    });
    expect(link).not.toHaveProperty('image_url');
  });

  it.each<[string, Partial<Record<keyof CreatePayLinkRequest, unknown>>, string[]]>([
    ['an empty name', { name: '' }, ['name']],
    ['a name that is too long', { name: 'x'.repeat(121) }, ['name']],
    ['a description that is too long', { description: 'x'.repeat(501) }, ['description']],
    ['no amount', { amount: undefined }, ['amount']],
    ['an amount of 0', { amount: '0' }, ['amount']],
    ['an amount that is a number', { amount: 1 }, ['amount']],
    ['an amount with a point', { amount: '1.5' }, ['amount']],
    ['an amount together with an open amount', { openAmount: true }, ['amount']],
    ['a minimum without an open amount', { minAmount: '1' }, ['minAmount']],
    ['a minimum of 0', { openAmount: true, amount: '0', minAmount: '0' }, ['minAmount']],
    [
      'an open amount on a network without a node',
      { openAmount: true, amount: '0', network: blindChain },
      ['openAmount'],
    ],
    [
      'an amount that the network can transfer in tokens but not in its coin',
      {
        network: 'tron',
        token: 'TRX',
        receiveAddress: 'TPswDDCAWhJAZGdHPidFg5nEf8TkNToDX1',
        amount: String(2n ** 63n),
      },
      ['amount'],
    ],
    ['an unknown network', { network: 'moon' }, ['network']],
    ['a token that the network does not have', { token: 'DOGE' }, ['token']],
    [
      'an address of another network',
      { receiveAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' },
      ['receiveAddress'],
    ],
    ['a wrong checksum', { receiveAddress: merchantWallet.replace('C5', 'c5') }, ['receiveAddress']],
    ['the zero address', { receiveAddress: `0x${'0'.repeat(40)}` }, ['receiveAddress']],
    ['a burn address', { receiveAddress: '0x000000000000000000000000000000000000dEaD' }, ['receiveAddress']],
    ['an image URL that is not https', { imageUrl: 'http://169.254.169.254/latest' }, ['imageUrl']],
    ['an image URL that is a script', { imageUrl: 'javascript:alert(1)' }, ['imageUrl']],
    ['an image URL that is a file', { imageUrl: 'file:///etc/passwd' }, ['imageUrl']],
    ['a success URL that is data', { successUrl: 'data:text/html,x' }, ['successUrl']],
    ['a cancel URL that is a script', { cancelUrl: 'javascript:alert(1)' }, ['cancelUrl']],
    ['a cancel URL that is data', { cancelUrl: 'data:text/html,x' }, ['cancelUrl']],
    ['a success URL with a password', { successUrl: 'https://a:b@shop.example/' }, ['successUrl']],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, ['expiresAt']],
    ['an expiry that is not a time', { expiresAt: 'tomorrow' }, ['expiresAt']],
    ['a maximum of 0 payments', { maxPayments: 0 }, ['maxPayments']],
    ['metadata that is not an object', { metadata: [1] }, ['metadata']],
    ['metadata that is too large', { metadata: { a: 'x'.repeat(4_096) } }, ['metadata']],
    [
      'fields that only the server sets',
      { payment_count: 5, wallet_address: 'x', active: false } as never,
      ['payment_count', 'wallet_address', 'active'],
    ],
    [
      'several invalid fields',
      { name: '', network: 'moon', imageUrl: 'x', expiresAt: '2020-01-01T00:00:00Z' },
      ['name', 'network', 'imageUrl', 'expiresAt'],
    ],
  ])('400 VALIDATION_ERROR: rejects %s', async (_title, changes, fields) => {
    expect((await badFields(harness.create(changes as never))).sort()).toEqual(fields.sort());
  });

  it('400 VALIDATION_ERROR: rejects the contract of the token as the receiver', async () => {
    expect(await badFields(harness.create({ receiveAddress: harness.chain.usdc.address }))).toEqual([
      'receiveAddress',
    ]);
  });

  it('409 CONFLICT: rejects link number 1,001 of a wallet, also when links are created concurrently', async () => {
    const wallet = someWallet();
    await harness.create({}, wallet);
    await harness.merchant.database.query(
      `INSERT INTO paylinks (id, wallet, name, description, amount, chain, token, decimals, receive_address, created_at, updated_at)
       SELECT gen_random_uuid(), wallet, name, description, amount, chain, token, decimals, receive_address, created_at, updated_at
       FROM paylinks, generate_series(1, 989) WHERE wallet = $1`,
      [wallet],
    );
    const made = await Promise.allSettled(Array.from({ length: 20 }, () => harness.create({}, wallet)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const { id } = (await call(listPayLinks, {}, wallet))[0]!;
    expect(await failure(harness.create({}, wallet))).toMatchObject({ code: 'CONFLICT' });
    await harness.remove(id, wallet);
    await harness.create({}, wallet);
  });

  it('503 RATE_UNAVAILABLE: rejects a price while no source of rates is configured', async () => {
    const asked = harness.create({ amount: '0', price: { amount: '3.50', currency: 'EUR' } });
    expect(await failure(asked)).toMatchObject(noRate);
  });
});

describe('a new link without network and token', () => {
  const { putSettings } = settingsApi.operations;
  const store = (settings: object, wallet: string) => call(putSettings, { settings }, wallet);
  const unplaced = (changes: object = {}) => {
    const { network: _network, token: _token, ...rest } = harness.request();
    return { ...rest, ...changes };
  };

  it('reads both from defaultChain and defaultToken of the settings', async () => {
    const wallet = someWallet();
    const storefront = {
      storeName: 'Corner Café',
      storeColor: '#1d4fc4',
      storeLogo: null,
      embedOrigins: ['https://shop.example'],
    };
    await store({ defaultChain: 'base', defaultToken: 'USDC', ...storefront }, wallet);
    const link = await call(createPayLink, unplaced(), wallet);
    expect(link).toMatchObject({ network: 'eip155:8453', token: 'USDC' });
    expect(await publicView(link.id)).toMatchObject(storefront);
    const placed = await call(createPayLink, unplaced({ token: 'ETH' }), wallet);
    expect(placed).toMatchObject({ network: 'eip155:8453', token: 'ETH' });
  });

  it('rejects fields without a usable default, and validates the other fields with the default', async () => {
    const wallet = someWallet();
    expect(await badFields(call(createPayLink, unplaced(), wallet))).toEqual(['network', 'token']);
    await store({ defaultChain: 'nowhere', defaultToken: 'USDC' }, wallet);
    expect(await badFields(call(createPayLink, unplaced(), wallet))).toEqual(['network']);
    await store({ defaultChain: 'btc', defaultToken: 'BTC' }, wallet);
    expect(await badFields(call(createPayLink, unplaced(), wallet))).toEqual(['receiveAddress']);
  });
});

describe('GET /api/paylinks', () => {
  it('200: returns the links of this wallet in pages, newest first', async () => {
    const wallet = someWallet();
    expect(await call(listPayLinks, {}, wallet)).toEqual([]);
    const made = [];
    for (let count = 0; count < 3; count++) made.unshift(await harness.create({ name: `${count}` }, wallet));
    expect(await call(listPayLinks, {}, wallet)).toEqual(made);
    expect(await call(listPayLinks, { limit: 2 }, wallet)).toEqual(made.slice(0, 2));
    expect(await nextOf(listPayLinks, wallet, { limit: 2 })).toBe(made[1]!.id);
    expect(await nextOf(listPayLinks, wallet, { limit: 3 })).toBeUndefined();
    expect(await call(listPayLinks, { limit: '2', cursor: made[1]!.id }, wallet)).toEqual([made[2]]);
    expect(await call(listPayLinks, { cursor: made[2]!.id }, wallet)).toEqual([]);
    await harness.toggle(made[1]!.id, false, wallet);
    const names = async (active: unknown) =>
      (await call(listPayLinks, { active }, wallet)).map(({ name }) => name);
    expect([await names(true), await names('false')]).toEqual([['2', '0'], ['1']]);
    expect(await call(listPayLinks, {}, someWallet())).toEqual([]);
  });

  it('200: returns a page of links with the maximum size in one message', async () => {
    const wallet = someWallet();
    const large = {
      name: '\u4e00'.repeat(120),
      description: '"'.repeat(500),
      metadata: { a: 'x'.repeat(4_087) },
    };
    const address = `https://a/${'x'.repeat(1_014)}`;
    for (let count = 0; count < 100; count++)
      await harness.create({ ...large, imageUrl: address, successUrl: address }, wallet);
    expect(await call(listPayLinks, { limit: 5_000 }, wallet)).toHaveLength(100);
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 'x' }, 'limit'],
    [{ active: 'yes' }, 'active'],
    [{ cursor: 'x' }, 'cursor'],
    [{ wallet: 'x' }, 'wallet'],
  ])('400 VALIDATION_ERROR: rejects %j', async (query, field) => {
    expect(await badFields(call(listPayLinks, query))).toEqual([field]);
  });
});

describe('PUT /api/paylinks/{id}/toggle', () => {
  it('200: switches the link, returns it, and sets the time of the change', async () => {
    const link = await harness.create();
    await harness.pass(1);
    const off = await harness.toggle(link.id, false);
    expect(off).toEqual({ ...link, active: false, updated_at: off.updated_at });
    expect(off.updated_at > link.updated_at).toBe(true);
    await harness.pass(1);
    expect(await harness.toggle(link.id, false)).toEqual(off);
    expect(await harness.toggle(link.id, true)).toMatchObject({ active: true });
  });

  it.each([['false'], [0], [null], [undefined]])(
    '400 VALIDATION_ERROR: rejects active %j',
    async (active) => {
      const { id } = await harness.create();
      expect(await badFields(call(togglePayLink, { id, active }))).toEqual(['active']);
      expect(await harness.link(id)).toMatchObject({ active: true });
    },
  );

  it('404 NOT_FOUND: returns the same error for a link of another wallet and a missing link', async () => {
    const { id } = await harness.create();
    const foreign = await failure(call(togglePayLink, { id, active: false }, someWallet()));
    const missing = await failure(call(togglePayLink, { id: uuid(), active: false }));
    const noId = await failure(call(togglePayLink, { id: '../keys', active: false }));
    for (const each of [missing, noId])
      expect([each.code, each.message, each.details]).toEqual([
        foreign.code,
        foreign.message,
        foreign.details,
      ]);
    expect(foreign.code).toBe('NOT_FOUND');
    expect(await harness.link(id)).toMatchObject({ active: true });
  });
});

describe('DELETE /api/paylinks/{id}', () => {
  it('200: removes the link from every list', async () => {
    const { id } = await harness.create();
    expect(await call(deletePayLink, { id })).toEqual({ ok: true });
    expect(await harness.link(id)).toBeUndefined();
    expect(await failure(publicView(id))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await harness.merchant.database.query('SELECT FROM paylinks WHERE id = $1', [id])).toEqual([]);
  });

  it('200: deletes a paid link, and its transfer counts for no other link', async () => {
    const first = await harness.create();
    const second = await harness.create();
    const hash = await harness.paid();
    expect(await harness.pay(first.id, hash)).toEqual({ success: true, verified: true });
    await call(deletePayLink, { id: first.id });
    expect(await failure(harness.pay(first.id, hash))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await harness.pay(second.id, hash)).toMatchObject({ success: false, error: expect.any(String) });
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    const { id } = await harness.create();
    expect(await badFields(call(deletePayLink, { id, wallet_address: merchantWallet }))).toEqual([
      'wallet_address',
    ]);
  });

  it('404 NOT_FOUND: rejects a link of another wallet, a deleted link and a missing link', async () => {
    const { id } = await harness.create();
    expect(await failure(call(deletePayLink, { id }, someWallet()))).toMatchObject({ code: 'NOT_FOUND' });
    await call(deletePayLink, { id });
    for (const gone of [id, uuid(), 'x'])
      expect(await failure(call(deletePayLink, { id: gone }))).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('GET /api/paylinks/{id}/public', () => {
  it('200: returns only the fields that a payer needs', async () => {
    const link = await harness.create({
      imageUrl: 'https://shop.example/a.png',
      maxPayments: 5,
      metadata: { secret: 1 },
    });
    const view = await publicView(link.id.toUpperCase());
    expect(decode(PublicPayLink, view)).toMatchObject({ ok: true });
    expect(view).toEqual({
      id: link.id,
      name: 'Espresso',
      amount: '3500000',
      token: 'USDC',
      network: 'eip155:8453',
      description: 'A double one',
      storeName: null,
      storeColor: null,
      storeLogo: null,
      embedOrigins: [],
      receiveAddress: receiver,
      imageUrl: 'https://shop.example/a.png',
      expiresAt: null,
      openAmount: false,
      minAmount: null,
      successUrl: null,
      cancelUrl: null,
      tokenAddress: harness.chain.usdc.address,
      decimals: 6,
      receiverVerified: false,
      reference: link.reference,
    });
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    const { id } = await harness.create();
    expect(await badFields(harness.merchant.call(getPublicPayLink, { id, key: 'x' } as never))).toEqual([
      'key',
    ]);
  });

  it('404 NOT_FOUND: returns the same error for a disabled, expired, exhausted, deleted and missing link', async () => {
    const [off, expired, used, deleted] = [
      await harness.create(),
      await harness.create({ expiresAt: soon(30) }),
      await harness.create({ maxPayments: 1 }),
      await harness.create(),
    ];
    for (const { id } of [off, expired, used, deleted]) await publicView(id);
    expect(await harness.pay(used.id, await harness.paid())).toMatchObject({ success: true });
    await harness.toggle(off.id, false);
    await harness.remove(deleted.id);
    await harness.pass(31);
    const answers = new Set<string>();
    for (const id of [off.id, expired.id, used.id, deleted.id, uuid(), 'none']) {
      const { code, message, details } = await failure(publicView(id));
      answers.add(JSON.stringify([code, message, details]));
    }
    expect([...answers]).toEqual([
      JSON.stringify(['NOT_FOUND', 'The PayLink does not exist. Check its id.', null]),
    ]);
    await harness.toggle(off.id, true);
    await publicView(off.id);
  });

  it('503 RATE_UNAVAILABLE: shows no amount of a price without a rate', async () => {
    expect(await failure(publicView(await createPriced()))).toMatchObject(noRate);
  });
});

describe('POST /api/paylinks/{id}/pay', () => {
  const counted = { success: true, verified: true };

  it('200: counts a transfer once, even if several clients report it repeatedly', async () => {
    const { id } = await harness.create();
    const hash = await harness.paid();
    expect(await harness.pay(id, hash)).toEqual(counted);
    expect(await harness.pay(id, hash.toUpperCase().replace('0X', '0x'))).toEqual(counted);
    expect(await harness.link(id)).toMatchObject({ payment_count: 1, unverified_count: 0 });
    expect(harness.callsFor(id)).toEqual(['paid']);
  });

  it('200: counts 50 concurrent reports of one transfer once, and publishes one event', async () => {
    const wallet = someWallet();
    await harness.merchant.addWebhookEndpoint(wallet);
    const events = await harness.merchant.recordEvents();
    try {
      const { id } = await harness.create({}, wallet);
      const hash = await harness.paid();
      // Retries a pending report, because on a busy machine the chain answers some requests too late.
      const report = () => eventually(async () => expect(await harness.pay(id, hash)).toEqual(counted));
      await Promise.all(Array.from({ length: 50 }, report));
      expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 1 });
      const [payment, ...others] = await harness.payments(id, wallet);
      expect(others).toEqual([]);
      await eventually(() => expect(events.of(payment!.id)).toHaveLength(1));
      const { data } = events.of(payment!.id)[0]!.envelope;
      expect(decode(PayLinkPaymentChanged, data)).toMatchObject({ ok: true });
      expect(data).toMatchObject({
        paylink_id: id,
        wallet_address: wallet,
        amount: '3500000',
        payment_count: 1,
        version: 1,
        payer: harness.chain.payer.address,
        network: 'eip155:8453',
        verified: true,
        value_usd: null,
      });
      expect(await harness.messagesTo(wallet)).toMatchObject([
        { type: 'paylink.paid', data: { paylink_id: id, tx_hash: hash, payment_count: 1, verified: true } },
      ]);
      expect(harness.callsFor(id)).toEqual(['paid']);
    } finally {
      await events.stop();
    }
  });

  it('200: counts a transfer above the amount, and records its amount', async () => {
    const { id } = await harness.create();
    expect(await harness.pay(id, await harness.paid(9_000_000n))).toEqual(counted);
    expect(await harness.payments(id)).toMatchObject([{ status: 'counted', amount: '9000000' }]);
  });

  it('200: counts every amount from the minimum of an open amount upwards', async () => {
    const { id } = await harness.create({ openAmount: true, amount: '0', minAmount: '500' });
    expect(await harness.pay(id, await harness.paid(499n))).toMatchObject({
      success: false,
      status: 'partial',
      error: expect.stringContaining('pays 0.000499 USDC; the PayLink asks for 0.0005 USDC.') as unknown,
    });
    expect(await harness.pay(id, await harness.paid(500n))).toEqual(counted);
    expect(await harness.pay(id, await harness.paid(10n ** 12n))).toEqual(counted);
  });

  it('200: rejects a transfer that paid an order', async () => {
    const { id } = await harness.create();
    const terms = {
      order_id: uuid(),
      token_in: 'USDC',
      token_out: 'USDC',
      amount_in: '3600000',
      token_in_address: harness.chain.usdc.address,
      merchant: receiver,
      merchant_amount: '3500000',
      fee_receiver: '0x2222222222222222222222222222222222222222',
      fee_amount: '100000',
      deadline: Math.floor(harness.clock.now() / 1_000) + 100_000,
    };
    const hash = await harness.chain.pay(terms);
    await harness.anvil.mine(confirmations);
    expect(await harness.pay(id, hash)).toEqual(
      rejected('The transaction pays an order; nothing is paid twice by one transfer.'),
    );
    expect(await harness.payments(id)).toEqual([]);
  });

  it('200: rejects a transfer that settled an order, also when the report came first', async () => {
    const wallet = someWallet();
    await harness.merchant.addWebhookEndpoint(wallet);
    const delivered = async (settle_tx: string) => {
      const order = await harness.merchant.publishOrder('order-settled', { method: 'CrossChain', settle_tx });
      const known = 'SELECT FROM orders WHERE id = $1 AND version > 0';
      await eventually(async () =>
        expect(await harness.merchant.database.query(known, [order.order_id])).toHaveLength(1),
      );
    };
    const { id } = await harness.create({}, wallet);
    const [early, late, waiting] = [await harness.paid(), await harness.paid(), `0x${'9'.repeat(64)}`];
    await delivered(early.toUpperCase().replace('0X', '0x'));
    const pays = 'The transaction pays an order; nothing is paid twice by one transfer.';
    expect(await harness.pay(id, early)).toEqual(rejected(pays));
    expect(await harness.payments(id, wallet)).toEqual([]);

    expect(await harness.pay(id, late)).toEqual(counted);
    await harness.pay(id, waiting);
    await Promise.all([delivered(late), delivered(waiting)]);
    expect(await harness.payments(id, wallet)).toMatchObject([
      { tx_hash: waiting, status: 'rejected', reason: pays },
      { tx_hash: late, status: 'rejected', reason: pays },
    ]);
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 0 });
    expect(harness.callsFor(id)).toEqual(['paid', 'reverted']);
    expect((await harness.messagesTo(wallet)).map(({ type }) => type)).toEqual([
      'paylink.paid',
      'paylink.payment_rejected',
      'paylink.payment_rejected',
    ]);
    expect(await harness.pay(id, late)).toEqual(rejected(pays));
  });

  // The order event contains the chain's name instead of a CAIP-2 identifier, as on chains without a payment contract.
  it('200: rejects a transfer that settled an order on a chain without a CAIP-2 identifier', async () => {
    const settled = (settle_tx: string) =>
      harness.merchant.publishOrder('order-settled', {
        method: 'CrossChain',
        settle_chain: 'gnosis',
        settle_tx,
      });
    const { id } = await harness.create({ network: 'gnosis' });
    const [early, late] = [`0x${'7a'.repeat(32)}`, `0x${'7b'.repeat(32)}`];
    const { order_id } = await settled(early);
    await eventually(async () => {
      const known = 'SELECT FROM orders WHERE id = $1 AND version > 0';
      expect(await harness.merchant.database.query(known, [order_id])).toHaveLength(1);
    });
    const pays = 'The transaction pays an order; nothing is paid twice by one transfer.';
    expect(await harness.pay(id, early)).toEqual(rejected(pays));

    expect(await harness.pay(id, late)).toEqual(unverifiable);
    const [payment] = await harness.payments(id);
    await call(confirmPayLinkPayment, { id, paymentId: payment!.id });
    expect(await harness.link(id)).toMatchObject({ payment_count: 1, unverified_count: 1 });
    await settled(late);
    await harness.paymentWith(id, late, { status: 'rejected', reason: pays });
    expect(await harness.link(id)).toMatchObject({ payment_count: 0, unverified_count: 0 });
  });

  it('200: counts a transfer for an order or a link, never for both, when they claim it concurrently', async () => {
    const { id } = await harness.create();
    const hashes: string[] = [];
    while (hashes.length < 8) hashes.push(await harness.paid());
    const orders = hashes.map((settle_tx) => harness.merchant.publishOrder('order-settled', { settle_tx }));
    await Promise.all([...hashes.map((hash) => harness.pay(id, hash)), ...orders]);
    await eventually(async () => {
      for (const { status } of await harness.payments(id)) expect(status).toBe('rejected');
      const settled = 'SELECT FROM orders WHERE settled_by LIKE ANY($1)';
      const known = hashes.map((hash) => `%:${hash}`);
      expect(await harness.merchant.database.query(settled, [known])).toHaveLength(hashes.length);
    });
    expect(await harness.link(id)).toMatchObject({ payment_count: 0 });
  });

  it('200: counts a coin payment by the value of the transaction, and rejects a transfer from a contract', async () => {
    const { id } = await harness.create({ token: 'ETH', amount: '1000' });
    const send = async (amount: bigint, to = receiver) => {
      const hash = await harness.chain.transfer(to, amount);
      await harness.anvil.mine(confirmations);
      return hash;
    };
    expect(await harness.pay(id, await send(1_000n))).toEqual(counted);
    expect(await harness.pay(id, await send(999n))).toMatchObject(
      rejected(expect.stringContaining('asks for') as never),
    );
    const toAnother = await send(1_000n, '0x3333333333333333333333333333333333333333');
    expect(await harness.pay(id, toAnother)).toMatchObject(
      rejected(expect.stringContaining('pay from a wallet') as never),
    );
    expect(await harness.pay(id, await harness.paid())).toMatchObject(
      rejected(
        'The transaction pays 3.5 USDC on Base; the PayLink asks for ETH on Base. The merchant was notified.',
      ),
    );
    expect(await harness.link(id)).toMatchObject({ payment_count: 1 });
  });

  it('200: rejects a transfer to another receiver and an empty transfer, and stores neither', async () => {
    const { id } = await harness.create();
    const nothing = rejected('The transaction pays nothing to the receiver.');
    expect(await harness.pay(id, await harness.paid(3_500_000n, { to: merchantWallet }))).toEqual(nothing);
    expect(await harness.pay(id, await harness.paid(0n))).toEqual(nothing);
    expect(await harness.payments(id)).toEqual([]);
    expect(await harness.link(id)).toMatchObject({ payment_count: 0 });
  });

  it('200: records a payment in another token, known or unknown, and notifies the merchant once', async () => {
    const wallet = someWallet();
    await harness.merchant.addWebhookEndpoint(wallet);
    const [{ id }, other] = [await harness.create({}, wallet), await harness.create({}, wallet)];
    const { fakeUsdc, usdt } = harness.chain;
    const asked = 'on Base; the PayLink asks for USDC on Base. The merchant was notified.';
    const hashes: string[] = [];
    for (const [token, shown] of [
      [usdt.address, '3.5 USDT'],
      [fakeUsdc.address, `3500000 units of ${fakeUsdc.address}`],
    ] as const) {
      const hash = await harness.paid(3_500_000n, { token });
      const reply = rejected(`The transaction pays ${shown} ${asked}`);
      const replies = await Promise.all([id, id, other.id].map((link) => harness.pay(link, hash)));
      expect(replies).toEqual([reply, reply, reply]);
      hashes.unshift(hash);
    }
    const coins = await harness.chain.transfer(receiver, 7n);
    await harness.anvil.mine(confirmations);
    await harness.pay(id, coins);
    const payer = harness.chain.payer.address;
    const open = { kind: 'other_token', status: 'open', network: 'eip155:8453', amount: '3500000', payer };
    const expected = [
      { ...open, token: 'ETH', amount: '7', tx_hash: coins, paylink_id: id },
      { ...open, token: fakeUsdc.address, tx_hash: hashes[0] },
      { ...open, token: 'USDT', tx_hash: hashes[1] },
    ];
    expect(await exceptionsOf(wallet)).toMatchObject(expected);
    const messages = await harness.messagesTo(wallet);
    expect(messages.map(({ type }) => type)).toEqual(Array(3).fill('payment.exception'));
    expect(messages.map(({ data }) => data)).toMatchObject(expected.reverse());
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 0 });
  });

  it('200: closes the exception of a transfer that pays another link of the merchant', async () => {
    const wallet = someWallet();
    const { usdt } = harness.chain;
    const [wrong, right] = [
      await harness.create({}, wallet),
      await harness.create({ token: 'USDT' }, wallet),
    ];
    const hash = await harness.paid(3_500_000n, { token: usdt.address });
    expect(await harness.pay(wrong.id, hash)).toMatchObject({ success: false });
    expect(await harness.pay(right.id, hash)).toEqual(counted);
    expect(await exceptionsOf(wallet)).toMatchObject([{ kind: 'other_token', resolution: 'completed' }]);
    const third = await harness.create({}, wallet);
    expect(await harness.pay(third.id, hash)).toEqual(
      rejected('The transaction pays nothing to the receiver.'),
    );
    expect(await exceptionsOf(wallet, { status: 'open' })).toEqual([]);
  });

  it('200: records a payment in another token only after its confirmations', async () => {
    const wallet = someWallet();
    const { id } = await harness.create({}, wallet);
    const hash = await harness.paid(3_500_000n, { token: harness.chain.usdt.address, depth: 1 });
    const error = expect.stringContaining('3.5 USDT') as unknown;
    expect(await harness.pay(id, hash)).toEqual({
      success: false,
      verified: false,
      status: 'pending',
      error,
    });
    expect(await exceptionsOf(wallet)).toEqual([]);
    await harness.anvil.mine(confirmations);
    await eventually(async () =>
      expect(await exceptionsOf(wallet)).toMatchObject([{ kind: 'other_token', tx_hash: hash }]),
    );
    expect(await harness.pay(id, hash)).toEqual({ success: false, verified: false, error });
  });

  it.each(['token', 'coin'] as const)(
    '200: records a payment in a %s on another network, also when it is reported before its confirmations',
    async (kind) => {
      const wallet = someWallet();
      const [{ id }, late] = [await harness.create({}, wallet), await harness.create({}, wallet)];
      const elsewhere = harness.elsewhere!;
      const token = kind === 'token' ? elsewhere.usdc.address : undefined;
      const hash = await harness.paidElsewhere(receiver, token);
      const error = expect.stringContaining('on Arbitrum One; the PayLink asks for USDC on Base.') as unknown;
      expect(await harness.pay(id, hash)).toEqual({
        success: false,
        verified: false,
        status: 'pending',
        error,
      });
      await elsewhere.anvil.mine(confirmations);
      expect(await harness.pay(late.id, hash)).toEqual(rejected(error as never));
      const expected = { kind: 'other_network', network: 'eip155:42161', amount: '3500000', tx_hash: hash };
      expect(await exceptionsOf(wallet)).toMatchObject([
        {
          ...expected,
          token: kind === 'token' ? 'USDC' : 'ETH',
          // The poll reads both reports, so either link may have the first confirmed one.
          paylink_id: expect.stringMatching(`^(${id}|${late.id})$`) as unknown,
        },
      ]);
      await harness.paymentWith(id, hash, { status: 'rejected' }, wallet);
      expect(await exceptionsOf(wallet)).toHaveLength(1);
    },
  );

  it('200: records no transfer on another network that pays a link there, or pays nothing to the receiver', async () => {
    const wallet = someWallet();
    const elsewhere = harness.elsewhere!;
    const [home, there] = [
      await harness.create({}, wallet),
      await harness.create({ network: 'eip155:42161' }, wallet),
    ];
    const paid = await harness.paidElsewhere(receiver, elsewhere.usdc.address);
    const foreign = await harness.paidElsewhere(merchantWallet, elsewhere.usdc.address);
    await elsewhere.anvil.mine(confirmations);
    expect(await harness.pay(there.id, paid)).toEqual(counted);
    const pending = { success: false, verified: false, status: 'pending' };
    expect(await harness.pay(home.id, paid)).toEqual(pending);
    expect(await harness.pay(home.id, foreign)).toEqual(pending);
    expect(await exceptionsOf(wallet)).toEqual([]);
  });

  it('200: records a payment that is too small with its amount, and shows it to the merchant', async () => {
    const wallet = someWallet();
    await harness.merchant.addWebhookEndpoint(wallet);
    const { id } = await harness.create({}, wallet);
    const hash = await harness.paid(3_499_999n);
    const error = expect.stringContaining(
      'pays 3.499999 USDC; the PayLink asks for 3.5 USDC. Pay the other 0.000001 USDC',
    ) as unknown;
    const partial = { success: false, verified: false, status: 'partial', error };
    expect([await harness.pay(id, hash), await harness.pay(id, hash)]).toEqual([partial, partial]);
    expect(await harness.payments(id, wallet)).toMatchObject([
      { status: 'partial', verified: true, amount: '3499999', tx_hash: hash, reason: error, part_of: null },
    ]);
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 0 });
    const exception = { kind: 'partial', status: 'open', paylink_id: id, amount: '3499999', tx_hash: hash };
    expect(await exceptionsOf(wallet)).toMatchObject([
      { ...exception, network: 'eip155:8453', token: 'USDC' },
    ]);
    expect(await harness.messagesTo(wallet)).toMatchObject([{ type: 'payment.exception', data: exception }]);
  });

  it('200: counts two partial payments of one payer once with their sum, in either order of the reports', async () => {
    const wallet = someWallet();
    await harness.merchant.addWebhookEndpoint(wallet);
    const { id } = await harness.create({ amount: '10000000' }, wallet);
    const [first, second] = [await harness.paid(5_000_000n), await harness.paid(5_000_000n)];
    expect(await harness.pay(id, second)).toMatchObject({ success: false, status: 'partial' });
    expect(await harness.pay(id, first)).toEqual(counted);
    expect(await harness.pay(id, second)).toEqual(counted);
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 1 });
    const [whole, part] = await harness.payments(id, wallet);
    expect(whole).toMatchObject({ status: 'counted', amount: '10000000', tx_hash: first });
    expect(part).toMatchObject({ status: 'partial', amount: '5000000', part_of: whole!.id, reason: null });
    expect(await exceptionsOf(wallet)).toMatchObject([{ status: 'resolved', resolution: 'completed' }]);
    expect((await harness.messagesTo(wallet)).map(({ type }) => type)).toEqual([
      'payment.exception',
      'paylink.paid',
      'payment.exception',
    ]);
    expect(harness.calls.at(-1)).toMatchObject(['paid', { linkId: id, amount: 10_000_000n }]);
  });

  it('200: counts concurrent reports of two partial payments once', async () => {
    const wallet = someWallet();
    const { id } = await harness.create({ amount: '10000000' }, wallet);
    const hashes = [await harness.paid(6_000_000n), await harness.paid(4_000_000n)];
    await Promise.all([...hashes, ...hashes, ...hashes].map((hash) => harness.pay(id, hash)));
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 1 });
    const amounts = (await harness.payments(id, wallet)).map(({ status, amount }) => [status, amount]);
    expect(amounts.find(([status]) => status === 'counted')).toEqual(['counted', '10000000']);
  });

  it('200: does not complete a payment by the partial payment of another payer', async () => {
    const { id } = await harness.create({ amount: '10000000' });
    const { stranger, usdc } = harness.chain;
    expect(await harness.pay(id, await harness.paid(5_000_000n))).toMatchObject({ status: 'partial' });
    await harness.chain.transfer(stranger.address, 5_000_000n, usdc.address);
    const data = `0xa9059cbb${receiver.slice(2).padStart(64, '0')}${5_000_000n.toString(16).padStart(64, '0')}`;
    const { hash } = await stranger.sendTransaction({ to: usdc.address, data });
    await harness.chain.mined(hash);
    await harness.anvil.mine(confirmations);
    expect(await harness.pay(id, hash)).toMatchObject({ status: 'partial' });
    expect(await harness.link(id)).toMatchObject({ payment_count: 0 });
  });

  it('200: records the overpaid amount of a counted payment as an exception', async () => {
    const wallet = someWallet();
    const { id } = await harness.create({}, wallet);
    expect(await harness.pay(id, await harness.paid(4_000_000n))).toEqual(counted);
    expect(await exceptionsOf(wallet)).toMatchObject([
      { kind: 'overpaid', amount: '500000', paylink_id: id },
    ]);
  });

  it('200: rejects a reverted transaction with any number of confirmations', async () => {
    const { id } = await harness.create();
    const data = `0xa9059cbb${receiver.slice(2).padStart(64, '0')}${'f'.repeat(64)}`;
    const { payer, usdc } = harness.chain;
    const { hash } = await payer.sendTransaction({ to: usdc.address, data, gasLimit: 200_000n });
    await harness.chain.mined(hash);
    expect(await harness.pay(id, hash)).toEqual(rejected('The transaction was reverted: nothing was paid.'));
  });

  it('200: rejects a transfer that is older than the link', async () => {
    const hash = await harness.paid();
    await harness.pass(10);
    const { id } = await harness.create();
    expect(await harness.pay(id, hash)).toEqual(rejected('The transaction is older than the PayLink.'));
  });

  it('200: rejects a hash that counts for another link of any wallet', async () => {
    const [mine, other, foreign] = [
      await harness.create(),
      await harness.create(),
      await harness.create({}, someWallet()),
    ];
    const hash = await harness.paid();
    const answers = await Promise.all([mine, other, foreign].map(({ id }) => harness.pay(id, hash)));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    for (const answer of answers.filter(({ success }) => !success))
      expect(answer).toEqual(rejected('The transaction already counts as the payment of another PayLink.'));
  });

  it('200: counts each transfer of one transaction for one link only', async () => {
    const links = [await harness.create(), await harness.create(), await harness.create()];
    const hash = await paidTwiceAtOnce();
    const answers = [];
    for (const { id } of links) answers.push(await harness.pay(id, hash));
    expect(answers.map(({ success }) => success)).toEqual([true, true, false]);
  });

  it('200: stores a transfer without enough confirmations, and counts it later without a new report', async () => {
    const { id } = await harness.create();
    const shallow = await harness.paid(3_500_000n, { depth: confirmations - 1 });
    const pending = { success: false, verified: false, status: 'pending' };
    expect(await harness.pay(id, shallow)).toEqual(pending);
    expect(await harness.pay(id, shallow)).toEqual(pending);
    await harness.anvil.setAutomine(false);
    const { hash } = await harness.chain.payer.sendTransaction(transferOf(3_500_000n));
    expect(await harness.pay(id, hash)).toEqual(pending);
    expect(await harness.link(id)).toMatchObject({ payment_count: 0 });
    await harness.anvil.setAutomine(true);
    await harness.anvil.mine(confirmations);
    await harness.paymentWith(id, shallow, { status: 'counted', verified: true });
    await harness.paymentWith(id, hash, { status: 'counted', verified: true });
    expect(await harness.link(id)).toMatchObject({ payment_count: 2 });
    expect(await harness.pay(id, hash)).toEqual(counted);
  });

  it('200: stores a hash on a network without a node as unverifiable, does not count it, and notifies the merchant', async () => {
    const wallet = someWallet();
    await harness.merchant.addWebhookEndpoint(wallet);
    const { id } = await harness.create({ network: blindChain, maxPayments: 1 }, wallet);
    const [first, second] = [madeUp('a'), madeUp('b')];
    const answers = await Promise.all([first, first, second].map((hash) => harness.pay(id, hash)));
    expect(answers).toEqual(Array(3).fill(unverifiable));
    expect(await harness.pay(id, first)).toEqual(unverifiable);
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 0, unverified_count: 0 });
    expect(await publicView(id)).toMatchObject({ id });
    const payments = await harness.payments(id, wallet);
    expect(payments).toHaveLength(2);
    for (const payment of payments)
      expect(payment).toMatchObject({ status: 'unverifiable', verified: false, amount: null, payer: null });
    const messages = await harness.messagesTo(wallet);
    expect(messages.map(({ type }) => type)).toEqual(Array(2).fill('paylink.payment_unverifiable'));
    const notified = messages.map(({ data }) => (data as { payment_id: string }).payment_id);
    expect(notified.sort()).toEqual(payments.map((payment) => payment.id).sort());
    await harness.toggle(id, false, wallet);
    harness.clock.move(10);
    expect(await harness.pay(id, madeUp('c'))).toEqual(
      rejected('The payment was made while the PayLink accepted no payments.'),
    );
  });

  it('409 CONFLICT: rejects unverifiable payment number 101 of a link', async () => {
    const { id } = await harness.create({ network: blindChain });
    const made = (at: number) => `0x${at.toString(16).padStart(64, 'e')}`;
    for (let at = 0; at < 95; at++) expect(await harness.pay(id, made(at))).toEqual(unverifiable);
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => harness.pay(id, made(95 + at))),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const [payment] = await harness.payments(id);
    await call(rejectPayLinkPayment, { id, paymentId: payment!.id });
    expect(await harness.pay(id, made(200))).toEqual(unverifiable);
    expect(await failure(harness.pay(id, made(201)))).toMatchObject({ code: 'CONFLICT' });
  });

  it('200: stores a payment above the maximum number as excess, and does not count it', async () => {
    const wallet = someWallet();
    await harness.merchant.addWebhookEndpoint(wallet);
    const { id } = await harness.create({ maxPayments: 3 }, wallet);
    const hashes = [];
    for (let count = 0; count < 8; count++) hashes.push(await harness.paid(3_500_000n, { depth: 1 }));
    await harness.anvil.mine(confirmations);
    const answers = await Promise.all(hashes.map((hash) => harness.pay(id, hash)));
    const excess = {
      success: false,
      verified: true,
      status: 'excess',
      error: 'The PayLink already has its maximum number of payments.',
    };
    expect(answers.filter(({ success }) => success)).toEqual(Array(3).fill(counted));
    expect(answers.filter(({ success }) => !success)).toEqual(Array(5).fill(excess));
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 3 });
    const statuses = (await harness.payments(id, wallet)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<string>(3).fill('counted'), ...Array<string>(5).fill('excess')]);
    const types = (await harness.messagesTo(wallet)).map(({ type }) => type).sort();
    expect(types).toEqual([
      ...Array<string>(3).fill('paylink.paid'),
      ...Array<string>(5).fill('paylink.payment_rejected'),
      ...Array<string>(5).fill('payment.exception'),
    ]);
    const exceptions = (await exceptionsOf(wallet)).map(({ kind, amount }) => [kind, amount]);
    expect(exceptions).toEqual(Array(5).fill(['excess', '3500000']));
  });

  it('200: decides by the time of the payment instead of the time of the report', async () => {
    const { id } = await harness.create({ expiresAt: soon(60) });
    const inTime = await harness.paid();
    await harness.pass(61);
    const late = await harness.paid();
    expect(await harness.pay(id, inTime)).toEqual(counted);
    expect(await harness.pay(id, late)).toEqual({
      success: false,
      verified: true,
      status: 'late',
      error: 'It was paid after the PayLink had expired.',
    });
    const switched = await harness.create();
    const before = await harness.paid();
    await harness.pass(5);
    await harness.toggle(switched.id, false);
    await harness.pass(5);
    const after = await harness.paid();
    expect(await harness.pay(switched.id, before)).toEqual(counted);
    expect(await harness.pay(switched.id, after)).toMatchObject({ success: false, status: 'inactive' });
    expect(await harness.link(switched.id)).toMatchObject({ payment_count: 1, active: false });
  });

  it('200: rejects a payment made while the link was off, even after it is switched on again', async () => {
    const { id } = await harness.create();
    await harness.toggle(id, false);
    await harness.pass(10);
    const meanwhile = await harness.paid();
    await harness.pass(10);
    await harness.toggle(id, true);
    const afterwards = await harness.paid();
    expect(await harness.pay(id, meanwhile)).toMatchObject({ success: false, status: 'inactive' });
    expect(await harness.pay(id, afterwards)).toEqual(counted);
    expect(await harness.link(id)).toMatchObject({ payment_count: 1, active: true });
  });

  it.each([['0x12'], ['x'.repeat(64)], ['0x' + 'g'.repeat(64)], [''], [7], [null], [`0x${'a'.repeat(65)}`]])(
    '400 VALIDATION_ERROR: rejects the hash %j',
    async (txHash) => {
      const { id } = await harness.create();
      expect(await badFields(harness.merchant.call(recordPayLinkPayment, { id, txHash } as never))).toEqual([
        'txHash',
      ]);
    },
  );

  it('404 NOT_FOUND: rejects a report for a missing or deleted link', async () => {
    const { id } = await harness.create();
    await harness.remove(id);
    for (const gone of [id, uuid(), 'x'])
      expect(await failure(harness.pay(gone, `0x${'a'.repeat(64)}`))).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('409 CONFLICT: rejects unseen hash number 51 of a link, and still counts transfers that the chain has', async () => {
    const { id } = await harness.create();
    const made = (at: number) => `0x${at.toString(16).padStart(64, 'd')}`;
    const answers = await Promise.allSettled(
      Array.from({ length: 60 }, (_, at) => harness.pay(id, made(at))),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(await failure(harness.pay(id, made(99)))).toMatchObject({ code: 'CONFLICT' });
    expect(await harness.pay(id, await harness.paid())).toEqual(counted);
    const shallow = await harness.paid(3_500_000n, { depth: 1 });
    expect(await harness.pay(id, shallow)).toMatchObject({ status: 'pending' });
    await harness.anvil.mine(confirmations);
    await harness.paymentWith(id, shallow, { status: 'counted' });
  });
});

describe('GET /api/paylinks/{id}/payments', () => {
  it('200: returns the reported payments in pages, newest first', async () => {
    const { id } = await harness.create();
    const hashes = [];
    for (let count = 0; count < 3; count++) {
      hashes.unshift(await harness.paid());
      await harness.pay(id, hashes[0]!);
    }
    const all = await harness.payments(id);
    expect(all.map(({ tx_hash }) => tx_hash)).toEqual(hashes);
    for (const payment of all) expect(decode(PayLinkPayment, payment)).toMatchObject({ ok: true });
    expect(all[0]).toEqual({
      id: all[0]!.id,
      tx_hash: hashes[0],
      status: 'counted',
      verified: true,
      confirmed: false,
      amount: '3500000',
      payer: harness.chain.payer.address,
      value_usd: null,
      order_id: null,
      part_of: null,
      reason: null,
      paid_at: all[0]!.paid_at,
      recorded_at: all[0]!.recorded_at,
      receiver_balance: null,
    });
    expect(await call(listPayLinkPayments, { id, limit: '2' })).toEqual(all.slice(0, 2));
    expect(await call(listPayLinkPayments, { id, cursor: all[1]!.id })).toEqual(all.slice(2));
    expect(await nextOf(listPayLinkPayments, merchantWallet, { id, limit: 2 })).toBe(all[1]!.id);
    expect(await nextOf(listPayLinkPayments, merchantWallet, { id, limit: 3 })).toBeUndefined();
  });

  it('400 VALIDATION_ERROR: rejects a limit of 0 and an invalid cursor', async () => {
    const { id } = await harness.create();
    expect(await badFields(call(listPayLinkPayments, { id, limit: 0 }))).toEqual(['limit']);
    expect(await badFields(call(listPayLinkPayments, { id, cursor: 'x' }))).toEqual(['cursor']);
  });

  it('404 NOT_FOUND: returns the same error for payments of another wallet and of a missing link', async () => {
    const { id } = await harness.create();
    const foreign = await failure(call(listPayLinkPayments, { id }, someWallet()));
    const missing = await failure(call(listPayLinkPayments, { id: uuid() }));
    expect([foreign.code, foreign.message, foreign.details]).toEqual([
      missing.code,
      missing.message,
      missing.details,
    ]);
    expect(foreign.code).toBe('NOT_FOUND');
  });
});

/** A link on a network without a node, with reported payments. */
async function unverifiableOf(wallet: string, hashes: string[], changes: Partial<CreatePayLinkRequest> = {}) {
  const { id } = await harness.create({ network: blindChain, ...changes }, wallet);
  const paymentIds: string[] = [];
  for (const hash of hashes) {
    expect(await harness.pay(id, hash)).toEqual(unverifiable);
    paymentIds.push((await harness.payments(id, wallet))[0]!.id);
  }
  return { id, paymentIds };
}

describe('POST /api/paylinks/{id}/payments/{paymentId}/confirm', () => {
  it('200: counts the payment once and marks it as unverified, even if it is confirmed repeatedly', async () => {
    const wallet = someWallet();
    const { id, paymentIds } = await unverifiableOf(wallet, [madeUp('1')], { maxPayments: 1 });
    await harness.merchant.addWebhookEndpoint(wallet);
    const request = { id, paymentId: paymentIds[0] };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call(confirmPayLinkPayment, request, wallet)),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({
        id: paymentIds[0],
        status: 'counted',
        verified: false,
        confirmed: true,
        receiver_balance: null,
      });
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 1, unverified_count: 1 });
    expect(await harness.messagesTo(wallet)).toMatchObject([
      { type: 'paylink.paid', data: { verified: false, payment_count: 1 } },
    ]);
    expect(await harness.pay(id, madeUp('1'))).toEqual({ success: true, verified: false });
  });

  it('200: counts concurrent confirmations only up to the maximum of the link', async () => {
    const wallet = someWallet();
    const hashes = ['a', 'b', 'c', 'd', 'e'].map((digit) => madeUp(digit));
    const { id, paymentIds } = await unverifiableOf(wallet, hashes, { maxPayments: 2 });
    const outcomes = await Promise.allSettled(
      paymentIds.map((paymentId) => call(confirmPayLinkPayment, { id, paymentId }, wallet)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 2, unverified_count: 2 });
    // The link is exhausted: further reports are rejected and not stored.
    expect(await harness.pay(id, madeUp('f'))).toEqual(
      rejected('The PayLink already has its maximum number of payments.'),
    );
  });

  it('200: stores only one decision for a concurrent confirmation and rejection', async () => {
    const wallet = someWallet();
    const { id, paymentIds } = await unverifiableOf(wallet, [madeUp('9')]);
    const request = { id, paymentId: paymentIds[0] };
    const outcomes = await Promise.allSettled([
      call(confirmPayLinkPayment, request, wallet),
      call(rejectPayLinkPayment, request, wallet),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [payment] = await harness.payments(id, wallet);
    const isCounted = payment!.status === 'counted';
    expect(payment!.status).toBe(outcomes[0]!.status === 'fulfilled' ? 'counted' : 'rejected');
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: Number(isCounted) });
  });

  it('200: accepts a decision on an unverified payment that an earlier version counted', async () => {
    const wallet = someWallet();
    const { id, paymentIds } = await unverifiableOf(wallet, [madeUp('1'), madeUp('2')]);
    for (const paymentId of paymentIds) {
      await call(confirmPayLinkPayment, { id, paymentId }, wallet);
      await harness.merchant.database.query(
        'UPDATE paylink_payments SET is_confirmed = false WHERE id = $1',
        [paymentId],
      );
    }
    const [confirmed, rejected] = paymentIds;
    const answer = await call(confirmPayLinkPayment, { id, paymentId: confirmed }, wallet);
    expect(answer).toMatchObject({ status: 'counted', confirmed: true });
    await call(rejectPayLinkPayment, { id, paymentId: rejected }, wallet);
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 1, unverified_count: 1 });
  });

  it('409 CONFLICT: rejects a payment that is rejected, above the maximum, or counted for another link', async () => {
    const wallet = someWallet();
    const { id, paymentIds } = await unverifiableOf(wallet, [madeUp('2'), madeUp('3'), madeUp('4')], {
      maxPayments: 1,
    });
    const other = await unverifiableOf(wallet, [madeUp('3')]);
    const confirm = (linkId: string, paymentId: string | undefined) =>
      call(confirmPayLinkPayment, { id: linkId, paymentId }, wallet);
    await call(rejectPayLinkPayment, { id, paymentId: paymentIds[0] }, wallet);
    expect(await failure(confirm(id, paymentIds[0]))).toMatchObject({ code: 'CONFLICT' });
    await confirm(id, paymentIds[1]);
    expect(await failure(confirm(id, paymentIds[2]))).toMatchObject({ code: 'CONFLICT' });
    expect(await failure(confirm(other.id, other.paymentIds[0]))).toMatchObject({ code: 'CONFLICT' });
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 1 });
    expect(await harness.link(other.id, wallet)).toMatchObject({ payment_count: 0 });
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    const given = { id: uuid(), paymentId: uuid(), amount: '1' };
    expect(await badFields(call(confirmPayLinkPayment, given))).toEqual(['amount']);
  });

  it('404 NOT_FOUND: rejects a payment of another wallet, a payment of another link and a missing payment', async () => {
    const wallet = someWallet();
    const { id, paymentIds } = await unverifiableOf(wallet, [madeUp('5')]);
    const own = await harness.create();
    const [paymentId] = paymentIds;
    for (const given of [
      { id, paymentId },
      { id: own.id, paymentId },
      { id: own.id, paymentId: uuid() },
    ])
      expect(await failure(call(confirmPayLinkPayment, given))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 0 });
  });
});

describe('POST /api/paylinks/{id}/payments/{paymentId}/reject', () => {
  it('200: never counts the payment, even if it is rejected or reported again', async () => {
    const wallet = someWallet();
    const { id, paymentIds } = await unverifiableOf(wallet, [madeUp('6')]);
    const request = { id, paymentId: paymentIds[0] };
    const first = await call(rejectPayLinkPayment, request, wallet);
    expect(first).toMatchObject({ status: 'rejected', reason: 'The merchant rejected the payment.' });
    expect(await call(rejectPayLinkPayment, request, wallet)).toEqual(first);
    expect(await harness.pay(id, madeUp('6'))).toEqual(rejected('The merchant rejected the payment.'));
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 0 });
  });

  it('409 CONFLICT: rejects a payment that was confirmed, or verified on its network', async () => {
    const wallet = someWallet();
    const { id, paymentIds } = await unverifiableOf(wallet, [madeUp('7')]);
    const request = { id, paymentId: paymentIds[0] };
    await call(confirmPayLinkPayment, request, wallet);
    expect(await failure(call(rejectPayLinkPayment, request, wallet))).toMatchObject({ code: 'CONFLICT' });
    const verified = await harness.create();
    await harness.pay(verified.id, await harness.paid());
    const [payment] = await harness.payments(verified.id);
    const given = { id: verified.id, paymentId: payment!.id };
    expect(await failure(call(rejectPayLinkPayment, given))).toMatchObject({ code: 'CONFLICT' });
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    const given = { id: uuid(), paymentId: uuid(), reason: 'x' };
    expect(await badFields(call(rejectPayLinkPayment, given))).toEqual(['reason']);
  });

  it('404 NOT_FOUND: rejects a payment of another wallet and a missing payment', async () => {
    const { id, paymentIds } = await unverifiableOf(someWallet(), [madeUp('8')]);
    for (const paymentId of [paymentIds[0], uuid(), 'x'])
      expect(await failure(call(rejectPayLinkPayment, { id, paymentId }))).toMatchObject({
        code: 'NOT_FOUND',
      });
  });
});

describe('POST /api/paylinks/{id}/checkout', () => {
  const start = (input: unknown) => harness.merchant.call(startPayLinkCheckout, input as { id: string });

  it('200: starts a checkout that expires with the link, and returns the same one for the same key', async () => {
    const expiresAt = soon(3_600);
    const { id } = await harness.create({ expiresAt });
    const first = await start({ id, key: uuid() });
    expect(first).toMatchObject({ expires_at: new Date(expiresAt).toISOString() });
    expect(first.payment_link).toMatch(new RegExp(`/checkout/${first.payment_request_id}$`));
    const key = uuid();
    expect(await start({ id, key })).toEqual(await start({ id, key, amount: '3500000' }));
    const stored = 'SELECT FROM payment_requests WHERE paylink_id = $1';
    expect(await harness.merchant.database.query(stored, [id])).toHaveLength(2);
  });

  it('200: returns the expiry of the checkout that an earlier call with the key has started', async () => {
    const { id } = await harness.create();
    const key = uuid();
    const first = await start({ id, key });
    await harness.pass(60);
    expect(await start({ id, key })).toEqual(first);
  });

  it('200: accepts an amount of the payer that is at least the minimum', async () => {
    const { id } = await harness.create({ openAmount: true, amount: '0', minAmount: '500' });
    const key = uuid();
    const first = await start({ id, amount: '500', key });
    expect(await start({ id, amount: '501', key })).not.toEqual(first);
    for (const amount of [undefined, '499', '0', '-1', '1.5'])
      expect(await badFields(start({ id, key, amount }))).toEqual(['amount']);
  });

  it.each([
    ['solana', 'USDC', 2n ** 64n - 1n],
    ['tron', 'TRX', 2n ** 63n - 1n],
  ])(
    '400 VALIDATION_ERROR: rejects an amount that a link on %s cannot accept in %s',
    async (chain, token, most) => {
      const { id } = await harness.create({ openAmount: true, amount: '0' });
      // Open amounts need a node, and only EVM chains have one here.
      const place = 'UPDATE paylinks SET chain = $2, token = $3 WHERE id = $1';
      await harness.merchant.database.query(place, [id, chain, token]);
      expect(await start({ id, amount: String(most) })).toMatchObject({
        payment_request_id: expect.any(String),
      });
      expect(await badFields(start({ id, amount: String(most + 1n) }))).toEqual(['amount']);
    },
  );

  it('400 VALIDATION_ERROR: rejects an amount that differs from the amount of the link', async () => {
    const { id } = await harness.create();
    expect(await badFields(start({ id, amount: '3500001' }))).toEqual(['amount']);
    expect(await badFields(start({ id, note: 'x' }))).toEqual(['note']);
  });

  it('404 NOT_FOUND: rejects a disabled, expired, deleted and missing link', async () => {
    const disabled = await harness.create();
    await harness.toggle(disabled.id, false);
    const expired = await harness.create({ expiresAt: soon(30) });
    const deleted = await harness.create();
    await harness.remove(deleted.id);
    await harness.pass(31);
    for (const id of [disabled.id, expired.id, deleted.id, uuid(), 'x'])
      expect((await failure(start({ id }))).code).toBe('NOT_FOUND');
  });

  it('503 RATE_UNAVAILABLE: starts no checkout of a price without a rate', async () => {
    expect(await failure(start({ id: await createPriced() }))).toMatchObject(noRate);
  });
});

it('deletes any number of abandoned checkouts in one step, and retains recent ones', async () => {
  const { id } = await harness.create();
  const { payment_request_id: young } = await harness.merchant.call(startPayLinkCheckout, { id });
  const copies = `INSERT INTO payment_requests SELECT copy.* FROM generate_series(1, 2100) AS n
    CROSS JOIN payment_requests r CROSS JOIN LATERAL json_populate_record(r, json_build_object(
      'id', md5(n || r.id::text)::uuid, 'created_at', now() - interval '3 days')) AS copy WHERE r.id = $1`;
  await harness.merchant.database.query(copies, [young]);
  const requests = harness.merchant.apps[0]!.context.get(PaymentRequestsRepository, { strict: false });
  const dayMs = 86_400_000;
  await requests.deleteAbandoned(Date.now() - 7 * dayMs, Date.now() - 2 * dayMs);
  const left = 'SELECT id FROM payment_requests WHERE paylink_id = $1';
  expect(await harness.merchant.database.query(left, [id])).toEqual([{ id: young }]);
});

describe('GET /api/exceptions', () => {
  it('200: returns the exceptions of this wallet in pages, newest first', async () => {
    const [wallet, other] = [someWallet(), someWallet()];
    const { id } = await harness.create({}, wallet);
    const hashes = [await harness.paid(1n), await harness.paid(2n), await harness.paid(4_000_000n)];
    for (const hash of hashes) await harness.pay(id, hash);
    const list = (query: ExceptionsQuery) => call(listExceptions, query, wallet);
    const first = await list({ limit: 2 });
    expect(first.exceptions.map(({ kind }) => kind)).toEqual(['overpaid', 'partial']);
    const second = await list({ limit: 2, cursor: first.next_cursor! });
    expect(second).toMatchObject({ exceptions: [{ amount: '1' }], next_cursor: null });
    expect((await list({ kind: 'overpaid' })).exceptions).toHaveLength(1);
    expect((await list({ status: 'resolved' })).exceptions).toEqual([]);
    expect(await exceptionsOf(other)).toEqual([]);
  });

  it('400 VALIDATION_ERROR: rejects an unknown kind and an invalid cursor', async () => {
    expect(await badFields(call(listExceptions, { kind: 'odd' }))).toEqual(['kind']);
    expect(await badFields(call(listExceptions, { cursor: 'x' }))).toEqual(['cursor']);
  });
});

describe('POST /api/exceptions/{id}/resolve', () => {
  it('200: closes the exception, and returns the same reply when it is closed again', async () => {
    const wallet = someWallet();
    const { id } = await harness.create({}, wallet);
    await harness.pay(id, await harness.paid(7n));
    const [open] = await exceptionsOf(wallet);
    const closed = await call(resolveException, { id: open!.id }, wallet);
    expect(closed).toMatchObject({ status: 'resolved', resolution: 'merchant', amount: '7' });
    expect(await call(resolveException, { id: open!.id }, wallet)).toEqual(closed);
    expect(await exceptionsOf(wallet, { status: 'open' })).toEqual([]);
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    expect(await badFields(call(resolveException, { id: uuid(), note: 'x' }))).toEqual(['note']);
  });

  it('404 NOT_FOUND: rejects an exception of another wallet and a missing exception', async () => {
    const wallet = someWallet();
    const { id } = await harness.create({}, wallet);
    await harness.pay(id, await harness.paid(7n));
    const [open] = await exceptionsOf(wallet);
    for (const unknown of [open!.id, uuid(), 'x'])
      expect((await failure(call(resolveException, { id: unknown }, someWallet()))).code).toBe('NOT_FOUND');
  });
});

it('covers each operation and declared error', () => {
  const operations = [paylinksApi, publicPaylinksApi, paylinkPaymentsApi, exceptionsApi].flatMap((api) =>
    Object.values(api.operations),
  );
  expect(missingCases(operations, readFileSync(__filename, 'utf8'))).toEqual([]);
});

function transferOf(amount: bigint): { to: string; data: string } {
  const data = `0xa9059cbb${receiver.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`;
  return { to: harness.chain.usdc.address, data };
}

/** Sends one transaction with two transfers of 3.5 USDC to the receiver. */
async function paidTwiceAtOnce(): Promise<string> {
  const { anvil, chain } = harness;
  const twice = await deployTwice(chain.payer.address);
  await chain.transfer(twice, 7_000_000n, chain.usdc.address);
  const { data } = transferOf(3_500_000n);
  const hash = await anvil.send('eth_sendTransaction', [
    { from: chain.payer.address, to: twice, data, gas: '0x7a120' },
  ]);
  await chain.mined(String(hash));
  await anvil.mine(confirmations);
  return String(hash);
}

/** Deploys a contract that calls USDC twice with its own call data. */
async function deployTwice(from: string): Promise<string> {
  const usdc = harness.chain.usdc.address.slice(2).toLowerCase();
  // The code is calldatacopy(0, 0, size), and then twice call(gas, usdc, 0, 0, size, 0, 0), pop.
  const once = `60006000366000600073${usdc}5af150`;
  const runtime = `366000600037${once}${once}00`;
  const size = (runtime.length / 2).toString(16).padStart(2, '0');
  const creation = `0x60${size}600c60003960${size}6000f3${runtime}`;
  const hash = await harness.anvil.send('eth_sendTransaction', [{ from, data: creation, gas: '0x7a120' }]);
  await harness.chain.mined(String(hash));
  return (await harness.anvil.provider.getTransactionReceipt(String(hash)))!.contractAddress!;
}
