import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKeyText } from '@tollbridge/api-keys';
import { paymentBytes } from '@tollbridge/nanopay-protocol';
import { aChargeItem } from '@tollbridge/nanopay-protocol/testing';
import { deployTestToken, mined } from '@tollbridge/onchain';
import { httpTransport } from '@tollbridge/paywall';
import { eventually } from '@tollbridge/testing';
import { jettonWalletOf, sandboxEnclaveWallet, TonAccountReader } from '@tollbridge/ton';
import { Contract, HDNodeWallet, Wallet } from 'ethers';
import { cliCases } from './cli.cases';
import { expectFailure, notCovered, route } from './covered-routes';
import { Api, withoutRequestId } from './http';
import { nanoAccountsCases } from './nano-accounts.cases';
import { NanoBuyer } from './nano-buyer';
import { networksCases } from './networks.cases';
import { Payer } from './payer';
import { PayerAcross } from './payer-across';
import { premiumCases } from './premium.cases';
import { receiversCases } from './receivers.cases';
import { siteCases } from './site.cases';
import { soldNumberCases } from './sold-number.cases';
import { Swapper, type Wish } from './swapper';
import { unlessBusy } from './unless-busy';
import { Harness, startTimeoutMs } from './harness';

let harness: Harness;
let api: Api;
let payer: Payer;
let across: PayerAcross;
let swapper: Swapper;
let buyer: NanoBuyer;
/** Requested at the start, so that it expires during the other cases. */
let expiring: { quoteId: string; expiresAt: number };

/** Mnemonic of the accounts of the local chains; public. */
const phrase = 'test test test test test test test test test test test junk';
const usd = 10n ** 6n;
const oneChain: Wish = { from: 'USDT', to: 'USDC', amount: 100n * usd };
const acrossChains: Wish = { from: 'USDC', to: 'USDC', amount: 100n * usd, isAcross: true };

