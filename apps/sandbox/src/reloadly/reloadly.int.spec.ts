import { Database } from '@tollbridge/database';
import { eventually, freshDatabase, ManualClock, type FreshDatabase } from '@tollbridge/testing';
import { startServiceSimulators, type RunningServiceSimulators } from '../simulators/service-simulators';
import { codesLateMs, settlesMs } from './magic-amounts';
import type { Reloadly } from './reloadly';
import { audienceOf, sandboxClient, type Api } from './tokens';
import { migrateSandbox } from '../simulators/open-simulators';

const clock = new ManualClock(Date.UTC(2026, 2, 1, 10, 20, 30));
let schema: FreshDatabase;
let database: Database;
let running: RunningServiceSimulators;
let simulator: Reloadly;

const openDatabase = () =>
  Database.open({
    app: 'sandbox',
    url: schema.runtimeUrl,
    entities: [],
    maxConnections: 8,
    onError: () => undefined,
  });
async function open(): Promise<void> {
  running = await startServiceSimulators({ database, clock, onError: () => undefined });
  simulator = running.simulators['reloadly'] as Reloadly;
  tokens.clear();
}

const tokens = new Map<Api, string>();
beforeAll(async () => {
  schema = await freshDatabase('sandbox', migrateSandbox);
  database = await openDatabase();
  await open();
});
afterAll(async () => {
  await running?.close();
  await database?.close();
  await schema?.drop();
});

interface Reply {
  status: number;
  headers: Headers;
  body: any;
}

async function send(path: string, init: RequestInit = {}): Promise<Reply> {
  const reply = await fetch(`${running.url}/reloadly${path}`, init);
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.includes('json');
  return { status: reply.status, headers: reply.headers, body: isJson ? JSON.parse(text) : text };
}

const json = { 'content-type': 'application/json' };
const askToken = (changes: object = {}): Promise<Reply> => {
  const body = {
    client_id: sandboxClient.id,
    client_secret: sandboxClient.secret,
    grant_type: 'client_credentials',
    audience: audienceOf('giftcards'),
    ...changes,
  };
  return send('/auth/oauth/token', { method: 'POST', headers: json, body: JSON.stringify(body) });
};

async function call(api: Api, path: string, body?: object, signal?: AbortSignal): Promise<Reply> {
  if (!tokens.has(api)) tokens.set(api, (await askToken({ audience: audienceOf(api) })).body.access_token);
  const headers = {
    ...(body && json),
    authorization: `Bearer ${tokens.get(api)}`,
    accept: `application/com.reloadly.${api}-v1+json`,
  };
  const init = { method: body ? 'POST' : 'GET', headers, ...(body && { body: JSON.stringify(body) }) };
  return send(`/${api}${path}`, { ...init, ...(signal && { signal }) });
}

const order = (changes: object = {}) =>
  call('giftcards', '/orders', {
    productId: 1001,
    quantity: 1,
    unitPrice: 25,
    senderName: 'Ada',
    ...changes,
  });
const topUp = (changes: object = {}) => {
  const recipientPhone = { countryCode: 'NG', number: '2348031234567' };
  return call('topups', '/topups', { operatorId: 3001, amount: 10, recipientPhone, ...changes });
};
const pay = (changes: object = {}) => {
  const body = {
    subscriberAccountNumber: '04',
    amount: 5000,
    billerId: 5001,
    useLocalAmount: true,
    ...changes,
  };
  return call('utilities', '/pay', body);
};
const balance = async (): Promise<number> => (await call('giftcards', '/accounts/balance')).body.balance;

