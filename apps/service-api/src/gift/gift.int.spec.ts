import { giftApi } from '@tollbridge/contracts';
import { eventually } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import { GiftHarness, keyId } from '../testing/gift-harness';
import { aBill, aGiftCard, aTopUp } from './testing/gift-orders.builder';

const { orderGiftCard, topUpPhone, payBill, listGiftCards, listBillers, detectOperator, getServiceBalance } =
  giftApi.operations;

let harness: GiftHarness;
beforeAll(async () => {
  harness = await GiftHarness.start();
});
afterAll(() => harness?.close());

const allow = () => ({ output: { status: 'reserved' } });
beforeEach(() => {
  harness.budgets.answer = allow;
  harness.budgets.calls.length = 0;
});

const timesAsked = () => [...harness.simulator.asked.values()].reduce((sum, times) => sum + times, 0);
const asked = () => harness.budgets.calls.map(({ subject }) => subject.split('.').at(-1));
const statuses = async (reference: string) =>
  (
    await harness.database.query<{ status: string }>(`SELECT status FROM purchases WHERE reference = $1`, [
      reference,
    ])
  ).map(({ status }) => status);

describe('Catalogue', () => {
  it('lists the gift cards of a country in pages', async () => {
    const found = await harness.call(listGiftCards, {});
    expect(found.map(({ productId }) => productId)).toEqual([1001, 1002, 1003]);
    expect(found[0]).toMatchObject({
      productName: 'Booktown US',
      countryCode: 'US',
      denominationType: 'RANGE',
      senderFee: 0.5,
      minRecipientDenomination: 1,
      maxRecipientDenomination: 500,
      fixedRecipientDenominations: [],
    });
    expect(found[1]).toMatchObject({
      denominationType: 'FIXED',
      fixedRecipientDenominations: [10, 25, 50, 100],
    });
    const second = await harness.call(listGiftCards, { country: 'us', page: 2, size: 2 });
    expect(second.map(({ productId }) => productId)).toEqual([1003]);
    expect(await harness.failureOf(listGiftCards, { country: 'ZZ' })).toMatchObject({ code: 'NOT_FOUND' });
    // The list is requested once from the provider, however often it is read.
    expect(harness.simulator.asked.get('GET /reloadly/giftcards/countries/:iso/products')).toBe(2);
  });

  it('detects the operator of a number', async () => {
    const found = await harness.call(detectOperator, { phone: '08031234567', country: 'ng' });
    expect(found).toMatchObject({
      operatorId: 3001,
      phone: '+2348031234567',
      minAmount: 1,
      localMaxAmount: 75_000,
    });
    const undetectable = { phone: '+2348031230000', country: 'NG' };
    expect(await harness.failureOf(detectOperator, undetectable)).toMatchObject({ code: 'NOT_FOUND' });
    const unserved = { phone: '+33612345678', country: 'FR' };
    expect(await harness.failureOf(detectOperator, unserved)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['letters', '0803CALLME', 'NG', 'phone'],
    ['another country', '+34612345678', 'NG', 'phone'],
    ['a premium number', '+34803123456', 'ES', 'phone'],
    ['no country', '+2348031234567', 'XX', 'country'],
  ])('rejects a number with %s without a request to the provider', async (_, phone, country, field) => {
    const before = timesAsked();
    const { code, details } = await harness.failureOf(detectOperator, { phone, country });
    expect([code, details]).toEqual(['VALIDATION_ERROR', [expect.objectContaining({ field })]]);
    expect(timesAsked()).toBe(before);
  });

  it('lists the billers of a country and of a type', async () => {
    const ids = async (query: Parameters<typeof harness.call<any, any>>[1]) =>
      (await harness.call(listBillers, query)).map(({ id }) => id);
    expect(await ids({ country: 'SN' })).toEqual([5001, 5002]);
    expect(await ids({ type: 'TV_BILL_PAYMENT' })).toEqual([5101]);
    expect(await ids({ country: 'SN', type: 'TV_BILL_PAYMENT' })).toEqual([]);
    for (const type of ['GAS', 'any text: é', 'constructor']) expect(await ids({ type })).toEqual([]);
    expect(await ids({ page: 2, size: 3 })).toEqual([5201]);
  });

  it.each([
    [listGiftCards, 1_000_000, 300],
    [listGiftCards, 2, 2],
    [listBillers, 301, 300],
  ] as const)('reads a size above the maximum as the maximum', async (list, size, used) => {
    const input = Buffer.from(JSON.stringify({ size }));
    const { page } = await harness.client.callBytes(list, input, harness.context());
    expect(page).toEqual({ next: undefined, limit: used });
    expect(await harness.failureOf(list, { size: 0 })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('reads the balance, which falls with a purchase', async () => {
    const before = await harness.call(getServiceBalance, {});
    expect(before).toMatchObject({ currencyCode: 'USD', currencyName: 'US Dollar' });
    const { amount } = await harness.call(orderGiftCard, aGiftCard());
    const after = await harness.call(getServiceBalance, {});
    expect(after.balance).toBeCloseTo(before.balance - amount, 5);
  });
});

describe('Purchases', () => {
  it('returns gift-card codes that are never stored, published or logged', async () => {
    const reference = randomUUID();
    const request = aGiftCard({
      quantity: 2,
      customIdentifier: reference,
      recipientEmail: 'grace@example.com',
    });
    const order = await harness.call(orderGiftCard, request);
    expect(order).toMatchObject({
      customIdentifier: reference,
      status: 'SUCCESSFUL',
      currencyCode: 'USD',
      recipientEmail: 'grace@example.com',
      // 2 x (25 - 3 % + 0.50)
      amount: 49.5,
      discount: 1.5,
      fee: 1,
      product: {
        productId: 1001,
        quantity: 2,
        unitPrice: 25,
        totalPrice: 50,
        currencyCode: 'USD',
        countryCode: 'US',
      },
    });
    expect(order.cards).toHaveLength(2);
    const codes = order.cards!.flatMap(({ cardNumber, pinCode }) => [cardNumber!, pinCode!]);
    expect(codes.every((code) => /^\d{6,16}$/.test(code))).toBe(true);
    expect(await harness.call(orderGiftCard, request)).toEqual(order);
    const rows = await harness.database.query<{ all: string }>(
      `SELECT row_to_json(p)::text AS all FROM purchases p UNION ALL SELECT payload::text FROM outbox
       UNION ALL SELECT encode(reply, 'escape') FROM idempotency_keys WHERE reply IS NOT NULL`,
    );
    expect(rows.length).toBeGreaterThan(0);
    const stored = rows.map((row) => row.all).join() + JSON.stringify(harness.events.events);
    expect(stored).toContain(String(order.transactionId));
    expect(codes.filter((code) => stored.includes(code))).toEqual([]);
  });

  it('replays a sealed reply under an Idempotency-Key', async () => {
    const key = randomUUID();
    const before = await harness.bought();
    const first = await harness.call(orderGiftCard, aGiftCard(), key);
    expect(await harness.call(orderGiftCard, aGiftCard(), key)).toEqual(first);
    expect(await harness.bought()).toBe(before + 1);
    const [row] = await harness.database.query<{ reply: Buffer; is_sealed: boolean }>(
      'SELECT reply, is_sealed FROM idempotency_keys ORDER BY created_at DESC LIMIT 1',
    );
    expect(row!.is_sealed).toBe(true);
    expect(row!.reply.toString('latin1')).not.toContain(first.cards![0]!.cardNumber!);
    // The reference of the reply identifies the same purchase.
    const named = aGiftCard({ customIdentifier: first.customIdentifier });
    expect(await harness.call(orderGiftCard, named)).toEqual(first);
  });

  it('buys one card for 50 concurrent calls with one identifier', async () => {
    const [sold, reference] = [harness.purchaseRequests, randomUUID()];
    const replies = await Promise.all(
      Array.from({ length: 50 }, () =>
        harness.call(orderGiftCard, aGiftCard({ customIdentifier: reference })),
      ),
    );
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(harness.purchaseRequests - sold).toBe(1);
    const { rows } = await harness.provider.pool.query(
      'SELECT identifier FROM reloadly_transactions WHERE identifier = $1',
      [replies[0]!.id],
    );
    expect(rows).toHaveLength(1);
  });

  it('rejects an identifier with other terms, and separates the identifiers of wallets', async () => {
    const reference = randomUUID();
    const first = await harness.call(orderGiftCard, aGiftCard({ customIdentifier: reference }));
    const other = aGiftCard({ customIdentifier: reference, quantity: 3 });
    expect(await harness.failureOf(orderGiftCard, other)).toMatchObject({ code: 'CONFLICT' });
    const buyer = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
    const theirs = await harness.call(
      orderGiftCard,
      aGiftCard({ customIdentifier: reference }),
      undefined,
      buyer,
    );
    expect(theirs.transactionId).not.toBe(first.transactionId);
  });

  it('tops up by sent and by local amount', async () => {
    const sent = await harness.call(topUpPhone, aTopUp());
    expect(sent).toMatchObject({
      status: 'SUCCESSFUL',
      operatorId: 3001,
      recipientPhone: '+2348031234567',
      countryCode: 'NG',
      requestedAmount: 10,
      deliveredAmount: 15_000,
      deliveredAmountCurrencyCode: 'NGN',
      pinDetail: null,
    });
    const local = await harness.call(topUpPhone, aTopUp({ amount: 3_000, useLocalAmount: true }));
    expect(local).toMatchObject({ requestedAmount: 2, deliveredAmount: 3_000, discount: 0 });
  });

  it('returns a PIN that is never stored', async () => {
    const recipientPhone = { countryCode: 'US', number: '+12015550123' };
    const request = aTopUp({ operatorId: 3201, recipientPhone, customIdentifier: randomUUID() });
    const { pinDetail } = await harness.call(topUpPhone, request);
    expect(pinDetail).toMatchObject({ code: expect.stringMatching(/^\d{14}$/), info: 'Dial *126*PIN#' });
    const rows = await harness.database.query<{ all: string }>(
      'SELECT row_to_json(p)::text AS all FROM purchases p',
    );
    expect(rows.some((row) => row.all.includes(pinDetail!.code))).toBe(false);
  });

  it('returns the token of a meter after a pending bill completes', async () => {
    const request = aBill({ customIdentifier: randomUUID() });
    const taken = await harness.call(payBill, request);
    expect(taken).toMatchObject({
      status: 'PENDING',
      amount: 5000,
      amountCurrencyCode: 'XOF',
      pinDetails: null,
    });
    const paid = await eventually(async () => {
      harness.clock.advance(2_000);
      const now = await harness.call(payBill, request);
      expect(now.status).toBe('SUCCESSFUL');
      return now;
    });
    expect(paid).toMatchObject({ id: taken.id, transactionId: taken.transactionId });
    expect(paid.pinDetails).toMatchObject({ code: expect.stringMatching(/^\d{20}$/), info: '33.4 kWh' });
    // Fixed amounts have ids.
    const fixed = aBill({ billerId: 5101, amount: 10_000 });
    expect(await harness.call(payBill, fixed)).toMatchObject({ status: 'PENDING' });
  });
});

it('returns the rejection of a limit that only the provider enforces, and allows a retry', async () => {
  const [before, reference] = [await harness.bought(), randomUUID()];
  const wish = aGiftCard({ unitPrice: 60, quantity: 2, customIdentifier: reference });
  expect(await harness.failureOf(orderGiftCard, wish)).toMatchObject({
    code: 'PURCHASE_REFUSED',
    details: { reason: 'REFUSED' },
  });
  expect(await harness.bought()).toBe(before);
  expect(await statuses(reference)).toEqual(['refused']);
  expect(await harness.call(orderGiftCard, aGiftCard({ customIdentifier: reference }))).toMatchObject({
    status: 'SUCCESSFUL',
  });
});

describe('Validation rejects before a request to the provider:', () => {
  const wrong: [string, any, object, string[]][] = [
    ['an unknown product', orderGiftCard, aGiftCard({ productId: 999 }), ['productId']],
    ['no cards', orderGiftCard, aGiftCard({ quantity: 0 }), ['quantity']],
    ['half a card', orderGiftCard, aGiftCard({ quantity: 1.5 }), ['quantity']],
    ['too many cards', orderGiftCard, aGiftCard({ quantity: 1e9 }), ['quantity']],
    [
      'a price of no denomination',
      orderGiftCard,
      aGiftCard({ productId: 1002, unitPrice: 26 }),
      ['unitPrice'],
    ],
    ['a price below', orderGiftCard, aGiftCard({ unitPrice: 0.99 }), ['unitPrice']],
    ['a price above', orderGiftCard, aGiftCard({ unitPrice: 500.01 }), ['unitPrice']],
    ['a float', orderGiftCard, aGiftCard({ unitPrice: 0.1 + 0.2 }), ['unitPrice']],
    [
      'another country and price',
      orderGiftCard,
      aGiftCard({ countryCode: 'ES', unitPrice: 501 }),
      ['countryCode', 'unitPrice'],
    ],
    [
      'no address',
      orderGiftCard,
      aGiftCard({ recipientEmail: 'a@b.com\r\nBcc: c@d.com' }),
      ['recipientEmail'],
    ],
    ['two addresses', orderGiftCard, aGiftCard({ recipientEmail: 'a@b.com,c@d.com' }), ['recipientEmail']],
    ['an unknown field', orderGiftCard, { ...aGiftCard(), unitprice: 1 }, ['unitprice']],
    ['an unknown operator', topUpPhone, aTopUp({ operatorId: 1 }), ['operatorId']],
    ['too much airtime', topUpPhone, aTopUp({ amount: 50.01 }), ['amount']],
    [
      'too little of the local money',
      topUpPhone,
      aTopUp({ amount: 1_499, useLocalAmount: true }),
      ['amount'],
    ],
    [
      'an operator of another country that takes fixed amounts',
      topUpPhone,
      aTopUp({ operatorId: 3101, amount: 7 }),
      ['amount', 'recipientPhone.countryCode'],
    ],
    [
      'unsupported local amounts',
      topUpPhone,
      aTopUp({
        operatorId: 3101,
        useLocalAmount: true,
        recipientPhone: { countryCode: 'ES', number: '612345678' },
      }),
      ['useLocalAmount'],
    ],
    [
      'an invalid phone',
      topUpPhone,
      aTopUp({ recipientPhone: { countryCode: 'NG', number: '0803' } }),
      ['recipientPhone.number'],
    ],
    ['an unknown biller', payBill, aBill({ billerId: 1 }), ['billerId']],
    ['a biller that wants an invoice', payBill, aBill({ billerId: 5002 }), ['billerId']],
    ['too small a bill', payBill, aBill({ amount: 999.99 }), ['amount']],
    [
      'an invalid account',
      payBill,
      aBill({ subscriberAccountNumber: '<script>' }),
      ['subscriberAccountNumber'],
    ],
    [
      'an unsupported currency',
      payBill,
      aBill({ billerId: 5101, amount: 10, useLocalAmount: false }),
      ['useLocalAmount'],
    ],
  ];
  it.each(wrong)('%s', async (_, operation, input, fields) => {
    const before = harness.purchaseRequests;
    const { code, details } = await harness.failureOf(operation, input);
    expect(code).toBe('VALIDATION_ERROR');
    expect((details as { field: string }[]).map(({ field }) => field).sort()).toEqual(fields);
    expect([harness.purchaseRequests, asked()]).toEqual([before, []]);
  });
});

describe('Rejections of the provider', () => {
  it.each([
    ['out of stock', orderGiftCard, aGiftCard({ unitPrice: 10.61 }), 'OUT_OF_STOCK'],
    ['not enough balance', orderGiftCard, aGiftCard({ unitPrice: 10.62 }), 'SERVICE_BALANCE_TOO_LOW'],
    ['nothing delivered', orderGiftCard, aGiftCard({ unitPrice: 10.71 }), 'NOT_DELIVERED'],
    ['an inactive operator', topUpPhone, aTopUp({ amount: 10.61 }), 'OPERATOR_UNAVAILABLE'],
    ['not enough balance for a bill', payBill, aBill({ amount: 5000.62 }), 'SERVICE_BALANCE_TOO_LOW'],
  ])('converts a rejection: %s', async (_, operation: any, input, reason) => {
    const before = await harness.call(getServiceBalance, {});
    const failure = await harness.failureOf(operation, input);
    expect(failure).toMatchObject({ code: 'PURCHASE_REFUSED', status: 422, details: { reason } });
    expect(failure.message).not.toMatch(/reloadly/i);
    expect((await harness.call(getServiceBalance, {})).balance).toBe(before.balance);
    await eventually(() => expect(asked()).toEqual(['reserve', 'release']));
  });

  it('allows a retry with the same reference after a rate limit', async () => {
    const reference = randomUUID();
    const [busy, good] = [10.69, 10].map((unitPrice) =>
      aGiftCard({ unitPrice, customIdentifier: reference }),
    );
    expect(await harness.failureOf(orderGiftCard, busy)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(await harness.call(orderGiftCard, good!)).toMatchObject({ status: 'SUCCESSFUL' });
  });

  it('publishes a refund, which does not count as a spend', async () => {
    const reference = randomUUID();
    const request = aGiftCard({ unitPrice: 10.65, customIdentifier: reference });
    expect(await harness.call(orderGiftCard, request)).toMatchObject({ status: 'PENDING', cards: null });
    await eventually(async () => {
      harness.clock.advance(2_000);
      expect(await statuses(reference)).toEqual(['refunded']);
    });
    const failure = await harness.failureOf(orderGiftCard, request);
    expect(failure).toMatchObject({ code: 'PURCHASE_REFUSED', details: { reason: 'REFUNDED' } });
    const refunds = () =>
      harness.events.events.filter(({ envelope }) => envelope.data['status'] === 'refunded');
    await eventually(() => expect(refunds().length).toBeGreaterThan(0));
  });
});

describe('Budgets of keys', () => {
  it('reserves the highest price before the purchase, and publishes the final one', async () => {
    const before = harness.purchaseRequests;
    const seen: number[] = [];
    harness.budgets.answer = () => {
      seen.push(harness.purchaseRequests);
      return allow();
    };
    const order = await harness.call(orderGiftCard, aGiftCard({ quantity: 2 }));
    expect(seen).toEqual([before]);
    expect(harness.budgets.calls.map(({ input }) => input)).toEqual([
      {
        keyId,
        kind: 'purchase',
        reference: order.id,
        attempt: expect.any(String),
        // 2 x (25 + 0.50)
        valueUsd: '51',
        description: '2 x Booktown US of 25 USD',
      },
    ]);
    const published = await eventually(() => {
      const found = harness.events.events.find(({ envelope }) => envelope.aggregateId === order.id);
      expect(found).toBeDefined();
      return found!.envelope.data;
    });
    expect(published).toMatchObject({
      status: 'completed',
      key_id: keyId,
      value_usd: '49.5',
      kind: 'gift-card',
    });
  });

  it('converts other currencies by the rate of the product', async () => {
    await harness.call(orderGiftCard, aGiftCard({ productId: 1101, countryCode: 'ES', unitPrice: 7.77 }));
    await harness.call(payBill, aBill({ amount: 6_000 }));
    await harness.call(topUpPhone, aTopUp({ amount: 2_000, useLocalAmount: true }));
    const values = harness.budgets.calls.map(({ input }) => input['valueUsd']);
    // 7.77 x 1.08654; 6000 / 600 + 1 %; 2000 / 1500, rounded up
    expect(values).toEqual(['8.442416', '10.1', '1.333334']);
  });

  it.each(['BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED'])(
    'rejects before a request to the provider: %s',
    async (code) => {
      const before = harness.purchaseRequests;
      harness.budgets.answer = () => ({ failure: { code, message: 'Not now.', details: { limit: '1.00' } } });
      for (const [operation, input] of [
        [orderGiftCard, aGiftCard()],
        [topUpPhone, aTopUp()],
        [payBill, aBill()],
      ] as const)
        expect(await harness.failureOf(operation, input)).toMatchObject({ code, details: { limit: '1.00' } });
      expect(harness.purchaseRequests).toBe(before);
    },
  );
});