const txHash = (): string => `0x${randomBytes(32).toString('hex')}`;
const unknownId = '01a1faec-0000-7000-8000-000000000000';
const unknownDeposit = { deposit_address: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063' };
const settlement = { settle_chain: 'eip155:8453', settle_token: 'USDC', settle_amount: '1500000' };

beforeAll(async () => {
  harness = await Harness.start({ SANDBOX_NETWORKS: 'ton,solana,tron,sui' });
  api = await Api.at(harness.gateway);
  payer = await Payer.in(api);
  across = await PayerAcross.in(api);
  swapper = await Swapper.in(api);
  buyer = await NanoBuyer.in(harness, api);
  expiring = await swapper.data(swapper.quote(oneChain));
}, startTimeoutMs);

afterAll(async () => {
  payer?.close();
  across?.close();
  swapper?.close();
  await harness?.remove();
});

route('GET /api/v1/pay/chains', {
  OK: async () => {
    const { body } = await api.get('/api/v1/pay/chains');
    expect(body).toMatchObject({ total: 29 });
    expect(body.direct_chains).toHaveLength(12);
    expect(body.crosschain_chains).toHaveLength(17);
  },
  'OK: lists direct chains with direct_only=true': async () => {
    const { body } = await api.get('/api/v1/pay/chains?direct_only=true');
    expect(body.count).toBe(12);
    expect(body.chains).toContain('eip155:8453');
    expect(body).not.toHaveProperty('total');
  },
  'VALIDATION_ERROR: rejects a value that is not a boolean and an unknown parameter': () =>
    expectFailure(
      api.get('/api/v1/pay/chains?direct_only=yes&page=1'),
      400,
      'VALIDATION_ERROR',
      'direct_only',
      'page',
    ),
});

route('POST /api/v1/pay/quote', {
  OK: async () => {
    const { body } = await api.post('/api/v1/pay/quote', quoteOf({}));
    expect(body).toMatchObject({
      method: 'Direct',
      pay_amount: '1500000',
      receive_amount: '1500000',
      exchange_rate: '1',
      slippage_bps: 0,
    });
    expect(body.pay_amount_formatted).toBe('1.5');
  },
  'OK: accepts a short name on one side and CAIP-2 on the other': async () => {
    const { status } = await api.post('/api/v1/pay/quote', quoteOf({ pay_blockchain: 'base' }));
    expect(status).toBe(200);
  },
  'OK: quotes another token on another chain at the cross-chain rate': async () => {
    for (const pay of [{ pay_token: 'USDT' }, { pay_blockchain: 'btc', pay_token: 'BTC' }]) {
      const { body } = await api.post('/api/v1/pay/quote', quoteOf({ ...pay, settle_amount: '25000000' }));
      expect(body).toMatchObject({ method: 'CrossChain', receive_amount: '25000000', slippage_bps: 50 });
    }
  },
  'VALIDATION_ERROR: rejects an unknown chain to settle on': () =>
    expectFailure(
      api.post('/api/v1/pay/quote', quoteOf({ settle_chain: 'bsae' })),
      400,
      'VALIDATION_ERROR',
      'settle_chain',
    ),
  'QUOTE_UNAVAILABLE: rejects a token or chain without a route': async () => {
    for (const changes of [{ pay_token: 'NOPE' }, { pay_blockchain: 'nowhere' }])
      await expectFailure(api.post('/api/v1/pay/quote', quoteOf(changes)), 502, 'QUOTE_UNAVAILABLE');
  },
  'QUOTE_UNAVAILABLE: rejects an amount below the minimum and a pair without liquidity': async () => {
    for (const changes of [
      { pay_blockchain: 'btc', pay_token: 'BTC', settle_amount: '1000000' },
      { pay_token: 'USDT', settle_amount: '25006401' },
    ]) {
      await expectFailure(api.post('/api/v1/pay/quote', quoteOf(changes)), 502, 'QUOTE_UNAVAILABLE');
    }
  },
  'VALIDATION_ERROR: rejects malformed amounts': async () => {
    const long = '1'.repeat(79);
    for (const settle_amount of [
      '',
      ' 1',
      '+1',
      '1e18',
      '0x10',
      '-1',
      '0',
      '1.5',
      '01',
      long,
      1,
      1.5,
      null,
      '١',
    ]) {
      await expectFailure(
        api.post('/api/v1/pay/quote', quoteOf({ settle_amount })),
        400,
        'VALIDATION_ERROR',
        'settle_amount',
      );
    }
  },
  'VALIDATION_ERROR: lists all bad fields': () =>
    expectFailure(
      api.post('/api/v1/pay/quote', { pay_token: 7, extra: 1 }),
      400,
      'VALIDATION_ERROR',
      'extra',
      'pay_blockchain',
      'pay_token',
      'settle_amount',
      'settle_chain',
      'settle_token',
    ),
});

route('POST /api/v1/pay/batch-quote', {
  'OK: quotes each option by itself, in the requested order': async () => {
    const pay_options = [
      { blockchain: 'base', token: 'USDC' },
      { blockchain: 'btc', token: 'BTC' },
      { blockchain: 'nowhere', token: 'BTC' },
      { blockchain: 'eip155:42161', token: 'WETH' },
    ];
    // Dollar values are available some seconds after the start.
    const body = await eventually(async () => {
      const reply = await api.post('/api/v1/pay/batch-quote', { ...settlement, pay_options });
      expect(reply.body.quotes[1].result.Error.min_amount_usd).toBeCloseTo(5);
      return reply.body;
    });
    expect(body.quotes.map(({ blockchain, token }: any) => ({ blockchain, token }))).toEqual(pay_options);
    const [direct, , unknown, wrapped] = body.quotes.map(({ result }: any) => result);
    expect(direct.Ok.quote).toMatchObject({ method: 'Direct', pay_amount: '1500000' });
    expect(unknown).toEqual({ Error: { error: expect.any(String) } });
    expect(wrapped.Ok.quote).toMatchObject({ method: 'CrossChain', receive_amount: '1500000' });
  },
  'VALIDATION_ERROR: rejects an empty list and a malformed option': async () => {
    await expectFailure(
      api.post('/api/v1/pay/batch-quote', settlement),
      400,
      'VALIDATION_ERROR',
      'pay_options',
    );
    const pay_options = [{ blockchain: 'base' }];
    const reply = await api.post('/api/v1/pay/batch-quote', { ...settlement, pay_options });
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  },
});

route('GET /api/v1/pay/min-amounts', {
  'OK: lists minimum amounts that the background job found': () =>
    eventually(
      async () => {
        const { body } = await api.get('/api/v1/pay/min-amounts');
        expect(body.count).toBe(body.min_amounts.length);
        expect(body.min_amounts).toContainEqual(
          expect.objectContaining({ settle_chain: 'eip155:8453', settle_token: 'USDC' }),
        );
      },
      { everyMs: 250 },
    ),
});

route('POST /api/v1/pay/balances', {
  'OK: lists balances of both local chains': async () => {
    const wallets = { base: payer.address, 'eip155:42161': payer.address };
    const { body } = await api.post('/api/v1/pay/balances', { wallets });
    const held = body.balances.map(({ blockchain, tokens }: any) => [
      blockchain,
      tokens.map(({ symbol }: any) => symbol),
    ]);
    expect(Object.fromEntries(held)).toMatchObject({
      'eip155:8453': expect.arrayContaining(['ETH', 'USDC', 'WETH']),
      'eip155:42161': expect.arrayContaining(['ETH', 'USDC', 'WETH']),
    });
  },
  'VALIDATION_ERROR: rejects missing wallets': () =>
    expectFailure(api.post('/api/v1/pay/balances', {}), 400, 'VALIDATION_ERROR', 'wallets'),
  'OK: skips and lists malformed addresses and unknown chains': async () => {
    const wallets = { base: payer.address, arb: 'no address', nowhere: payer.address };
    const { status, body } = await api.post('/api/v1/pay/balances', { wallets });
    expect([status, body.balances.length]).toEqual([200, 1]);
    expect(body.skipped.map(({ blockchain }: any) => blockchain).sort()).toEqual(['arb', 'nowhere']);
  },
});

route('POST /api/v1/pay/checkout-options', {
  'OK: lists direct options before cross-chain options': async () => {
    const wallets = { base: payer.address, 'eip155:42161': payer.address };
    const { body } = await api.post('/api/v1/pay/checkout-options', { ...settlement, wallets });
    const [first, ...others] = body.options;
    expect(first).toMatchObject({ token: 'USDC', is_direct: true, sufficient: true, method: 'Direct' });
    expect(others).toContainEqual(
      expect.objectContaining({ blockchain: 'eip155:42161', token: 'WETH', method: 'CrossChain' }),
    );
  },
  'VALIDATION_ERROR: rejects missing wallets': () =>
    expectFailure(api.post('/api/v1/pay/checkout-options', settlement), 400, 'VALIDATION_ERROR', 'wallets'),
});

route('POST /api/v1/pay/create-order', {
  OK: async () => {
    const { body } = await payer.createOrder();
    expect(body).toMatchObject({ method: 'Direct', cross_chain: null });
    expect(body.direct).toMatchObject({ contract_address: payer.chain.payContract, chain: 'eip155:8453' });
    expect(body.direct.payment_order).toMatchObject({
      order_id: body.order_id,
      amount_in: '1005000',
      fee_amount: '5000',
    });
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(29 * 60_000);
  },
  'OK: accepts the native coin': async () => {
    const { body } = await payer.createOrder({ pay_token: 'ETH', settle_token: 'ETH' });
    expect(body.direct.payment_order.token_in_address).toBe(`0x${'0'.repeat(40)}`);
  },
  'OK: converts a price in euros, and keeps the amount': async () => {
    const price = { amount: '5', currency: 'EUR' };
    const { body } = await payer.createOrder({ merchant_amount: undefined, fee_amount: '0', price });
    expect(body).toMatchObject({ price: { amount: '5.00', currency: 'EUR' }, rate: { pair: 'USDC/EUR' } });
    const { body: order } = await api.get(`/api/v1/pay/order/${body.order_id}`);
    expect(order).toMatchObject({
      merchant_amount: body.direct.payment_order.merchant_amount,
      rate: body.rate,
    });
  },
  'RATE_UNAVAILABLE: rejects a price in a currency that no source lists': async () => {
    const price = { amount: '5', currency: 'UYW' };
    const asked = payer.createOrder({ merchant_amount: undefined, fee_amount: '0', price });
    await expectFailure(asked, 503, 'RATE_UNAVAILABLE');
  },
  'OK: returns a deposit address on another chain': async () => {
    expect(await across.create()).toMatchObject({
      cross_chain: { deposit_blockchain: 'eip155:42161', deposit_token: 'WETH', deposit_memo: null },
    });
  },
  'ROUTE_UNAVAILABLE: rejects a token or chain without a route': async () => {
    for (const changes of [{ pay_token: 'NOPE' }, { pay_blockchain: 'nowhere' }])
      await expectFailure(across.tryToCreate(changes), 422, 'ROUTE_UNAVAILABLE');
  },
  'VALIDATION_ERROR: rejects an unknown chain to settle on': () =>
    expectFailure(across.tryToCreate({ settle_chain: 'bsae' }), 400, 'VALIDATION_ERROR', 'settle_chain'),
  'ROUTE_UNAVAILABLE: rejects a pair that the provider rejects': async () => {
    for (const changes of [{ merchant_amount: '25006401' }, { merchant_amount: '25006412' }]) {
      await expectFailure(across.tryToCreate(changes), 422, 'ROUTE_UNAVAILABLE');
    }
  },
  'BUDGET_EXCEEDED: rejects a key with a used-up budget': async () => {
    const key = await boundKey({ monthlyBudget: '1.5' });
    const make = () => unlessBusy(() => payer.createOrder({}, { 'x-api-key': key }));
    // The reservation of a call that failed with 503 is released later.
    await eventually(async () => expect((await make()).status).toBe(200));
    const { status, body } = await make();
    expect([status, body.code]).toEqual([403, 'BUDGET_EXCEEDED']);
    expect(body.details).toMatchObject({ limit: '1.50', used: expect.stringMatching(/^1\.0/) });
  },
  'MAX_PER_TX_EXCEEDED: rejects an amount above maxPerTx': async () => {
    const headers = { 'x-api-key': await boundKey({ maxPerTx: '1' }) };
    const make = () => payer.createOrder({}, headers);
    await expectFailure(unlessBusy(make), 403, 'MAX_PER_TX_EXCEEDED');
  },
  'UPSTREAM_UNAVAILABLE: fails while the route provider is down, and when its reply is lost': async () => {
    await expectFailure(across.tryToCreate({ merchant_amount: '25006409' }), 502, 'UPSTREAM_UNAVAILABLE');
    await api.post('/sandbox/oneclick/outage', { mode: 'down' });
    await expectFailure(across.tryToCreate(), 502, 'UPSTREAM_UNAVAILABLE');
    await api.post('/sandbox/oneclick/outage', { mode: 'up' });
    await across.create();
  },
  'VALIDATION_ERROR: rejects malformed addresses': async () => {
    const badChecksum = '0x70997970c51812dc3A010C7d01b50e0d17dc79C8';
    const ton = 'UQBynBO23ywHy_CgarY9NK9FTz0yDsG82PtcbSTQgGoXwiuA';
    for (const address of [
      `0x${'0'.repeat(40)}`,
      '0x1234',
      badChecksum,
      'XE65GB6LDNXYOFTX0NSV3FUWKOWIXAMJK36',
      ton,
      payer.address.slice(2),
      '0X' + payer.address.slice(2),
    ]) {
      const parties = { merchant_address: address, fee_receiver: address, payer_address: address };
      await expectFailure(payer.createOrder(parties), 400, 'VALIDATION_ERROR', ...Object.keys(parties));
    }
  },
  'VALIDATION_ERROR: rejects a fee above the amount, a negative fee and an unknown field': async () => {
    await expectFailure(payer.createOrder({ fee_amount: '1000001' }), 400, 'VALIDATION_ERROR', 'fee_amount');
    await expectFailure(
      payer.createOrder({ fee_amount: '-1', status: 'settled' }),
      400,
      'VALIDATION_ERROR',
      'fee_amount',
      'status',
    );
  },
});

route('POST /api/v1/pay/order/{id}/tx', {
  OK: async () => {
    const { body: created } = await payer.createOrder();
    const { status, body } = await payer.report(created.order_id, txHash());
    expect({ status, body }).toEqual({ status: 200, body: { ok: true, status: 'settling' } });
  },
  'ORDER_NOT_WAITING: returns the same text for a submitted order, an unknown id and a malformed id':
    async () => {
      const { body: created } = await payer.createOrder();
      await payer.report(created.order_id, txHash());
      const replies = await Promise.all(
        [created.order_id, unknownId, 'nonsense'].map((id) => payer.report(id, txHash())),
      );
      for (const { status, body } of replies) {
        expect(status).toBe(409);
        expect(withoutRequestId(body)).toEqual(withoutRequestId(replies[0]!.body));
        expect(body.code).toBe('ORDER_NOT_WAITING');
      }
    },
  TX_ALREADY_REPORTED: async () => {
    const [first, second] = await Promise.all([payer.createOrder(), payer.createOrder()]);
    const hash = txHash();
    await payer.report(first.body.order_id, hash);
    await expectFailure(
      payer.report(second.body.order_id, hash.toUpperCase().replace('0X', '0x')),
      409,
      'TX_ALREADY_REPORTED',
    );
  },
  'VALIDATION_ERROR: rejects a malformed hash': async () => {
    for (const hash of ['', '0x12', `0x${'!'.repeat(64)}`, 'a'.repeat(129)]) {
      await expectFailure(payer.report(unknownId, hash), 400, 'VALIDATION_ERROR', 'tx_hash');
    }
  },
  "VALIDATION_ERROR: a hash of another chain than the order's": async () => {
    const { body: created } = await payer.createOrder();
    for (const hash of ['a'.repeat(64), `0x${'g'.repeat(64)}`]) {
      await expectFailure(payer.report(created.order_id, hash), 400, 'VALIDATION_ERROR', 'tx_hash');
    }
    expect(await payer.report(created.order_id, txHash())).toMatchObject({ status: 200 });
  },
});

route('GET /api/v1/pay/order/{id}', {
  OK: async () => {
    const { body: created } = await payer.createOrder();
    const { body } = await api.get(`/api/v1/pay/order/${created.order_id.toUpperCase()}`);
    expect(body).toMatchObject({
      order_id: created.order_id,
      status: 'waiting_payment',
      pay_tx: null,
      late: false,
    });
  },
  'NOT_FOUND: rejects unknown and malformed ids': async () => {
    await expectFailure(api.get(`/api/v1/pay/order/${unknownId}`), 404, 'NOT_FOUND');
    await expectFailure(api.get('/api/v1/pay/order/nonsense'), 404, 'NOT_FOUND');
  },
});

route('GET /api/v1/pay/orders', {
  'OK: returns pages that never overlap': async () => {
    for (let made = 0; made < 5; made++) await payer.createOrder();
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await api.get(
        `/api/v1/pay/orders?payer=${payer.address.toLowerCase()}&limit=2${cursor}`,
      );
      seen.push(...body.orders.map((order: { order_id: string }) => order.order_id));
      cursor = body.next_cursor ? `&cursor=${body.next_cursor}` : '';
    } while (cursor !== '');
    expect(seen.length).toBeGreaterThanOrEqual(5);
    expect(new Set(seen).size).toBe(seen.length);
  },
  'OK: reads a limit above 100 as 100': async () => {
    const { body } = await api.get(`/api/v1/pay/orders?payer=${payer.address}&limit=1000000000`);
    expect(body.limit).toBe(100);
    expect(body.count).toBe(body.orders.length);
  },
  'VALIDATION_ERROR: rejects a missing payer, bad limits and a bad cursor': async () => {
    await expectFailure(api.get('/api/v1/pay/orders'), 400, 'VALIDATION_ERROR', 'payer');
    for (const limit of ['0', '-1', 'abc', '1.5', '']) {
      await expectFailure(
        api.get(`/api/v1/pay/orders?payer=${payer.address}&limit=${limit}`),
        400,
        'VALIDATION_ERROR',
        'limit',
      );
    }
    await expectFailure(
      api.get(`/api/v1/pay/orders?payer=${payer.address}&cursor=xyz`),
      400,
      'VALIDATION_ERROR',
      'cursor',
    );
  },
});