describe('Reloadly tokens', () => {
  it('binds a token to one product, and expires it after an hour', async () => {
    const { status, body } = await askToken();
    expect([status, body]).toEqual([
      200,
      { access_token: expect.any(String), scope: 'developer', expires_in: 3_600, token_type: 'Bearer' },
    ]);
    const using = (path: string, authorization?: string) =>
      send(path, authorization === undefined ? {} : { headers: { authorization } });
    const own = `Bearer ${body.access_token}`;
    expect((await using('/giftcards/products', own)).status).toBe(200);
    for (const [path, header, errorCode] of [
      ['/topups/operators', own, 'INVALID_TOKEN'],
      ['/giftcards/products', 'Bearer nonsense', 'INVALID_TOKEN'],
      ['/giftcards/products', undefined, 'MISSING_TOKEN'],
    ] as const)
      expect(await using(path, header)).toMatchObject({ status: 401, body: { errorCode } });
    clock.advance(3_600_000);
    expect(await using('/giftcards/products', own)).toMatchObject({ body: { errorCode: 'TOKEN_EXPIRED' } });
    tokens.clear();
  });

  it.each([
    ['a foreign client', { client_secret: 'x' }, 401, 'INVALID_CREDENTIALS'],
    ['a foreign audience', { audience: 'https://giftcards.reloadly.com' }, 400, 'INVALID_AUDIENCE'],
    ['another grant', { grant_type: 'password' }, 400, 'INVALID_GRANT_TYPE'],
  ])('rejects a token request with %s', async (_, changes, status, errorCode) => {
    expect(await askToken(changes)).toMatchObject({ status, body: { errorCode } });
  });
});

describe('Reloadly responses, as integrators recorded them', () => {
  const keys = (value: object) => Object.keys(value).sort();

  it('lists products with and without pages', async () => {
    const { body: list } = await call('giftcards', '/countries/US/products');
    const recorded = [
      'productId',
      'productName',
      'global',
      'supportsPreOrder',
      'status',
      'senderFee',
      'senderFeePercentage',
      'discountPercentage',
      'denominationType',
      'recipientCurrencyCode',
      'logoUrls',
      'brand',
      'category',
      'recipientCurrencyToSenderCurrencyExchangeRate',
      'minRecipientDenomination',
      'maxRecipientDenomination',
      'senderCurrencyCode',
      'minSenderDenomination',
      'maxSenderDenomination',
      'country',
      'redeemInstruction',
      'fixedRecipientDenominations',
      'fixedSenderDenominations',
      'additionalRequirements',
      'fixedRecipientToSenderDenominationsMap',
    ];
    for (const product of list) expect(keys(product)).toEqual(expect.arrayContaining(recorded));
    const page = await call('giftcards', '/products?countryCode=US&page=0&size=2');
    expect(page.body).toMatchObject({ totalElements: 3, totalPages: 2, size: 2, first: true, last: false });
    const second = await call('giftcards', '/products?countryCode=US&page=2&size=2');
    expect(second.body.content.map((product: any) => product.productId)).toEqual([1003]);
  });

  it('orders a card, and reads its codes and report', async () => {
    const { status, body } = await order({ quantity: 2, customIdentifier: 'shape-1' });
    expect(status).toBe(200);
    expect(body).toEqual({
      transactionId: expect.any(Number),
      amount: 49.5,
      discount: 1.5,
      currencyCode: 'USD',
      fee: 1,
      smsFee: 0,
      totalFee: 1,
      recipientEmail: null,
      recipientPhone: null,
      customIdentifier: 'shape-1',
      status: 'SUCCESSFUL',
      preOrdered: false,
      transactionCreatedTime: expect.stringMatching(/^2026-03-01 \d\d:\d\d:\d\d$/),
      product: {
        productId: 1001,
        productName: 'Booktown US',
        countryCode: 'US',
        quantity: 2,
        unitPrice: 25,
        totalPrice: 50,
        currencyCode: 'USD',
        brand: { brandId: 100, brandName: 'Booktown' },
      },
    });
    const path = `/orders/transactions/${body.transactionId}/cards`;
    const { body: cards } = await call('giftcards', path);
    expect(cards).toHaveLength(2);
    for (const card of cards) expect(keys(card)).toEqual(['cardNumber', 'pinCode']);
    expect((await call('giftcards', path)).body).toEqual(cards);
    const authorization = `Bearer ${tokens.get('giftcards')}`;
    const plain = await send(`/giftcards${path}`, { headers: { authorization, accept: 'application/json' } });
    expect(plain.status).toBe(406);
    const accept = 'application/com.reloadly.giftcards-v2+json';
    const second = await send(`/giftcards${path}`, { headers: { authorization, accept } });
    expect(keys(second.body[0])).toContain('redemptionUrl');
    const report = await call('giftcards', '/reports/transactions?customIdentifier=shape-1');
    expect(report.body.content).toEqual([body]);
    expect((await call('giftcards', `/reports/transactions/${body.transactionId}`)).body).toEqual(body);
  });

  it('finds an operator and tops up', async () => {
    const found = await call('topups', '/operators/auto-detect/phone/2348031234567/countries/NG');
    expect(found.body).toMatchObject({ operatorId: 3001, fx: { rate: 1500, currencyCode: 'NGN' } });
    expect(keys(found.body)).toEqual(
      expect.arrayContaining([
        'id',
        'fees',
        'promotions',
        'suggestedAmounts',
        'localMinAmount',
        'pin',
        'bundle',
      ]),
    );
    const { body } = await topUp({ customIdentifier: 'shape-2' });
    expect(keys(body)).toEqual(
      expect.arrayContaining([
        'transactionId',
        'status',
        'operatorTransactionId',
        'customIdentifier',
        'recipientPhone',
        'requestedAmount',
        'deliveredAmount',
        'transactionDate',
        'pinDetail',
        'discount',
        'operatorName',
      ]),
    );
    const report = await call('topups', '/topups/reports/transactions?customIdentifier=shape-2');
    expect(report.body.content).toEqual([body]);
    const status = await call('topups', `/topups/${body.transactionId}/status`);
    expect(status.body).toMatchObject({ status: 'SUCCESSFUL', transaction: body });
  });

  it('pays a bill within a second', async () => {
    const { body } = await pay({ referenceId: 'shape-3' });
    expect(body).toMatchObject({
      status: 'PROCESSING',
      code: 'PAYMENT_PROCESSING_IN_PROGRESS',
      referenceId: 'shape-3',
    });
    clock.advance(1_000);
    const paid = (await call('utilities', `/transactions/${body.id}`)).body;
    expect(paid).toMatchObject({ transaction: { id: body.id, status: 'SUCCESSFUL', fee: 0.08333 } });
    expect(keys(paid.transaction.billDetails.pinDetails)).toEqual(['info1', 'info2', 'info3', 'token']);
    const report = await call('utilities', '/transactions?referenceId=shape-3');
    expect(report.body.content).toEqual([paid]);
    const failing = await pay({ billerId: 5201 });
    clock.advance(1_000);
    const failed = await call('utilities', `/transactions/${failing.body.id}`);
    expect(failed.body.transaction.status).toBe('FAILED');
  });

  it('reports errors', async () => {
    const { status, body } = await order({ productId: 1 });
    expect([status, body]).toEqual([
      404,
      {
        message: 'The product was not found',
        path: '/orders',
        errorCode: 'PRODUCT_NOT_FOUND',
        timeStamp: expect.stringMatching(/^2026-03-01 /),
        infoLink: null,
        details: [],
      },
    ]);
    const nowhere = await call('giftcards', '/nowhere');
    expect(nowhere).toMatchObject({ status: 404, body: { status: 404, error: 'Not Found' } });
  });
});

