import {
  BatchQuoteReply,
  MinAmountsReply,
  QuoteReply,
  quotesApi,
  type BatchQuoteRequest,
  type QuoteRequest,
} from '@tollbridge/contracts';
import { decode, type FieldError } from '@tollbridge/rpc';
import { chains } from '@tollbridge/chains';
import { closedUrl, eventually, ManualClock, missingCases } from '@tollbridge/testing';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { readFileSync } from 'node:fs';
import { PayOrders } from '../testing/pay-orders';
import { tapWire, type WireTap } from '../testing/wire-tap';

const { quote, batchQuote, minAmounts } = quotesApi.operations;
const base = 'eip155:8453';
const arbitrum = 'eip155:42161';
const clock = new ManualClock(Date.UTC(2026, 10, 20, 12, 0, 0, 1));
let harness: PayOrders;
/** A proxy between the app and the route provider. */
let wire: WireTap;

beforeAll(async () => {
  harness = await PayOrders.start({
    clock,
    lifetimeSeconds: 600,
    otherChainId: 42161,
    routes: 'simulated',
  });
  wire = await tapWire(harness.oneClick.url);
  await restart();
});
afterAll(async () => {
  await harness?.close();
  await wire?.close();
});

const restart = (settings: NodeJS.ProcessEnv = {}) =>
  harness.restartApp({ ONECLICK_URL: wire.url, ...settings });

const request = (changes: Partial<QuoteRequest> = {}): QuoteRequest => ({
  pay_blockchain: base,
  pay_token: 'USDC',
  settle_chain: base,
  settle_token: 'USDC',
  settle_amount: '1500000',
  ...changes,
});
/** 25 USDC on Base, paid in WETH on Arbitrum. */
const across = (changes: Partial<QuoteRequest> = {}): QuoteRequest =>
  request({ pay_blockchain: arbitrum, pay_token: 'WETH', settle_amount: '25000000', ...changes });

const fieldsOf = (details: unknown): string[] => (details as FieldError[]).map(({ field }) => field);

/** The duration of a call in milliseconds, and its outcome. */
async function timed<T>(work: Promise<T>): Promise<[number, T]> {
  const startMs = performance.now();
  const outcome = await work;
  return [performance.now() - startMs, outcome];
}

/** Resolves with the quote when its dollar values match. The first call loads the prices. */
const quoteWith = (input: QuoteRequest, usd: { pay: unknown; receive: unknown }): Promise<QuoteReply> =>
  eventually(async () => {
    const reply = await harness.call(quote, input);
    expect({ pay: reply.pay_amount_usd, receive: reply.receive_amount_usd }).toEqual(usd);
    return reply;
  });
const known = expect.any(String);