route('GET /api/v1/swap/status', {
  OK: async () => {
    const { order_id, cross_chain } = await across.create();
    for (const address of [cross_chain.deposit_address, cross_chain.deposit_address.toLowerCase()]) {
      const { body } = await api.get(`/api/v1/swap/status?deposit_address=${address}`);
      expect(body).toMatchObject({ status: 'pending_deposit', order_id, from_tx: null, to_tx: null });
    }
  },
  'NOT_FOUND: rejects an unknown address, and an unknown memo of a known one': async () => {
    const { cross_chain } = await across.create();
    for (const query of [unknownDeposit.deposit_address, `${cross_chain.deposit_address}&deposit_memo=1`])
      await expectFailure(api.get(`/api/v1/swap/status?deposit_address=${query}`), 404, 'NOT_FOUND');
  },
  'VALIDATION_ERROR: rejects a missing address': () =>
    expectFailure(api.get('/api/v1/swap/status'), 400, 'VALIDATION_ERROR', 'deposit_address'),
});

route('GET /sandbox', {
  OK: async () => {
    const { body } = await api.get('/sandbox');
    expect(body).toMatchObject({ environment: 'sandbox', gateway: harness.gateway });
    expect(body.simulators).toEqual({
      oneclick: expect.stringMatching(/^http:.*\/oneclick$/),
      defillama: expect.stringMatching(/^http:.*\/defillama$/),
      ecb: expect.stringMatching(/^http:.*\/ecb$/),
      openexchangerates: expect.stringMatching(/^http:.*\/openexchangerates$/),
      across: expect.stringMatching(/^http:.*\/across$/),
      lifi: expect.stringMatching(/^http:.*\/lifi\/v1$/),
      toncenter: expect.stringMatching(/^http:.*\/toncenter\/api\/v2\/jsonRPC$/),
      solana: expect.stringMatching(/^http:.*\/solana$/),
      tron: expect.stringMatching(/^http:.*\/tron$/),
      sui: expect.stringMatching(/^http:.*\/sui\/graphql$/),
    });
    const families = body.networks.map(({ family }: { family: string }) => family);
    expect(families).toEqual(['ton', 'solana', 'tron', 'sui']);
    expect(body.chains.map(({ chainId }: { chainId: number }) => chainId)).toEqual([8453, 42161]);
    expect(body.merchant.key).toMatch(/^tb_test_pk_[0-9A-Za-z]{39}$/);
  },
});