describe('Slow Reloadly purchases', () => {
  it('releases a pre-order later, with its codes', async () => {
    const asked = { productId: 1002, unitPrice: 25, preOrder: true };
    const { body } = await order(asked);
    expect(body).toMatchObject({ status: 'PENDING', preOrdered: true });
    const [report, codes] = ['/reports/transactions/', '/orders/transactions/'].map(
      (it) => it + body.transactionId,
    );
    expect((await call('giftcards', `${codes}/cards`)).status).toBe(500);
    clock.advance(5_000);
    expect((await call('giftcards', report!)).body).toMatchObject({ status: 'SUCCESSFUL', preOrdered: true });
    expect((await call('giftcards', `${codes}/cards`)).body).toHaveLength(1);
    expect((await order({ ...asked, productId: 1001 })).body.errorCode).toBe('INVALID_INPUT_PROVIDED');
  });

  it('returns only the id of a slow top-up, and reports its status', async () => {
    const recipientPhone = { countryCode: 'NG', number: '2348031234567' };
    const wish = { operatorId: 3001, amount: 10, recipientPhone, customIdentifier: 'async-1' };
    const { status, body } = await call('topups', '/topups-async', wish);
    expect([status, body]).toEqual([200, { transactionId: expect.any(Number) }]);
    const path = `/topups/${body.transactionId}/status`;
    expect((await call('topups', path)).body.status).toBe('PROCESSING');
    clock.advance(8_900);
    expect((await call('topups', path)).body.status).toBe('PROCESSING');
    clock.advance(100);
    expect((await call('topups', path)).body).toMatchObject({
      status: 'SUCCESSFUL',
      transaction: { transactionId: body.transactionId },
    });
    const again = await call('topups', '/topups-async', wish);
    expect(again.body.errorCode).toBe('CUSTOM_IDENTIFIER_ALREADY_USED');
  });
});