describe('POST /api/v1/pay/quote', () => {
  it('200: quotes the same token on the same chain 1:1, until an order created now would expire', async () => {
    const reply = await quoteWith(request(), { pay: '1.50', receive: '1.50' });

    expect(reply).toEqual({
      method: 'Direct',
      pay_amount: '1500000',
      pay_amount_formatted: '1.5',
      pay_amount_usd: '1.50',
      receive_amount: '1500000',
      receive_amount_formatted: '1.5',
      receive_amount_usd: '1.50',
      // Three blocks of two seconds and a poll.
      estimated_time: 7,
      exchange_rate: '1',
      slippage_bps: 0,
      expires_at: '2026-11-20T12:10:01.000Z',
    });
    expect(decode(QuoteReply, reply)).toMatchObject({ ok: true });
    expect((await harness.createOrder()).expires_at).toBe(reply.expires_at);
  });

  it("200: accepts each token's decimals and the chain's aliases", async () => {
    const dai = { pay_token: 'dai', settle_token: 'DAI', pay_blockchain: 'base', settle_amount: '1' };

    expect(await harness.call(quote, request(dai))).toMatchObject({
      pay_amount: '1',
      pay_amount_formatted: '0.000000000000000001',
    });
  });

  it('200: returns every digit of the largest amount', async () => {
    const largest = String(2n ** 128n - 1n);

    const reply = await harness.call(quote, request({ settle_amount: largest }));

    expect(reply.pay_amount).toBe(largest);
    expect(reply.pay_amount_formatted.replace('.', '')).toBe(largest);
  });

  it('200: charges all costs of a cross-chain quote to the payer, and delivers exactly the amount', async () => {
    const reply = await quoteWith(across(), { pay: known, receive: '25.00' });

    expect(reply).toMatchObject({
      method: 'CrossChain',
      receive_amount: '25000000',
      receive_amount_formatted: '25',
      slippage_bps: 50,
      expires_at: new Date(clock.now() + 60_000).toISOString(),
    });
    // 25.01 with delivery, a spread of 0.1 % and a slippage of 0.5 %, at 4200 dollars, rounded up.
    expect(BigInt(reply.pay_amount)).toBe(
      (25_010_000n * 1_001n * 1_005n * 10n ** 18n) / (4200n * 10n ** 12n) + 1n,
    );
    expect(Number(reply.pay_amount_usd)).toBeCloseTo(25.01 * 1.001 * 1.005, 5);
    expect(reply.exchange_rate).toMatch(/^41\d\d\.\d+$/);
    expect(decode(QuoteReply, reply)).toMatchObject({ ok: true });
  });

  it('200: never charges the payer too little, for any amount and pair', async () => {
    const tokens = [base, arbitrum].flatMap((chain) =>
      ['ETH', 'USDC', 'DAI', 'WETH'].map((token) => ({ chain, token })),
    );
    const payTokens = [
      ...tokens,
      { chain: 'btc', token: 'BTC' },
      { chain: 'near', token: 'NEAR' },
      { chain: 'ton', token: 'TON' },
      { chain: 'doge', token: 'DOGE' },
    ];
    const decimalsOf = { ETH: 18, WETH: 18, DAI: 18, USDC: 6, BTC: 8, NEAR: 24, TON: 9, DOGE: 8 } as const;
    const priceOf = { ETH: 42_000_000n, WETH: 42_000_000n, DAI: 9_998n, USDC: 10_000n } as const;
    const payPriceOf = { ...priceOf, BTC: 1_120_000_000n, NEAR: 28_500n, TON: 31_000n, DOGE: 2_400n };
    const arbitrary = fc.record({
      pay: fc.constantFrom(...payTokens),
      settle: fc.constantFrom(...tokens),
      // From ten dollars to a hundred thousand, in a ten thousandth of a cent, with random last digits.
      microUsd: fc.bigInt(10_000_000n, 100_000_000_000n),
      dust: fc.bigInt(0n, 6_399n),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ pay, settle, microUsd, dust }) => {
        fc.pre(pay.chain !== settle.chain || pay.token !== settle.token);
        const settleUnit = 10n ** BigInt(decimalsOf[settle.token as 'ETH']);
        const settlePrice = priceOf[settle.token as 'ETH'];
        const worth = (microUsd * settleUnit) / (settlePrice * 100n);
        // Without the last digits, which select an outcome of the simulator.
        const amount = (worth / 10_000n) * 10_000n + dust;
        let quoted = '';
        wire.answer(async ({ path }, forward) => {
          const reply = await forward();
          if (path === '/v0/quote') quoted = reply.body;
          return reply;
        });
        const reply = await harness.call(quote, {
          pay_blockchain: pay.chain,
          pay_token: pay.token,
          settle_chain: settle.chain,
          settle_token: settle.token,
          settle_amount: String(amount),
        });
        const { withdrawFee, amountIn } = (JSON.parse(quoted) as { quote: Record<string, string> }).quote;
        expect(reply).toMatchObject({ receive_amount: String(amount), pay_amount: amountIn });
        const payUnit = 10n ** BigInt(decimalsOf[pay.token as 'BTC']);
        const paid = BigInt(reply.pay_amount) * payPriceOf[pay.token as 'BTC'] * settleUnit * 1_000_000n;
        const owed = (amount + BigInt(withdrawFee!)) * settlePrice * payUnit * 1_001n * 1_005n;
        const oneUnit = payPriceOf[pay.token as 'BTC'] * settleUnit * 1_000_000n;
        expect(paid).toBeGreaterThanOrEqual(owed);
        // Rounded up at most three times.
        expect(paid - owed).toBeLessThan(4n * oneUnit);
      }),
      { numRuns: 60 },
    );
    wire.passThrough();
  });

  it('200: returns an error for a provider quote below the requested amount', async () => {
    wire.answer(async ({ path }, forward) => {
      const reply = await forward();
      return path === '/v0/quote' ? { ...reply, body: reply.body.replaceAll('25000000', '24999999') } : reply;
    });
    const failure = await harness.failureOf(quote, across()).finally(() => wire.passThrough());

    expect(failure).toMatchObject({ code: 'QUOTE_UNAVAILABLE' });
  });

  it('502 QUOTE_UNAVAILABLE: rejects a pay amount of the provider that the pay chain cannot transfer', async () => {
    wire.answer(async ({ path }, forward) => {
      const reply = await forward();
      if (path !== '/v0/quote') return reply;
      const body = JSON.parse(reply.body) as { quote: Record<string, string> };
      for (const field of ['amountIn', 'minAmountIn']) body.quote[field] = String(2n ** 64n);
      return { ...reply, body: JSON.stringify(body) };
    });
    const input = across({ pay_blockchain: 'solana', pay_token: 'SOL' });
    const failure = await harness.failureOf(quote, input).finally(() => wire.passThrough());
    expect(failure).toMatchObject({
      code: 'QUOTE_UNAVAILABLE',
      message: expect.stringContaining('more than a transfer of SOL on Solana carries'),
    });
  });

  it('200: returns a price for ten minutes, then none, and a price again after the next change', async () => {
    const frozenAtMs = clock.now();
    await harness.oneClick.setPrice('WETH', '4000', new Date(frozenAtMs));
    clock.set(frozenAtMs + 600_000);
    await quoteWith(across(), { pay: known, receive: '25.00' });
    clock.advance(1);
    await quoteWith(across(), { pay: null, receive: '25.00' });
    await harness.oneClick.setPrice('WETH', '4200');
    clock.advance(30_000);
    await quoteWith(across(), { pay: known, receive: '25.00' });
  });

  it('200: uses the second price source for a token without a price in the first source', async () => {
    wire.answer(async ({ path }, forward) => {
      const reply = await forward();
      if (path !== '/v0/tokens') return reply;
      const tokens = JSON.parse(reply.body) as { symbol: string }[];
      return { ...reply, body: JSON.stringify(tokens.filter(({ symbol }) => symbol !== 'DAI')) };
    });
    // Makes the first source's last price of the token outdated.
    clock.advance(600_001);
    const dai = request({ pay_token: 'DAI', settle_token: 'DAI', settle_amount: String(10n ** 18n) });
    await quoteWith(dai, { pay: '0.9998', receive: '0.9998' });
    // The price is also returned when the first source fails completely.
    wire.answer(async () => ({ status: 503 }));
    clock.advance(600_001);
    await quoteWith(request(), { pay: '1.50', receive: '1.50' });
    wire.passThrough();
    // The circuit of the first source is closed again.
    await restart();
  });

  it.each(['', ' 1', '+1', '1e18', '0x10', '-1', '0', '1.5', '1'.repeat(79), String(2n ** 256n), 1, null])(
    '400 VALIDATION_ERROR: rejects an amount of %j with the field',
    async (settle_amount) => {
      const failure = await harness.failureOf(quote, { ...request(), settle_amount });

      expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'settle_amount' }] });
    },
  );

  it('400 VALIDATION_ERROR: returns every missing and unknown field', async () => {
    const { details } = await harness.failureOf(quote, { amount: '1' });

    expect(fieldsOf(details)).toEqual(['amount', ...Object.keys(request())]);
  });

  it.each([
    ['settle_chain', 'bsae', /^"bsae" is not a known chain \(did you mean "base"\?\)/],
    ['settle_token', 'UDSC', /^"UDSC" is not a known token of Base \(did you mean "USDC"\?\)/],
  ])('400 VALIDATION_ERROR: rejects an unknown %s, %s', async (field, value, message) => {
    const failure = await harness.failureOf(quote, { ...request(), [field]: value });

    expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', status: 400, details: [{ field }] });
    expect((failure.details as { message: string }[])[0]!.message).toMatch(message);
  });

  it('400 VALIDATION_ERROR: returns every unknown settle chain and token at once, also with an invalid amount', async () => {
    const input = { ...request(), settle_token: 'SHIB', settle_amount: '-1' };
    const { details } = await harness.failureOf(quote, input);

    expect(fieldsOf(details).sort()).toEqual(['settle_amount', 'settle_token']);
  });

  it.each([
    ['solana', 'USDC', 2n ** 64n - 1n],
    ['tron', 'TRX', 2n ** 63n - 1n],
  ])('400 VALIDATION_ERROR: rejects an amount that %s cannot transfer in %s', async (chain, token, most) => {
    const place = { settle_chain: chain, settle_token: token };
    const of = (amount: bigint) => ({ ...request(), ...place, settle_amount: String(amount) });
    expect(await harness.failureOf(quote, of(most + 1n))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'settle_amount', message: expect.stringContaining(String(most)) }],
    });
    expect((await harness.failureOf(quote, of(most))).code).toBe('QUOTE_UNAVAILABLE');
  });

  it.each([
    ['an unknown pay chain', request({ pay_blockchain: 'moonchain' }), /"moonchain" is not a known chain/],
    ['an unknown pay token', request({ pay_token: 'SHIB' }), /"SHIB" is not a known token of Base/],
    [
      'an unknown contract as pay token',
      request({ pay_token: '0x1111111111111111111111111111111111111111' }),
      /is not a known token/,
    ],
    [
      'a chain that this deployment does not accept',
      request({ pay_blockchain: 'eth', settle_chain: 'eth' }),
      /does not accept payments/,
    ],
    [
      'a token that the provider does not support',
      across({ pay_blockchain: 'eip155:84532', pay_token: 'USDC' }),
      /no route/,
    ],
    ['a pair that the provider does not support', across({ settle_amount: '25006412' }), /no route/],
    ['no liquidity', across({ settle_amount: '25006401' }), /liquidity/],
    ['more than the supply', across({ settle_amount: '9000000000000' }), /liquidity/],
    [
      'a provider that enforces a rate limit',
      across({ settle_amount: '25006408' }),
      /Retry in a few seconds/,
    ],
    ['a provider that fails', across({ settle_amount: '25006407' }), /Retry in a few seconds/],
    [
      'a provider that reports its failure as a rejection',
      across({ settle_amount: '25006413' }),
      /Retry in a few seconds/,
    ],
  ])('502 QUOTE_UNAVAILABLE: rejects %s', async (_name, input, sentence) => {
    const failure = await harness.failureOf(quote, input);

    expect(failure).toMatchObject({ code: 'QUOTE_UNAVAILABLE', status: 502, details: undefined });
    expect(failure.message).toMatch(sentence);
    expect(failure.message).not.toMatch(/oneclick|throttler|internal|http/i);
  });

  it.each([
    ['an amount of the settle token', across({ settle_amount: '1' }), 0.05],
    ['dollars', across({ settle_amount: '6414' }), 10],
    ['thousands of dollars', across({ settle_amount: '6415' }), 1000],
  ])(
    '502 QUOTE_UNAVAILABLE: rejects an amount below a minimum in %s, with the minimum in dollars',
    async (_name, input, least) => {
      await quoteWith(request(), { pay: known, receive: known });

      const failure = await harness.failureOf(quote, input);

      expect(failure).toMatchObject({ code: 'QUOTE_UNAVAILABLE', details: { min_amount_usd: least } });
      expect(failure.message).toMatch(/^The amount is below the minimum of /);
    },
  );

  it('502 QUOTE_UNAVAILABLE: stops waiting for a provider after 5 seconds', async () => {
    const [elapsedMs, failure] = await timed(harness.failureOf(quote, across({ settle_amount: '25006402' })));

    expect(failure).toMatchObject({
      code: 'QUOTE_UNAVAILABLE',
      message: expect.stringMatching(/Retry in a few seconds/),
    });
    expect(elapsedMs).toBeLessThan(8_000);
  });

  it('502 QUOTE_UNAVAILABLE: rejects while the provider is down, from the first call on', async () => {
    harness.oneClick.outage('down');
    expect(await harness.failureOf(quote, across())).toMatchObject({ code: 'QUOTE_UNAVAILABLE' });
    harness.oneClick.outage('up');
    await restart({ ONECLICK_URL: await closedUrl() });
    expect(await harness.failureOf(quote, across())).toMatchObject({ code: 'QUOTE_UNAVAILABLE' });
    // Direct quotes need no provider.
    expect(await harness.call(quote, request())).toMatchObject({ method: 'Direct' });
    await restart();
  });

  it('502 QUOTE_UNAVAILABLE: rejects another chain or token when no provider is configured', async () => {
    await restart({ ONECLICK_URL: '' });
    for (const input of [across(), request({ settle_token: 'DAI' })])
      expect(await harness.failureOf(quote, input)).toMatchObject({ code: 'QUOTE_UNAVAILABLE' });
    await restart();
  });
});