route('POST /sandbox/deposit', {
  'OK: pays out USDC on a local chain for a bitcoin deposit': async () => {
    const deposit = await bitcoinDeposit();
    const { body } = await api.post('/sandbox/deposit', deposit);
    expect(body.tx_hash).toMatch(/^[0-9a-f]{64}$/);
    await eventually(async () =>
      expect(await swapOf(deposit.deposit_address)).toMatchObject({ status: 'SUCCESS' }),
    );
  },
  NOT_FOUND: () =>
    expectFailure(
      api.post('/sandbox/deposit', { deposit_address: 'nowhere', amount: '1' }),
      404,
      'NOT_FOUND',
    ),
  'CONFLICT: rejects a simulated deposit on a local chain': async () => {
    const { deposit_address } = await quotedDeposit('nep141:base.omft.near', merchantWallet());
    await expectFailure(api.post('/sandbox/deposit', { deposit_address, amount: '1' }), 409, 'CONFLICT');
  },
  VALIDATION_ERROR: () =>
    expectFailure(api.post('/sandbox/deposit', {}), 400, 'VALIDATION_ERROR', 'amount', 'deposit_address'),
});

route('POST /sandbox/prices', {
  OK: async () => {
    const { body } = await api.post('/sandbox/prices', { symbol: 'DOGE', usd: '0.25' });
    expect(body).toEqual({ symbol: 'DOGE', usd: '0.25' });
  },
  NOT_FOUND: () => expectFailure(api.post('/sandbox/prices', { symbol: 'NOPE', usd: '1' }), 404, 'NOT_FOUND'),
  VALIDATION_ERROR: () =>
    expectFailure(
      api.post('/sandbox/prices', { symbol: 'DOGE', usd: 'much' }),
      400,
      'VALIDATION_ERROR',
      'usd',
    ),
});

route('POST /sandbox/rates', {
  OK: async () => {
    const { body } = await api.post('/sandbox/rates', { currency: 'TRY', per_usd: '42.3' });
    expect(body).toEqual({ currency: 'TRY', per_usd: '42.3' });
  },
  NOT_FOUND: () =>
    expectFailure(api.post('/sandbox/rates', { currency: 'QQQ', per_usd: '1' }), 404, 'NOT_FOUND'),
  VALIDATION_ERROR: () =>
    expectFailure(
      api.post('/sandbox/rates', { currency: 'TRY', per_usd: 'much' }),
      400,
      'VALIDATION_ERROR',
      'per_usd',
    ),
});

route('GET /sandbox/clock', {
  OK: async () => {
    const { body } = await api.get('/sandbox/clock');
    expect(body).toEqual({ now: expect.stringMatching(/^20.*Z$/), ahead_ms: expect.any(Number) });
  },
});

route('POST /sandbox/clock', {
  OK: async () => {
    const { body: before } = await api.get('/sandbox/clock');
    const { body: after } = await api.post('/sandbox/clock', { by: '1s' });
    expect(after.ahead_ms - before.ahead_ms).toBe(1_000);
  },
  VALIDATION_ERROR: () =>
    expectFailure(api.post('/sandbox/clock', { by: 'soon' }), 400, 'VALIDATION_ERROR', 'by'),
});

route('POST /sandbox/oneclick/deadline', {
  'OK: refunds a deposit that is too small': async () => {
    const { deposit_address } = await bitcoinDeposit();
    await api.post('/sandbox/deposit', { deposit_address, amount: '5000' });
    await eventually(async () =>
      expect(await swapOf(deposit_address)).toMatchObject({ status: 'INCOMPLETE_DEPOSIT' }),
    );
    const { status } = await api.post('/sandbox/oneclick/deadline', { deposit_address });
    expect(status).toBe(200);
    await eventually(async () => expect(await swapOf(deposit_address)).toMatchObject({ status: 'REFUNDED' }));
  },
  NOT_FOUND: () =>
    expectFailure(api.post('/sandbox/oneclick/deadline', { deposit_address: 'nowhere' }), 404, 'NOT_FOUND'),
});

route('POST /sandbox/ton/faucet', {
  OK: async () => {
    const address = tonAccount();
    const { body } = await api.post('/sandbox/ton/faucet', { address, ton: '5000000000', usdt: '25000000' });
    expect(body).toEqual({ address, usdt_master: expect.any(String), tx_hash: expect.any(String) });
    const owner = { owner: address, master: body.usdt_master };
    expect(await tonReader().getBalance(address)).toBeGreaterThan(4_999_999_000n);
    expect(await jettonWalletOf(tonReader(), owner)).toMatchObject({ balanceAtomic: 25_000_000n });
  },
  'VALIDATION_ERROR: rejects a malformed account and a missing amount': async () => {
    const fields: [object, string][] = [
      [{ ton: '1' }, 'address'],
      [{ address: merchantWallet(), ton: '1' }, 'address'],
      [{ address: tonAccount() }, 'ton'],
    ];
    for (const [body, field] of fields)
      await expectFailure(api.post('/sandbox/ton/faucet', body), 400, 'VALIDATION_ERROR', field);
  },
});