describe('Rejections of Reloadly', () => {
  it('rejects orders above 100 dollars, as its own sandbox does', async () => {
    expect((await order({ unitPrice: 100 })).status).toBe(200);
    expect((await order({ unitPrice: 50, quantity: 2 })).status).toBe(200);
    for (const wish of [
      { unitPrice: 100.01 },
      { unitPrice: 50.01, quantity: 2 },
      { productId: 1101, unitPrice: 95 },
    ])
      expect(await order(wish)).toMatchObject({ status: 400, body: { errorCode: 'INVALID_INPUT_PROVIDED' } });
  });

  it.each([
    ['an unknown denomination', () => order({ productId: 1002, unitPrice: 11 }), 400, 'WRONG_PRODUCT_PRICE'],
    ['out of range', () => order({ unitPrice: 501 }), 400, 'PRICE_IS_NOT_PERMITTED'],
    ['a missing sender', () => order({ senderName: '' }), 400, 'INVALID_INPUT_PROVIDED'],
    ['zero cards', () => order({ quantity: 0 }), 400, 'INVALID_INPUT_PROVIDED'],
    ['a long identifier', () => order({ customIdentifier: 'x'.repeat(151) }), 400, 'INVALID_INPUT_PROVIDED'],
    ['an unknown operator', () => topUp({ operatorId: 1 }), 404, 'OPERATOR_NOT_FOUND'],
    ['too much airtime', () => topUp({ amount: 51 }), 400, 'INVALID_AMOUNT_FOR_OPERATOR'],
    [
      'too large a local amount',
      () => topUp({ amount: 75_001, useLocalAmount: true }),
      400,
      'INVALID_LOCAL_AMOUNT_FOR_OPERATOR',
    ],
    [
      'unsupported local amounts',
      () => topUp({ operatorId: 3101, amount: 5, useLocalAmount: true }),
      400,
      'LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR',
    ],
    ['a missing phone', () => topUp({ recipientPhone: {} }), 400, 'INVALID_RECIPIENT_PHONE'],
    ['an unknown biller', () => pay({ billerId: 1 }), 400, 'INVALID_BILLER_ID'],
    ['a missing amount id', () => pay({ billerId: 5101 }), 400, 'MISSING_REQUIRED_AMOUNT_ID'],
    ['an unknown amount id', () => pay({ billerId: 5101, amountId: 51_012 }), 400, 'AMOUNT_ID_NOT_FOUND'],
    ['an unknown transaction', () => call('utilities', '/transactions/1'), 404, 'TRANSACTION_NOT_FOUND'],
    [
      'an unassigned number',
      () => call('topups', '/operators/auto-detect/phone/2348030000/countries/NG'),
      404,
      'COULD_NOT_AUTO_DETECT_OPERATOR',
    ],
    [
      'an unsupported country',
      () => call('topups', '/operators/auto-detect/phone/33612345678/countries/FR'),
      409,
      'COUNTRY_NOT_SUPPORTED',
    ],
  ])('rejects %s', async (_, ask, status, errorCode) => {
    const before = await balance();
    expect(await ask()).toMatchObject({ status, body: { errorCode } });
    expect(await balance()).toBe(before);
  });
});

describe('Reloadly custom identifier', () => {
  it.each([
    ['gift card', order, 'customIdentifier', 'CUSTOM_IDENTIFIER_ALREADY_USED'],
    ['top-up', topUp, 'customIdentifier', 'CUSTOM_IDENTIFIER_ALREADY_USED'],
    ['bill', pay, 'referenceId', 'REFERENCE_ID_ALREADY_USED'],
  ])(
    'accepts an identifier again after a rejected purchase of a %s, but not after an accepted purchase',
    async (name, buy, field, errorCode) => {
      const [good, bad] = name === 'bill' ? [5000, 5000.61] : [10, 10.61];
      const amount = (value: number) => ({ [name === 'gift card' ? 'unitPrice' : 'amount']: value });
      const own = { [field]: `once-${name}` };
      expect((await buy({ ...amount(bad), ...own })).status).toBeGreaterThanOrEqual(400);
      expect((await buy({ ...amount(good), ...own })).status).toBe(200);
      expect(await buy({ ...amount(good), ...own })).toMatchObject({ status: 400, body: { errorCode } });
    },
  );
});