describe('POST /api/v1/pay/batch-quote', () => {
  const batch = (changes: Partial<BatchQuoteRequest> = {}): BatchQuoteRequest => ({
    settle_chain: base,
    settle_token: 'USDC',
    settle_amount: '1000000',
    pay_options: [{ blockchain: arbitrum, token: 'WETH' }],
    ...changes,
  });
  const everyToken = chains
    .filter(({ isTestnet }) => !isTestnet)
    .flatMap(({ id, tokens }) => tokens.map(({ symbol }) => ({ blockchain: id, token: symbol })))
    .filter(({ blockchain, token }) => ![base, arbitrum].includes(blockchain) || token === 'ETH');
  const amount = '25000000';

  it('200: returns `Ok` or `Error` for each option in order, also for repeated options', async () => {
    await quoteWith(request(), { pay: known, receive: known });
    const pay_options = [
      { blockchain: 'base', token: 'usdc' },
      { blockchain: 'moonchain', token: 'USDC' },
      { blockchain: 'arb', token: 'WETH' },
      { blockchain: 'btc', token: 'BTC' },
      { blockchain: 'base', token: 'usdc' },
    ];
    const reply = await harness.call(batchQuote, batch({ pay_options }));

    expect(reply.quotes.map(({ blockchain, token }) => ({ blockchain, token }))).toEqual(pay_options);
    expect(reply.quotes.map(({ result }) => result)).toEqual([
      { Ok: { quote: expect.objectContaining({ method: 'Direct' }) } },
      { Error: { error: expect.stringMatching(/^"moonchain" is not a known chain/) } },
      { Ok: { quote: expect.objectContaining({ method: 'CrossChain' }) } },
      { Error: { error: expect.stringMatching(/^The amount is below the minimum/), min_amount_usd: 5 } },
      { Ok: { quote: expect.objectContaining({ method: 'Direct' }) } },
    ]);
    expect(decode(BatchQuoteReply, reply)).toMatchObject({ ok: true });
  });

  it('200: accepts 50 options, and requests 20 at a time', async () => {
    const fifty = everyToken.slice(0, 50);
    const all = await harness.call(batchQuote, batch({ settle_amount: amount, pay_options: fifty }));
    expect(all.quotes).toHaveLength(fifty.length);

    // The proxy replies only after all requests have arrived.
    let waiting = 0;
    let release = (): void => undefined;
    const allArrived = new Promise<void>((resolve) => (release = resolve));
    wire.answer(async (_request, forward) => {
      if (++waiting === 20) release();
      await allArrived;
      return forward();
    });
    const twenty = everyToken.slice(0, 20);
    const reply = await harness
      .call(batchQuote, batch({ settle_amount: amount, pay_options: twenty }))
      .finally(() => wire.passThrough());
    expect(reply.quotes.filter(({ result }) => result.Ok)).toHaveLength(20);
  });

  it('200: fails only the slow option, after 5 seconds', async () => {
    let slow = '';
    wire.answer(async ({ body }, forward) => {
      slow ||= body.includes('originAsset') ? body : '';
      if (body === slow) return { silent: true };
      return forward();
    });
    const twenty = everyToken.slice(0, 20);
    const [elapsedMs, reply] = await timed(
      harness.call(batchQuote, batch({ settle_amount: amount, pay_options: twenty })),
    ).finally(() => wire.passThrough());

    expect(elapsedMs).toBeLessThan(8_000);
    expect(reply.quotes.filter(({ result }) => result.Ok)).toHaveLength(19);
    expect(reply.quotes.filter(({ result }) => result.Error)).toHaveLength(1);
  });

  it('200: fails all but direct options while the provider is down', async () => {
    harness.oneClick.outage('down');
    const pay_options = [...everyToken.slice(0, 9), { blockchain: base, token: 'USDC' }];
    const reply = await harness.call(batchQuote, batch({ pay_options }));
    harness.oneClick.outage('up');
    await restart();

    expect(reply.quotes.map(({ result }) => (result.Ok ? 'Ok' : 'Error'))).toEqual([
      ...Array.from({ length: 9 }, () => 'Error'),
      'Ok',
    ]);
  });

  it('400 VALIDATION_ERROR: rejects more than 50 options, no options, and invalid ones', async () => {
    const option = { blockchain: base, token: 'USDC' };
    for (const [pay_options, field] of [
      [Array.from({ length: 51 }, () => option), 'pay_options'],
      ['USDC', 'pay_options'],
      [[option, { blockchain: base }], 'pay_options[1].token'],
    ] as const) {
      const failure = await harness.failureOf(batchQuote, { ...batch(), pay_options });
      expect(failure.code).toBe('VALIDATION_ERROR');
      expect(fieldsOf(failure.details)).toEqual([field]);
    }
  });

  it('400 VALIDATION_ERROR: returns every invalid field at once', async () => {
    const { details } = await harness.failureOf(batchQuote, { settle_amount: '0', pay_option: [] });

    expect(fieldsOf(details)).toEqual([
      'pay_option',
      'settle_chain',
      'settle_token',
      'settle_amount',
      'pay_options',
    ]);
  });
});