route('POST /sandbox/nanopay/deposit', {
  'OK: notifies the deposit account': async () => {
    const address = tonAccount();
    const { body } = await api.post('/sandbox/nanopay/deposit', { address, amount: '1500000' });
    expect(body).toEqual({
      address,
      deposit_address: await sandboxEnclaveWallet().address(),
      tx_hash: expect.any(String),
    });
    const { transactions } = await tonReader().getTransactions(body.deposit_address, 0n, 1_000);
    expect(transactions.map(({ hash }) => hash)).toContain(body.tx_hash);
  },
  VALIDATION_ERROR: () =>
    expectFailure(api.post('/sandbox/nanopay/deposit', {}), 400, 'VALIDATION_ERROR', 'address', 'amount'),
});

route('POST /sandbox/oneclick/outage', {
  OK: async () => {
    const { oneclick } = payer.sandbox.simulators;
    await api.post('/sandbox/oneclick/outage', { mode: 'down' });
    expect((await fetch(`${oneclick}/v0/tokens`)).status).toBe(503);
    await api.post('/sandbox/oneclick/outage', { mode: 'up' });
    expect((await fetch(`${oneclick}/v0/tokens`)).status).toBe(200);
  },
  VALIDATION_ERROR: () =>
    expectFailure(
      api.post('/sandbox/oneclick/outage', { mode: 'sideways' }),
      400,
      'VALIDATION_ERROR',
      'mode',
    ),
});

/** A failure of the transaction API, in an envelope. */
async function expectEnvelope(
  reply: Promise<{ status: number; body: any }>,
  status: number,
  code: string,
  details: unknown = expect.anything(),
): Promise<void> {
  const { status: actual, body } = await reply;
  expect({ status: actual, ...body }).toMatchObject({ status, success: false, data: null, error: { code } });
  expect(body.error.details).toEqual(details);
}

const build = (changes: object) => api.post('/v1/transaction/build', changes);

/** A quote, and a new wallet with enough balance to build it. */
async function quoted(wish: Wish = oneChain, amount = wish.amount): Promise<{ quoteId: string; user: any }> {
  const user = await swapper.newUser({ [wish.from]: amount });
  return { quoteId: (await swapper.data(swapper.quote(wish))).quoteId, user };
}

/** The simulator of the provider does not respond during the call. */
async function whileAcrossIsDown(work: () => Promise<void>): Promise<void> {
  await api.post('/sandbox/oneclick/outage', { provider: 'across', mode: 'down' });
  try {
    await work();
  } finally {
    await api.post('/sandbox/oneclick/outage', { provider: 'across', mode: 'up' });
  }
}

route('POST /v1/quote', {
  OK: async () => {
    const { body } = await swapper.quote(acrossChains);
    expect(body).toMatchObject({ success: true, quoteId: body.data.quoteId });
    expect(body).not.toHaveProperty('error');
    expect(body.data.route.map(({ type }: { type: string }) => type)).toEqual(['bridge']);
  },
  'OK: accepts the other names of the fields': async () => {
    const { inputToken: tokenIn, outputToken: tokenOut, inputAmount: amountIn } = swapper.wish(oneChain);
    const { body } = await api.post('/v1/quote', { tokenIn, tokenOut, amountIn });
    expect(body.data.inputAmount).toBe(String(oneChain.amount));
  },
  'VALIDATION_ERROR: rejects an empty body, and lists all bad fields': async () => {
    const fields = ['inputToken', 'outputToken', 'inputAmount'];
    await expectEnvelope(
      api.post('/v1/quote', {}),
      400,
      'VALIDATION_ERROR',
      expect.arrayContaining(fields.map((field) => expect.objectContaining({ field }))),
    );
  },
  'UNAUTHORIZED: rejects a call with an invalid key': async () => {
    const body = JSON.stringify(swapper.wish(oneChain));
    const call = api.send('POST', '/v1/quote', body, { 'x-api-key': 'hello' });
    await expectEnvelope(call, 401, 'UNAUTHORIZED', { reason: 'malformed' });
  },
  QUOTE_UNAVAILABLE: () =>
    expectEnvelope(swapper.quote({ ...acrossChains, amount: 1n }), 502, 'QUOTE_UNAVAILABLE'),
  ROUTE_UNAVAILABLE: async () => {
    // A new token without a pool.
    const deployer = Wallet.fromPhrase(phrase).connect(swapper.chain.provider);
    const { address } = await deployTestToken(deployer, { name: 'Lonely', symbol: 'LONELY', decimals: 6 });
    const outputToken = { address, chainId: swapper.chainIds[0] };
    const wish = { ...swapper.wish(oneChain), outputToken };
    await expectEnvelope(api.post('/v1/quote', wish), 422, 'ROUTE_UNAVAILABLE');
  },
  UPSTREAM_UNAVAILABLE: () =>
    whileAcrossIsDown(() => expectEnvelope(swapper.quote(acrossChains), 502, 'UPSTREAM_UNAVAILABLE')),
});

route('POST /v1/transaction/build', {
  OK: async () => {
    const { quoteId, user } = await quoted();
    const { body } = await build({ quoteId, userAddress: user.address });
    expect(body.data.transactions.map(({ type }: { type: string }) => type)).toEqual(['approval', 'swap']);
    expect(Number(body.data.summary.totalGasCostUsd)).toBeGreaterThan(0);
  },
  VALIDATION_ERROR: async () =>
    expectEnvelope(
      build({ quoteId: '', userAddress: 'me', gasSettings: { gasPrice: '1', maxFeePerGas: '1' }, extra: 1 }),
      400,
      'VALIDATION_ERROR',
    ),
  INVALID_QUOTE: () =>
    expectEnvelope(build({ quoteId: unknownId, userAddress: payer.address }), 404, 'INVALID_QUOTE'),
  'INVALID_QUOTE: rejects a quote that was executed': async () => {
    const { quoteId, user } = await quoted();
    const built = await swapper.data(build({ quoteId, userAddress: user.address }));
    await swapper.execute(built, user);
    await expectEnvelope(build({ quoteId, userAddress: user.address }), 404, 'INVALID_QUOTE', {
      reason: 'quote_executed',
      transactionId: built.transactionId,
      status: expect.any(String),
    });
  },
  'QUOTE_UNAVAILABLE: fails when the price moved further than the slippage': async () => {
    const whale = await swapper.newUser({ DAI: 50_000_000n * 10n ** 18n });
    const big = { from: 'DAI', to: 'USDC', amount: 50_000_000n * 10n ** 18n };
    const built = await swapper.build(big, whale);
    const { quoteId, user } = await quoted({ ...oneChain, from: 'DAI', amount: 10n ** 18n, slippageBps: 1 });
    await swapper.execute(built, whale);
    await swapper.until(built.transactionId, 'completed');
    await expectEnvelope(build({ quoteId, userAddress: user.address }), 502, 'QUOTE_UNAVAILABLE', {
      reason: 'priceMoved',
    });
  },
  INSUFFICIENT_BALANCE: async () => {
    const { quoteId, user } = await quoted(oneChain, 99n * usd);
    await expectEnvelope(build({ quoteId, userAddress: user.address }), 422, 'INSUFFICIENT_BALANCE', {
      chainId: swapper.chainIds[0],
      token: swapper.token('USDT').address,
      required: '100000000',
      available: '99000000',
    });
  },
  INSUFFICIENT_ALLOWANCE: async () => {
    const { quoteId, user } = await quoted();
    const request = { quoteId, userAddress: user.address, skipApprovals: true };
    await expectEnvelope(build(request), 422, 'INSUFFICIENT_ALLOWANCE');
  },
  GAS_LIMIT_EXCEEDED: async () => {
    const { quoteId, user } = await quoted();
    const request = { quoteId, userAddress: user.address, gasSettings: { gasLimit: '21000' } };
    await expectEnvelope(build(request), 422, 'GAS_LIMIT_EXCEEDED');
  },
  DEADLINE_EXCEEDED: async () => {
    const { quoteId, user } = await quoted();
    const deadline = Math.floor(Date.now() / 1_000) - 60;
    await expectEnvelope(build({ quoteId, userAddress: user.address, deadline }), 422, 'DEADLINE_EXCEEDED');
  },
  TRANSACTION_FAILED: async () => {
    // Circle's contract rejects transfers of blacklisted accounts. The sandbox's deployer owns the blacklist.
    const usdc = swapper.token('USDC').address;
    const keeper = HDNodeWallet.fromPhrase(phrase, undefined, "m/44'/60'/0'/0/9").connect(
      swapper.chain.provider,
    );
    const blacklist = new Contract(usdc, ['function blacklist(address)'], keeper).getFunction('blacklist');
    const recipient = Wallet.createRandom().address;
    await mined(await blacklist.send(recipient));
    const { quoteId, user } = await quoted();
    const request = { quoteId, userAddress: user.address, recipient };
    await expectEnvelope(build(request), 422, 'TRANSACTION_FAILED', {
      step: 'originSwap',
      txHash: null,
      gasUsed: '0',
      reason: expect.any(String),
    });
  },
  UPSTREAM_UNAVAILABLE: async () => {
    const { quoteId, user } = await quoted(acrossChains);
    await whileAcrossIsDown(() =>
      expectEnvelope(build({ quoteId, userAddress: user.address }), 502, 'UPSTREAM_UNAVAILABLE'),
    );
  },
});