describe('Magic amounts of Reloadly', () => {
  const statusOf = async (id: number) => (await call('giftcards', `/reports/transactions/${id}`)).body.status;
  const magic = (cents: string, customIdentifier: string) =>
    order({ unitPrice: Number(`10.${cents}`), customIdentifier });
  const bought = async (identifier: string) =>
    (await call('giftcards', `/reports/transactions?customIdentifier=${identifier}`)).body.content;

  it.each([
    ['61', 400, 'TEMPORARY_OUT_OF_STOCK', 0],
    ['62', 400, 'INSUFFICIENT_BALANCE', 0],
    ['64', 500, 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT', 1],
    ['66', 400, 'CUSTOM_IDENTIFIER_ALREADY_USED', 0],
    ['68', 500, 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT', 0],
    ['69', 429, 'TOO_MANY_REQUESTS', 0],
  ])('….%s returns %s %s, with %s purchased', async (cents, status, errorCode, count) => {
    const before = await balance();
    expect(await magic(cents, `magic-${cents}`)).toMatchObject({ status, body: { errorCode } });
    expect(await bought(`magic-${cents}`)).toHaveLength(count);
    expect((await balance()) < before).toBe(count > 0);
  });

  it('….63 purchases and delays the response, ….70 purchases and closes the connection', async () => {
    const wait = {
      productId: 1001,
      quantity: 1,
      unitPrice: 10.63,
      senderName: 'Ada',
      customIdentifier: 'slow',
    };
    const leaving = new AbortController();
    let isOpen = true;
    const answered = call('giftcards', '/orders', wait, leaving.signal).finally(() => (isOpen = false));
    await eventually(async () => expect(await bought('slow')).toHaveLength(1));
    // Without a delay, the response would arrive within this time.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(isOpen).toBe(true);
    leaving.abort();
    await expect(answered).rejects.toThrow(/abort/i);
    expect(await bought('slow')).toHaveLength(1);
    await expect(magic('70', 'gone')).rejects.toThrow();
    expect(await bought('gone')).toHaveLength(1);
  });

  it('….65 is refunded, ….67 is slow, ….71 fails at no cost, ….72 has late codes', async () => {
    const before = await balance();
    const [back, later, failed] = await Promise.all(
      ['65', '67', '71'].map((cents) => magic(cents, `late-${cents}`)),
    );
    expect([back!.body.status, later!.body.status, failed!.body.status]).toEqual([
      'PENDING',
      'PENDING',
      'FAILED',
    ]);
    const cards = `/orders/transactions/${later!.body.transactionId}/cards`;
    clock.advance(settlesMs);
    expect(await statusOf(back!.body.transactionId)).toBe('REFUNDED');
    expect(await statusOf(later!.body.transactionId)).toBe('SUCCESSFUL');
    expect((await call('giftcards', cards)).body).toHaveLength(1);
    expect(await balance()).toBeCloseTo(before - later!.body.amount, 5);
    const late = await magic('72', 'late-72');
    const ofLate = `/orders/transactions/${late.body.transactionId}/cards`;
    expect((await call('giftcards', ofLate)).status).toBe(500);
    clock.advance(codesLateMs);
    expect((await call('giftcards', ofLate)).body).toHaveLength(1);
  });
});

it('keeps purchases across a restart, but not tokens', async () => {
  const { body } = await order({ customIdentifier: 'retained' });
  const before = await balance();
  await running.close();
  await open();
  expect(await balance()).toBe(before);
  expect((await order({ customIdentifier: 'retained' })).body.errorCode).toBe(
    'CUSTOM_IDENTIFIER_ALREADY_USED',
  );
  expect((await call('giftcards', `/reports/transactions/${body.transactionId}`)).body).toEqual(body);
});

it('hangs or returns 503 during an outage', async () => {
  simulator.outage.mode = 'down';
  expect((await askToken()).status).toBe(503);
  simulator.outage.mode = 'slow';
  await expect(send('/auth/oauth/token', { signal: AbortSignal.timeout(200) })).rejects.toThrow();
  simulator.outage.mode = 'up';
  expect((await askToken()).status).toBe(200);
});