describe('GET /api/v1/pay/min-amounts', () => {
  const redisUrl = `${process.env['TEST_REDIS_URL']}/7`;
  const key = 'pay-orders:min-amounts';
  // Every token of every chain except the test network. On the local chains, only tokens with a deployment.
  const routes = chains
    .filter(({ id, isTestnet }) => !isTestnet && id !== base && id !== arbitrum)
    .reduce((sum, { tokens }) => sum + tokens.length, 5 + 5 - 1);
  const probing = { PAY_ORDERS_PROBE_EVERY_MS: '1', PAY_ORDERS_REDIS_URL: redisUrl };
  const quotesAsked = () => wire.requests.filter(({ path }) => path === '/v0/quote').length;
  const read = () => harness.call(minAmounts, {});
  let redis: Redis;
  let found: MinAmountsReply;

  beforeAll(async () => {
    redis = new Redis(redisUrl);
    await redis.del(key);
  });
  afterAll(() => redis.disconnect());

  it('200: returns an empty list before the first probe', async () => {
    expect(await read()).toEqual({ min_amounts: [], count: 0, updated_at: null });
  });

  it('200: returns every minimum, with one replica probing at a time', async () => {
    const before = quotesAsked();
    await restart(probing);
    await harness.startApp({ ONECLICK_URL: wire.url, ...probing });
    await eventually(async () => expect(JSON.parse((await redis.get(key)) ?? '[]')).toHaveLength(routes));
    expect(quotesAsked() - before).toBe(routes);

    await restart({ PAY_ORDERS_REDIS_URL: redisUrl });
    found = await read();
    expect(found).toMatchObject({ count: routes, updated_at: new Date(clock.now()).toISOString() });
    expect(found.min_amounts.find(({ token }) => token === 'BTC')).toEqual({
      blockchain: 'btc',
      token: 'BTC',
      min_settle_amount: '5000000',
      min_usd: 5,
      settle_chain: base,
      settle_token: 'USDC',
      updated_at: new Date(clock.now()).toISOString(),
    });
    expect(decode(MinAmountsReply, found)).toMatchObject({ ok: true });
  });

  it('200: returns unchanged minimums while the provider is down', async () => {
    harness.oneClick.outage('down');
    const before = wire.requests.length;
    clock.advance(11 * 60_000);
    await restart(probing);
    // The probe fails, because no quote is possible without the list of tokens.
    await eventually(() => expect(wire.requests.length).toBeGreaterThan(before));

    const [elapsedMs, reply] = await timed(read());
    // The provider is up again, and probing has stopped.
    await restart();
    harness.oneClick.outage('up');
    expect(reply).toEqual(found);
    // Less than the time-out of the provider.
    expect(elapsedMs).toBeLessThan(4_500);
  });

  const runtimeRole = async (): Promise<string> => {
    const [row] = await harness.database.query<{ owner: string }>('SELECT current_user AS owner');
    return row!.owner.replace(/_owner$/, '');
  };

  it('200: returns the list immediately after a restart, from Redis when PostgreSQL does not answer', async () => {
    await harness.database.query(`REVOKE SELECT ON min_amounts FROM ${await runtimeRole()}`);
    const settings = { PAY_ORDERS_REDIS_URL: redisUrl, ONECLICK_URL: await closedUrl() };
    try {
      // Always the first read after the start, repeated because Redis may not answer in time on a machine that stalls.
      await eventually(async () => {
        await restart(settings);
        expect(await read()).toEqual(found);
      });
    } finally {
      await harness.database.query(`GRANT SELECT ON min_amounts TO ${await runtimeRole()}`);
    }
  });

  const entry = {
    blockchain: 'btc',
    token: 'BTC',
    min_settle_amount: '1',
    min_usd: 1,
    settle_chain: base,
    settle_token: 'USDC',
    updated_at: '2026-11-20T12:00:00.000Z',
  };
  it.each([
    ['no value', undefined],
    ['invalid JSON', '[{'],
    ['an object', '{"min_amounts":[]}'],
    ['null', 'null'],
    ['a list of null', '[null]'],
    ['an incomplete entry', JSON.stringify([{ ...entry, updated_at: undefined }])],
    ['an invalid amount', JSON.stringify([{ ...entry, min_settle_amount: '-1' }])],
    ['an unknown field', JSON.stringify([{ ...entry, html: '<script>' }])],
    ['too many entries', JSON.stringify(Array.from({ length: 501 }, () => entry))],
  ])(
    '200: returns the list immediately after a restart, from PostgreSQL when Redis has %s',
    async (_name, text) => {
      if (text === undefined) await redis.del(key);
      else await redis.set(key, text);
      await restart({ PAY_ORDERS_REDIS_URL: redisUrl });

      expect(await read()).toEqual(found);
    },
  );

  it('200: returns the list immediately after a restart, from PostgreSQL when Redis is down', async () => {
    const url = (await closedUrl()).replace('http', 'redis');
    await restart({ PAY_ORDERS_REDIS_URL: url });

    expect(await read()).toEqual(found);
  });

  it('400 VALIDATION_ERROR: returns unknown fields', async () => {
    const { details } = await harness.failureOf(minAmounts, { chain: base });

    expect(fieldsOf(details)).toEqual(['chain']);
  });
});

it('covers each operation and declared error', () => {
  expect(missingCases(Object.values(quotesApi.operations), readFileSync(__filename, 'utf8'))).toEqual([]);
});