route('POST /v1/transaction/execute', {
  OK: async () => {
    const user = await swapper.newUser({ USDT: 100n * usd });
    const built = await swapper.build(oneChain, user);
    const { body } = await swapper.execute(built, user);
    expect(body.data).toMatchObject({ status: 'submitted', progress: { totalSteps: 2 } });
    expect((await swapper.execute(built, user)).body.data.transactionId).toBe(built.transactionId);
    await swapper.until(built.transactionId, 'completed');
  },
  'OK: stores signatures with broadcast=false': async () => {
    const user = await swapper.newUser({ USDT: 100n * usd });
    const built = await swapper.build(oneChain, user);
    const request = { transactionId: built.transactionId, signatures: await swapper.sign(built, user) };
    const kept = await api.post('/v1/transaction/execute', { ...request, broadcast: false });
    expect(kept.body.data.status).toBe('built');
    expect((await api.post('/v1/transaction/execute', request)).body.data.status).toBe('submitted');
    await swapper.until(built.transactionId, 'completed');
  },
  NOT_FOUND: () =>
    expectEnvelope(
      api.post('/v1/transaction/execute', { transactionId: unknownId, signatures: [] }),
      404,
      'NOT_FOUND',
    ),
  INVALID_SIGNATURE: async () => {
    const user = await swapper.newUser({ USDT: 100n * usd });
    const { transactionId } = await swapper.build(oneChain, user);
    const signatures = [`0x${'00'.repeat(65)}`, 'signed'];
    await expectEnvelope(
      api.post('/v1/transaction/execute', { transactionId, signatures }),
      400,
      'INVALID_SIGNATURE',
      [
        expect.objectContaining({ field: 'signatures[0]' }),
        expect.objectContaining({ field: 'signatures[1]' }),
      ],
    );
  },
  'BUDGET_EXCEEDED: rejects an amount above the remaining budget': () =>
    expectTooMuch({ monthlyBudget: '99' }, 'BUDGET_EXCEEDED'),
  'MAX_PER_TX_EXCEEDED: rejects an amount above maxPerTx': () =>
    expectTooMuch({ maxPerTx: '99' }, 'MAX_PER_TX_EXCEEDED'),
  'UPSTREAM_UNAVAILABLE: fails for a key with a budget while no dollar value is known': async () => {
    const dai = 10n ** 18n;
    const user = await swapper.newUser({ DAI: dai });
    const built = await swapper.build({ from: 'DAI', to: 'USDC', amount: dai }, user);
    const key = await boundKey({ monthlyBudget: '0' });
    // The price is read within half a minute, and expires after ten minutes.
    const at = new Date(Date.now() - 565_000).toISOString();
    await api.post('/sandbox/prices', { symbol: 'DAI', usd: '1', frozen_at: at });
    try {
      const rejected = () => executeWith(key, built, user);
      await eventually(async () => expect((await rejected()).status).toBe(502), {
        timeoutMs: 120_000,
        everyMs: 1_000,
      });
      await expectEnvelope(rejected(), 502, 'UPSTREAM_UNAVAILABLE', { reason: 'price_unknown' });
    } finally {
      await api.post('/sandbox/prices', { symbol: 'DAI', usd: '1' });
    }
  },
  'INVALID_QUOTE: rejects a set that was replaced by another build of its quote': async () => {
    const { quoteId, user } = await quoted();
    const wish = { quoteId, userAddress: user.address };
    const first = await swapper.data(build(wish));
    const second = await swapper.data(build({ ...wish, gasSettings: { gasLimit: '900000' } }));
    await expectEnvelope(swapper.execute(first, user), 404, 'INVALID_QUOTE', {
      reason: 'replaced',
      transactionId: second.transactionId,
    });
  },
  'CONFLICT: rejects the second set with the same nonces': async () => {
    const user = await swapper.newUser({ USDT: 200n * usd });
    const [one, other] = [await swapper.build(oneChain, user), await swapper.build(oneChain, user)];
    expect((await swapper.execute(one, user)).status).toBe(200);
    await expectEnvelope(swapper.execute(other, user), 409, 'CONFLICT');
  },
  DEADLINE_EXCEEDED: async () => {
    const user = await swapper.newUser({ USDT: 100n * usd });
    // Each attempt has more time: the deadline may pass before a slow machine has built the transactions.
    let seconds = 2;
    const { built, deadline } = await eventually(async () => {
      const end = Math.floor(Date.now() / 1_000) + (seconds *= 2);
      return { built: await swapper.build(oneChain, user, { deadline: end }), deadline: end };
    });
    await swapper.until(built.transactionId, 'expired');
    await expectEnvelope(swapper.execute(built, user), 422, 'DEADLINE_EXCEEDED', { validUntil: deadline });
  },
  'GAS_LIMIT_EXCEEDED: fails when the gas price rose above the offered fee': async () => {
    const user = await swapper.newUser({ USDT: 100n * usd });
    const built = await swapper.build(oneChain, user);
    const { provider } = swapper.chain;
    await provider.send('anvil_setNextBlockBaseFeePerGas', [`0x${(10n ** 12n).toString(16)}`]);
    try {
      await eventually(async () => {
        const block = await provider.getBlock('latest');
        expect(block!.baseFeePerGas).toBeGreaterThan(10n ** 11n);
      });
      await expectEnvelope(swapper.execute(built, user), 422, 'GAS_LIMIT_EXCEEDED');
    } finally {
      await provider.send('anvil_setNextBlockBaseFeePerGas', ['0x7']);
    }
  },
  'TRANSACTION_FAILED: fails without coins for gas': async () => {
    const user = await swapper.newUser({ USDT: 100n * usd });
    const built = await swapper.build(oneChain, user);
    await swapper.chain.provider.send('anvil_setBalance', [user.address, '0x1']);
    await expectEnvelope(swapper.execute(built, user), 422, 'TRANSACTION_FAILED', {
      step: 'approval',
      txHash: null,
      gasUsed: '0',
      reason: expect.any(String),
    });
  },
});

route('GET /v1/transaction/{transactionId}/status', {
  OK: async () => {
    const user = await swapper.newUser({ USDT: 100n * usd });
    const { transactionId } = await swapper.build(oneChain, user);
    expect(await swapper.status(transactionId)).toMatchObject({ status: 'built', result: null });
    const { details } = await swapper.status(transactionId, '?includeDetails=true');
    expect(details.built).toHaveLength(2);
  },
  NOT_FOUND: () => expectEnvelope(api.get(`/v1/transaction/${unknownId}/status`), 404, 'NOT_FOUND', {}),
});

route('POST /v1/transaction/batch', {
  'OK: builds a valid item beside an invalid one': async () => {
    const { quoteId, user } = await quoted();
    const transactions = [
      { id: 'good', quoteId, userAddress: user.address },
      { id: 'bad', quoteId: unknownId, userAddress: user.address },
    ];
    const { body } = await api.post('/v1/transaction/batch', { transactions });
    expect(body.data.transactions).toMatchObject([
      { id: 'good', status: 'built' },
      { id: 'bad', status: 'failed', transactionId: null, error: { code: 'INVALID_QUOTE' } },
    ]);
  },
  VALIDATION_ERROR: () =>
    expectEnvelope(api.post('/v1/transaction/batch', { transactions: [] }), 400, 'VALIDATION_ERROR'),
});

/**
 * Runs while the ledger service is stopped: the process exists, and does not respond. Afterwards waits until it has its
 * lease and responds again.
 */
async function withoutEnclave(run: () => Promise<void>): Promise<void> {
  const { tee } = harness.state.pids;
  process.kill(tee!, 'SIGSTOP');
  try {
    await run();
  } finally {
    process.kill(tee!, 'SIGCONT');
  }
  await eventually(async () => {
    const { body } = await api.post('/verify', buyer.authorization());
    expect(body).toMatchObject({ isValid: true });
  });
}

route('GET /supported', {
  OK: async () => {
    const { body } = await api.get('/supported');
    const kinds = body.kinds.map(({ scheme, network }: any) => `${scheme} ${network}`);
    expect(kinds.slice(0, 2)).toEqual(['ton-nanopay ton-mainnet', 'ton-nanopay tvm:-239']);
    expect(kinds).toEqual(expect.arrayContaining(['exact eip155:8453', 'upto eip155:42161']));
    expect(body.kinds[0].extra.teeEndpoint).toBe(harness.gateway);
  },
});

route('POST /verify', {
  'OK: charges an authorization once': async () => {
    const fields = buyer.authorization();
    const { body } = await api.post('/verify', fields);
    expect(body).toMatchObject({ isValid: true, payer: buyer.address, amount: '1000' });
    expect(body.extra.receipt.confirmationId).toBe(body.confirmationId);
    const again = await api.post('/verify', fields);
    expect([again.status, again.body.invalidReason]).toEqual([200, 'duplicate_settlement']);
  },
  'VALIDATION_ERROR: lists all bad fields': () =>
    expectFailure(
      api.post('/verify', { ...buyer.authorization(), nonce: 'ab', from: 'me', to: undefined }),
      400,
      'VALIDATION_ERROR',
      'from',
      'nonce',
      'to',
    ),
  'SERVICE_UNAVAILABLE: reports an unknown outcome, and a repeated call returns it': async () => {
    const [fields, headers] = [JSON.stringify(buyer.authorization()), { 'idempotency-key': 'enclave-away' }];
    await withoutEnclave(async () => {
      const reply = api.send('POST', '/verify', fields, headers);
      await expectFailure(reply, 503, 'SERVICE_UNAVAILABLE');
      expect((await reply).headers.get('retry-after')).toBe('1');
    });
    // Clients retry until they receive a response.
    await eventually(async () => {
      const { body } = await api.send('POST', '/verify', fields, headers);
      expect(body).toMatchObject({ isValid: true, extra: { status: 'captured' } });
    });
  },
});

route('POST /settle', {
  'OK: charges the held amount': async () => {
    const body = buyer.facilitation();
    expect((await api.post('/verify', body)).body).toMatchObject({ extra: { status: 'held' } });
    const reply = await api.post('/settle', body);
    expect(reply.body).toMatchObject({ success: true, network: 'tvm:-239', amount: '1000' });
    expect((await api.post('/settle', body)).body.errorReason).toBe('duplicate_settlement');
  },
  'VALIDATION_ERROR: lists missing fields': () =>
    expectFailure(
      api.post('/settle', { x402Version: 2 }),
      400,
      'VALIDATION_ERROR',
      'paymentPayload',
      'paymentRequirements',
    ),
  'SERVICE_UNAVAILABLE: reports an unknown outcome': () =>
    withoutEnclave(() =>
      expectFailure(api.post('/settle', buyer.facilitation()), 503, 'SERVICE_UNAVAILABLE'),
    ),
});

it('the gateway forwards payment frames of external sellers to the ledger service', async () => {
  const transport = httpTransport({ url: harness.gateway, timeoutMs: 10_000 });
  const terms = buyer.terms();
  const item = aChargeItem({
    payment: paymentBytes(terms),
    signature: buyer.signature(terms),
    publicKey: buyer.key.publicKey,
  });
  const copy = { ...item, callKey: randomBytes(16) };
  const [first, second] = await transport.send([item, copy]);
  expect(first).toMatchObject({ status: 'captured', amountAtomic: 1000n });
  expect(second).toMatchObject({ status: 'rejected', reason: 'duplicate_settlement' });
  transport.close!();
});

networksCases(() => ({ api, payer, across }));
nanoAccountsCases(() => ({ harness, api }));
describe('GET /demo/premium', () => premiumCases(() => ({ harness, api, payer })));
describe('the sale of a number without an account', () => soldNumberCases(() => ({ harness, api, payer })));
receiversCases(() => ({ api, swapper, buyer }));
siteCases(() => api);
cliCases(() => api);

route('POST /v1/transaction/build', {
  QUOTE_EXPIRED: async () => {
    const { quoteId, expiresAt } = expiring;
    await eventually(() => expect(Date.now() / 1_000).toBeGreaterThan(expiresAt + 1), { timeoutMs: 90_000 });
    await expectEnvelope(build({ quoteId, userAddress: payer.address }), 410, 'QUOTE_EXPIRED');
  },
});

describe('every route', () => {
  it('declares a case for its success and for each declared error', () => {
    expect(notCovered((app) => app !== 'merchant' && app !== 'service-api')).toEqual([]);
  });

  it('rejects other methods, unknown routes and bodies that are not a JSON object', async () => {
    const wrong = await api.send('DELETE', '/api/v1/pay/quote');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, expect.stringMatching(/\bPOST\b/)]);
    await expectFailure(api.get('/api/v2/pay/chains'), 404, 'NOT_FOUND');
    for (const body of ['', '{', '[]', '"text"', '{"a":1,"a":2}']) {
      expect((await api.send('POST', '/api/v1/pay/quote', body)).status).toBe(400);
    }
    expect((await api.get('/v1/nothing')).body).toMatchObject({
      success: false,
      data: null,
      error: { code: 'NOT_FOUND' },
    });
  });
});

describe('keys and limits', () => {
  const path = '/api/v1/pay/chains';

  it('leave no secret in any log when they are created, sent and rejected', async () => {
    const asWallet = { 'x-wallet': merchantWallet() };
    const send = (text: string, body: object) => api.send('POST', text, JSON.stringify(body), asWallet);
    const { id, secret } = (await send('/api/keys', { label: 'Logged', permissions: ['read'] })).body;
    const { secret: renewed } = (await send(`/api/keys/${id}/regenerate`, { gracePeriodSeconds: 60 })).body;
    const secrets = [secret, renewed, newKeyText('test', 'secret')];
    const requestIds: string[] = [];
    for (const text of secrets)
      for (const [method, where] of [
        ['GET', path],
        ['POST', '/v1/transaction/execute'],
      ] as const) {
        const body = method === 'POST' ? '{}' : undefined;
        const reply = await api.send(method, where, body, { authorization: `Bearer ${text}` });
        requestIds.push(reply.headers.get('x-request-id')!);
      }
    const folder = join(harness.directory, 'logs');
    const logs = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    // By then the last log line is written, and so are all earlier ones.
    await eventually(() => expect(logs().join()).toContain(requestIds.at(-1)));
    for (const text of secrets) expect(logs().join()).not.toContain(text.slice(-30));
  });

  it('do not limit the rate of the demo key, as key or secret, in either header', async () => {
    const { key, secret } = payer.sandbox.merchant;
    for (const text of [key, secret])
      for (const headers of [{ authorization: `Bearer ${text}` }, { 'x-api-key': text }]) {
        const reply = await api.send('GET', path, undefined, headers as Record<string, string>);
        expect([reply.status, reply.headers.get('ratelimit')]).toEqual([200, null]);
      }
  });

  it('limit an IP address without a key', async () => {
    const reply = await api.send('GET', path, undefined, {});
    expect(reply.status).toBe(200);
    expect(reply.headers.get('ratelimit-policy')).toBe('"address";q=1000;w=60');
    expect(reply.headers.get('ratelimit')).toMatch(/^"address";r=\d+;t=\d+$/);
  });

  it('reject an invalid key also on public routes', async () => {
    const { secret } = payer.sandbox.merchant;
    for (const [text, reason] of [
      ['hello', 'malformed'],
      [`${secret.slice(0, -1)}!`, 'malformed'],
      [newKeyText('test', 'secret'), 'unknown'],
      [newKeyText('live', 'secret'), 'foreign_environment'],
    ] as const) {
      const { status, body } = await api.send('GET', path, undefined, { 'x-api-key': text });
      expect([status, body.code, body.details]).toEqual([401, 'UNAUTHORIZED', { reason }]);
    }
  });
});

function quoteOf(changes: Record<string, unknown>): Record<string, unknown> {
  const pair = {
    pay_blockchain: 'eip155:8453',
    pay_token: 'USDC',
    settle_chain: 'eip155:8453',
    settle_token: 'USDC',
  };
  return { ...pair, settle_amount: '1500000', ...changes };
}

const merchantWallet = (): string => payer.sandbox.merchant.wallet;
const tonAccount = (): string => `0:${randomBytes(32).toString('hex')}`;
const tonReader = (): TonAccountReader =>
  new TonAccountReader({ url: payer.sandbox.simulators['toncenter']! });

/** The secret of a key of the demo merchant with these limits. */
async function boundKey(bounds: { monthlyBudget?: string; maxPerTx?: string }): Promise<string> {
  const request = { label: 'Bound', permissions: ['read', 'pay'], ...bounds };
  const headers = { 'x-wallet': merchantWallet() };
  const { status, body } = await api.send('POST', '/api/keys', JSON.stringify(request), headers);
  expect(status).toBe(200);
  return body.secret;
}

async function executeWith(key: string, built: any, user: any) {
  const request = { transactionId: built.transactionId, signatures: await swapper.sign(built, user) };
  const body = JSON.stringify(request);
  return unlessBusy(() => api.send('POST', '/v1/transaction/execute', body, { 'x-api-key': key }));
}

/** Expects that these limits reject a swap of 100 dollars, and that another key of the same owner allows it. */
async function expectTooMuch(
  bounds: { monthlyBudget?: string; maxPerTx?: string },
  code: string,
): Promise<void> {
  const user = await swapper.newUser({ USDT: 100n * usd });
  const built = await swapper.build(oneChain, user);
  const key = await boundKey(bounds);
  const details = expect.objectContaining({ limit: '99.00', used: '0.00' });
  // A new harness reads its first prices within seconds; before that the swap has no dollar value.
  await eventually(async () => expect((await executeWith(key, built, user)).status).toBe(403), {
    everyMs: 500,
  });
  await expectEnvelope(executeWith(key, built, user), 403, code, details);
  expect((await unlessBusy(() => swapper.execute(built, user))).status).toBe(200);
}

/** A committed cross-chain quote for 20 USDC on a local chain. */
async function quotedDeposit(
  originAsset: string,
  refundTo: string,
): Promise<{ deposit_address: string; amount: string }> {
  const { oneclick } = payer.sandbox.simulators;
  const reply = await fetch(`${oneclick}/v0/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      dry: false,
      swapType: 'EXACT_OUTPUT',
      slippageTolerance: 100,
      originAsset,
      depositType: 'ORIGIN_CHAIN',
      destinationAsset: `nep141:base-${payer.token('USDC').toLowerCase()}.omft.near`,
      amount: '20000000',
      refundTo,
      refundType: 'ORIGIN_CHAIN',
      recipient: merchantWallet(),
      recipientType: 'DESTINATION_CHAIN',
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  });
  expect(reply.status).toBe(201);
  const { quote } = (await reply.json()) as any;
  return { deposit_address: quote.depositAddress, amount: quote.amountIn };
}

const bitcoinDeposit = () =>
  quotedDeposit('nep141:btc.omft.near', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');

async function swapOf(depositAddress: string): Promise<unknown> {
  const { oneclick } = payer.sandbox.simulators;
  return (await fetch(`${oneclick}/v0/status?depositAddress=${depositAddress}`)).json();
}
