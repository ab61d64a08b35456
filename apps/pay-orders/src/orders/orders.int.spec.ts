import {
  CreateOrderReply,
  OrderReply,
  OrdersReply,
  ordersApi,
  type CreateOrderRequest,
} from '@tollbridge/contracts';
import { ChainAdapters, type ChainAdapter } from '@tollbridge/chain-port';
import { callContext, decode, keyPrincipal, type FieldError } from '@tollbridge/rpc';
import { chains, sampleAddress } from '@tollbridge/chains';
import { closedUrl, ManualClock, missingCases } from '@tollbridge/testing';
import { getIcapAddress, Wallet, ZeroAddress } from 'ethers';
import { readFileSync } from 'node:fs';
import { feeReceiver, merchant, PayOrders } from '../testing/pay-orders';

const { createOrder, getOrder, listOrders, reportTransaction, walletCall } = ordersApi.operations;
const largest = 2n ** 128n - 1n;
const confirmations = 3;
const unknownId = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const made = (index: number): string => `0x${index.toString(16).padStart(64, '0')}`;

const clock = new ManualClock();
let harness: PayOrders;

beforeAll(async () => {
  harness = await PayOrders.start({ clock });
});
afterAll(() => harness?.close());

const adapter = (): ChainAdapter =>
  harness.apps[0]!.context.get(ChainAdapters, { strict: false }).find('eip155:8453')!;

async function storedOrders(): Promise<number> {
  const [row] = await harness.database.query<{ count: string }>('SELECT count(*) FROM orders');
  return Number(row!.count);
}

/** Pays an order on the chain, and waits until it is settled. */
async function settles({ order_id: id, direct }: CreateOrderReply): Promise<void> {
  const settle_tx = await harness.chain.pay(direct!.payment_order);
  await harness.chain.anvil.mine(confirmations);
  await harness.orderWith(id, { status: 'settled', settle_tx });
}

const fieldsOf = (details: unknown): string[] => (details as FieldError[]).map(({ field }) => field);

/** Invalid amounts of the specification, and similar amounts. */
const badAmounts: [string, unknown][] = [
  ['nothing', ''],
  ['a leading space', ' 1'],
  ['a trailing space', '1 '],
  ['a line break', '1\n'],
  ['a plus sign', '+1'],
  ['an exponent', '1e18'],
  ['hexadecimal digits', '0x10'],
  ['a minus sign', '-1'],
  ['a point', '1.5'],
  ['a leading zero', '01'],
  ['a comma', '1,000'],
  ['digits of another script', '١٢'],
  ['79 digits', '1'.repeat(79)],
  ['more than the EVM can hold', String(2n ** 256n)],
  ['more than the maximum of an order', String(2n ** 128n)],
  ['words', 'NaN'],
  ['a number', 1],
  ['a large number', 1e18],
  ['true', true],
  ['null', null],
  ['a list', ['1']],
  ['an object', { amount: '1' }],
];

// Valid addresses of other chains. The Bitcoin address is from the first block.
const solanaAddress = '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri';
const tronAddress = 'TPswDDCAWhJAZGdHPidFg5nEf8TkNToDX1';
const btcAddress = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';

describe('POST /api/v1/pay/create-order', () => {
  it('200: returns the terms of the payment, and stores the order as waiting', async () => {
    const reply = await harness.createOrder();

    const expiresAtMs = (Math.ceil(clock.now() / 1000) + 1_800) * 1000;
    expect(reply).toEqual({
      order_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: 'Direct',
      direct: {
        contract_address: harness.chain.payContract,
        chain: 'eip155:8453',
        payment_order: {
          order_id: reply.order_id,
          token_in: 'USDC',
          token_out: 'USDC',
          amount_in: '100500000',
          token_in_address: harness.chain.usdc.address,
          merchant,
          merchant_amount: '100000000',
          fee_receiver: feeReceiver,
          fee_amount: '500000',
          deadline: expiresAtMs / 1000,
        },
        wallet_call: null,
      },
      cross_chain: null,
      expires_at: new Date(expiresAtMs).toISOString(),
    });
    expect(decode(CreateOrderReply, reply)).toMatchObject({ ok: true });
    expect(await harness.getOrder(reply.order_id)).toMatchObject({ status: 'waiting_payment', pay_tx: null });
  });

  it('200: accepts aliases of chain and token, and returns and stores the canonical names', async () => {
    const names = { pay_blockchain: 'BASE', pay_token: 'usdc', settle_chain: 'base' };
    const reply = await harness.createOrder({
      ...names,
      settle_token: harness.chain.usdc.address.toLowerCase(),
    });

    expect(reply.direct).toMatchObject({ chain: 'eip155:8453', payment_order: { token_out: 'USDC' } });
    expect(await harness.getOrder(reply.order_id)).toMatchObject({
      pay_blockchain: 'eip155:8453',
      pay_token: 'USDC',
      settle_chain: 'eip155:8453',
      settle_token: 'USDC',
    });
  });

  it('200: accepts the native coin by the zero address', async () => {
    const reply = await harness.createOrder({ pay_token: 'ETH', settle_token: 'eth' });

    expect(reply.direct!.payment_order).toMatchObject({ token_in: 'ETH', token_in_address: ZeroAddress });
  });

  it('200: accepts no fee, a fee equal to the merchant amount, and the largest amount exactly', async () => {
    const none = await harness.createOrder({ fee_amount: '0' });
    const equal = await harness.createOrder({ merchant_amount: '7', fee_amount: '7' });
    const most = await harness.createOrder({ merchant_amount: String(largest), fee_amount: '0' });

    expect(none.direct!.payment_order).toMatchObject({ amount_in: '100000000', fee_amount: '0' });
    expect(equal.direct!.payment_order.amount_in).toBe('14');
    expect(most.direct!.payment_order.amount_in).toBe(String(largest));
    expect((await harness.getOrder(most.order_id)).merchant_amount).toBe(String(largest));
  });

  it('200: returns addresses with their checksum for any spelling in the request', async () => {
    const { address } = Wallet.createRandom();
    const upper = `0x${address.slice(2).toUpperCase()}`;
    const reply = await harness.createOrder({ merchant_address: address.toLowerCase(), fee_receiver: upper });

    expect(reply.direct!.payment_order).toMatchObject({ merchant: address, fee_receiver: address });
  });

  it('200: stores text that looks like SQL unchanged', async () => {
    const merchantId = `'); DROP TABLE orders; -- "\\ $1 :id`;
    const { order_id: id } = await harness.createOrder({ merchant_id: merchantId });

    expect((await harness.getOrder(id)).merchant_id).toBe(merchantId);
  });

  it.each(badAmounts)(
    '400 VALIDATION_ERROR: rejects an amount of %s with the field',
    async (_name, amount) => {
      const before = await storedOrders();
      for (const field of ['merchant_amount', 'fee_amount']) {
        const failure = await harness.failureOf(createOrder, { ...harness.request(), [field]: amount });

        expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
      }
      expect(await storedOrders()).toBe(before);
    },
  );

  it('400 VALIDATION_ERROR: rejects a merchant amount of 0', async () => {
    const failure = await harness.failureOf(createOrder, harness.request({ merchant_amount: '0' }));

    expect(failure.details).toEqual([{ field: 'merchant_amount', message: 'must be greater than 0' }]);
  });

  it('400 VALIDATION_ERROR: rejects a fee above the merchant amount', async () => {
    const request = harness.request({ merchant_amount: '7', fee_amount: '8' });

    expect((await harness.failureOf(createOrder, request)).details).toEqual([
      { field: 'fee_amount', message: 'must not be above merchant_amount' },
    ]);
  });

  it('400 VALIDATION_ERROR: rejects amounts with a sum above the maximum', async () => {
    const request = harness.request({ merchant_amount: String(largest), fee_amount: '1' });

    expect((await harness.failureOf(createOrder, request)).details).toEqual([
      { field: 'merchant_amount', message: 'and fee_amount together are too large' },
    ]);
  });

  const wallet = Wallet.createRandom().address;
  // Changes the case of one letter, so that the checksum of any address is wrong.
  const letter = wallet.slice(2).search(/[a-fA-F]/) + 2;
  const flipped = /[a-f]/.test(wallet[letter]!)
    ? wallet[letter]!.toUpperCase()
    : wallet[letter]!.toLowerCase();
  const badAddresses: [string, unknown][] = [
    ['the zero address', ZeroAddress],
    ['with a digit too few', wallet.slice(0, -1)],
    ['with a digit too many', `${wallet}0`],
    ['without 0x', wallet.slice(2)],
    ['with a wrong checksum', wallet.slice(0, letter) + flipped + wallet.slice(letter + 1)],
    ['in ICAP form', getIcapAddress(wallet)],
    ['of TON', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'],
    ['of Solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['of Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['of Bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['with a space', ` ${wallet}`],
    ['that is a name', 'vitalik.eth'],
    ['that is empty', ''],
    ['that is a number', 1],
  ];

  it.each(badAddresses)(
    '400 VALIDATION_ERROR: rejects an address %s with the field',
    async (_name, address) => {
      for (const field of ['merchant_address', 'fee_receiver', 'payer_address']) {
        const failure = await harness.failureOf(createOrder, { ...harness.request(), [field]: address });

        expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
      }
    },
  );

  it('400 VALIDATION_ERROR: rejects the payer as a receiver, like the payment contract', async () => {
    const { payer } = harness.chain;
    const toPayer = harness.request({
      merchant_address: payer.address,
      fee_receiver: payer.address.toLowerCase(),
    });

    const { details } = await harness.failureOf(createOrder, toPayer);
    expect(fieldsOf(details)).toEqual(['merchant_address', 'fee_receiver']);
  });

  it.each([
    ['the payment contract', () => harness.chain.payContract],
    ['a token', () => harness.chain.usdc.address],
    ['a token of the main network', () => '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    ['a burn address', () => '0x000000000000000000000000000000000000dEaD'],
    ['Permit2', () => '0x000000000022D473030F116dDEE9F6B43aC78BA3'],
    ['a bridge', () => '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'],
  ])('400 VALIDATION_ERROR: rejects %s as merchant, fee receiver and payer', async (_name, addressOf) => {
    for (const field of ['merchant_address', 'fee_receiver', 'payer_address']) {
      const { details } = await harness.failureOf(createOrder, {
        ...harness.request(),
        [field]: addressOf(),
      });
      const message = expect.stringMatching(/would be lost: give the address of a wallet$/);
      expect(details).toEqual([{ field, message }]);
    }
  });

  it.each(['', ZeroAddress])(
    '200: accepts the fee receiver %j with a fee of 0, and the payment settles',
    async (fee_receiver) => {
      const reply = await harness.createOrder({ fee_receiver, fee_amount: '0' });

      expect(reply.direct!.payment_order).toMatchObject({ fee_receiver: ZeroAddress, fee_amount: '0' });
      await settles(reply);
    },
  );

  it('200: accepts the payer as the fee receiver with a fee of 0', async () => {
    const fee_receiver = harness.chain.payer.address;
    const reply = await harness.createOrder({ fee_receiver, fee_amount: '0' });

    await settles(reply);
  });

  it.each(['', ZeroAddress])(
    '400 VALIDATION_ERROR: rejects the fee receiver %j with a fee above 0',
    async (given) => {
      const { details } = await harness.failureOf(createOrder, harness.request({ fee_receiver: given }));
      expect(fieldsOf(details)).toEqual(['fee_receiver']);
    },
  );

  it('400 VALIDATION_ERROR: returns every invalid field at once', async () => {
    const { details } = await harness.failureOf(createOrder, {});
    expect(fieldsOf(details)).toEqual(Object.keys(harness.request()));

    const bad = { merchant_address: ZeroAddress, fee_receiver: 'x', merchant_amount: '1', fee_amount: '2' };
    const failure = await harness.failureOf(createOrder, harness.request(bad));
    expect(fieldsOf(failure.details)).toEqual(['merchant_address', 'fee_receiver', 'fee_amount']);
  });

  it('400 VALIDATION_ERROR: rejects unknown fields, including names of inherited properties', async () => {
    const unknown = JSON.parse('{"amount":"1","__proto__":{},"constructor":1}') as object;
    const failure = await harness.failureOf(createOrder, {
      ...harness.request(),
      ...unknown,
      Merchant_amount: '1',
    });

    expect(failure.code).toBe('VALIDATION_ERROR');
    expect(fieldsOf(failure.details)).toEqual(
      expect.arrayContaining(['amount', 'constructor', 'Merchant_amount']),
    );
  });

  it.each([
    ['a list', '[1]'],
    ['null', 'null'],
    ['a text', '"order"'],
  ])('400 VALIDATION_ERROR: rejects a body that is %s', async (_name, json) => {
    const failure = await harness.failureOf(createOrder, JSON.parse(json));

    expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'body' }] });
  });

  it.each<[string, Partial<CreateOrderRequest>, string[]]>([
    ['an unknown settle chain', { settle_chain: 'moonchain' }, ['settle_chain']],
    ['an unknown settle token', { settle_token: 'DOGE' }, ['settle_token']],
    [
      'an amount that the chain cannot transfer',
      {
        settle_chain: 'solana',
        merchant_address: solanaAddress,
        fee_receiver: '',
        fee_amount: '0',
        merchant_amount: String(2n ** 64n),
      },
      ['merchant_amount'],
    ],
    [
      'an amount and a fee that the chain cannot transfer together',
      {
        settle_chain: 'solana',
        merchant_address: solanaAddress,
        fee_receiver: solanaAddress,
        fee_amount: '1',
        merchant_amount: String(2n ** 64n - 1n),
      },
      ['merchant_amount'],
    ],
    [
      'an amount that the chain can transfer in tokens but not in its coin',
      {
        settle_chain: 'tron',
        settle_token: 'TRX',
        merchant_address: tronAddress,
        fee_receiver: '',
        fee_amount: '0',
        merchant_amount: String(2n ** 63n),
      },
      ['merchant_amount'],
    ],
  ])('400 VALIDATION_ERROR: rejects %s, and stores nothing', async (_name, changes, fields) => {
    const before = await storedOrders();

    const { code, details } = await harness.failureOf(createOrder, harness.request(changes));

    expect([code, fieldsOf(details)]).toEqual(['VALIDATION_ERROR', fields]);
    expect(await storedOrders()).toBe(before);
  });

  it.each([
    ['an unknown pay chain', { pay_blockchain: 'moonchain' }],
    ['an unknown pay token', { pay_token: 'DOGE' }],
    ['a pay token that the chain does not have', { pay_blockchain: 'btc', payer_address: btcAddress }],
    ['a chain that this deployment does not accept', { pay_blockchain: 'eth', settle_chain: 'eth' }],
    ['another chain', { settle_chain: 'arb' }],
    ['another token', { settle_token: 'DAI' }],
  ])('422 ROUTE_UNAVAILABLE: rejects %s, and stores nothing', async (_name, changes) => {
    const before = await storedOrders();

    const failure = await harness.failureOf(createOrder, harness.request(changes));

    expect(failure).toMatchObject({ code: 'ROUTE_UNAVAILABLE', status: 422 });
    expect(await storedOrders()).toBe(before);
  });

  describe('across chains', () => {
    const arbitrum = 'eip155:42161';
    let far: PayOrders;

    beforeAll(async () => {
      far = await PayOrders.start({ otherChainId: 42161, routes: 'simulated' });
    });
    afterAll(() => far?.close());

    /** 25 USDC on Base without a fee, paid in WETH on Arbitrum. */
    const request = (changes: Partial<CreateOrderRequest> = {}): CreateOrderRequest =>
      far.request({
        pay_blockchain: arbitrum,
        pay_token: 'WETH',
        merchant_amount: '25000000',
        fee_amount: '0',
        ...changes,
      });
    const create = (changes: Partial<CreateOrderRequest> = {}): Promise<CreateOrderReply> =>
      far.call(createOrder, request(changes));
    const addressOn = (id: string): string => sampleAddress(chains.find((chain) => chain.id === id)!);
    const commits = (): Promise<{ outcome: string | null }[]> =>
      far.database.query('SELECT outcome FROM route_commits ORDER BY asked_at, order_id');
    const stored = async (): Promise<number[]> => {
      const [row] = await far.database.query<Record<string, string>>(
        'SELECT (SELECT count(*) FROM orders) orders, (SELECT count(*) FROM deposits) deposits, (SELECT count(*) FROM outbox) events',
      );
      return Object.values(row!).map(Number);
    };
    /** The error of a request, and the stored outcomes of its requests for a deposit address. */
    const outcomesOf = async (input: CreateOrderRequest) => {
      const [before, rows] = [await commits(), await stored()];
      const failure = await far.failureOf(createOrder, input);
      expect(await stored()).toEqual(rows);
      return { failure, outcomes: (await commits()).slice(before.length).map(({ outcome }) => outcome) };
    };

    it('200: creates a new order with its own deposit address for each call', async () => {
      const [first, second] = [await create(), await create()];

      expect(first.order_id).not.toBe(second.order_id);
      expect(first.cross_chain!.deposit_address).not.toBe(second.cross_chain!.deposit_address);
      expect(decode(CreateOrderReply, first)).toMatchObject({ ok: true });
    });

    it('200: returns a provider deadline at least 10 minutes after the expiry of the order', async () => {
      const { order_id: id, expires_at } = await create();

      const [row] = await far.database.query<{ deadline: Date }>(
        'SELECT deadline FROM deposits WHERE order_id = $1',
        [id],
      );
      expect(row!.deadline.getTime() - Date.parse(expires_at)).toBeGreaterThanOrEqual(600_000);
    });

    it('200: adds the fee for a receiver with an account at the provider', async () => {
      const [without, withFee] = [await create(), await create({ fee_amount: '250000' })];
      const [less, more] = [without, withFee].map(({ cross_chain }) => BigInt(cross_chain!.deposit_amount));

      // One per cent, with a rounding difference of at most one unit.
      expect((more! - less! + 1n) * 100n).toBeGreaterThanOrEqual(less!);
      expect([without.cross_chain!.fee, withFee.cross_chain!.fee]).toEqual([
        null,
        {
          amount: '250000',
          paid_to: 'fee_receiver',
          account: feeReceiver.toLowerCase(),
          reason: expect.stringContaining('withdraws the fee'),
        },
      ]);
    });

    const ton = { settle_chain: 'ton', settle_token: 'TON', merchant_amount: '9000000000' };

    it.each([
      ['ton', 'TON', '9000000000'],
      ['sui', 'SUI', '9000000000'],
      ['btc', 'BTC', '30000'],
    ])(
      '200: pays a fee on %s to the account of the operator, and returns the reason',
      async (chain, token, amount) => {
        const settle = { settle_chain: chain, settle_token: token, merchant_amount: amount };
        const receivers = { merchant_address: addressOn(chain), fee_receiver: addressOn(chain) };
        const reply = await create({ ...settle, ...receivers, fee_amount: '100' });

        expect(decode(CreateOrderReply, reply)).toMatchObject({ ok: true });
        expect(reply.cross_chain!.fee).toEqual({
          amount: '100',
          paid_to: 'operator',
          account: 'fees.tollbridge.near',
          reason: expect.stringContaining('for the operator to pass on'),
        });
      },
    );

    it('200: accepts an order on TON without a fee, and with the zero address for its receiver', async () => {
      const receivers = { merchant_address: addressOn('ton'), fee_receiver: addressOn('ton') };
      const without = await create({ ...ton, ...receivers });
      expect(without).toMatchObject({ method: 'CrossChain', cross_chain: { fee: null } });
      for (const fee_receiver of ['', 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c'])
        expect(await create({ ...ton, ...receivers, fee_receiver })).toMatchObject({ method: 'CrossChain' });
    });

    it.each([
      ['no liquidity', { merchant_amount: '25006401' }, undefined],
      ['a pair that the provider does not support', { merchant_amount: '25006412' }, undefined],
      ['less than the minimum', { merchant_amount: '6414' }, { min_amount_usd: 10 }],
    ])(
      '422 ROUTE_UNAVAILABLE: rejects %s, and stores the request as rejected',
      async (_name, changes, details) => {
        const { failure, outcomes } = await outcomesOf(request(changes));

        expect(failure).toMatchObject({ code: 'ROUTE_UNAVAILABLE', status: 422, details });
        expect(outcomes).toEqual(['refused']);
      },
    );

    it('502 UPSTREAM_UNAVAILABLE: creates no order and no event after a lost reply, and stores the request as unknown', async () => {
      const { failure, outcomes } = await outcomesOf(request({ merchant_amount: '25006409' }));

      expect(failure).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', status: 502 });
      expect(failure.message).toMatch(/no order was created/);
      expect(outcomes).toEqual(['unknown']);
      // The next order requests a new address.
      expect(await create()).toMatchObject({ method: 'CrossChain' });
    });

    it.each([
      ['enforces a rate limit', '25006408', 'unavailable'],
      // A gateway in front of the provider may return 500 after an address was created.
      ['fails', '25006407', 'unknown'],
      ['reports its failure as a rejection', '25006413', 'unavailable'],
    ])(
      '502 UPSTREAM_UNAVAILABLE: creates no order when the provider %s',
      async (_name, merchant_amount, outcome) => {
        const { failure, outcomes } = await outcomesOf(request({ merchant_amount }));

        expect(failure).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
        expect(outcomes).toEqual([outcome]);
      },
    );

    // One wrong character each, or a missing one on chains without a checksum.
    const wrong: [string, string, string, string][] = [
      ['eip155:42161', 'USDC', 'merchant_address', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5D359'],
      ['ton', 'TON', 'merchant_address', 'UQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFQFg'],
      ['solana', 'SOL', 'fee_receiver', 'DHL9T4LRT3JhnQP9MQcWNPTkc2k2ugLkqA9LH'],
      ['tron', 'TRX', 'merchant_address', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
      ['btc', 'BTC', 'payer_address', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp'],
      ['ltc', 'LTC', 'payer_address', 'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUy'],
      ['doge', 'DOGE', 'payer_address', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7K'],
      ['dash', 'DASH', 'payer_address', 'XpESxaUmonkq8RaLLp46Brx2K39ggQe227'],
      ['stellar', 'XLM', 'payer_address', 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVM'],
      ['xrp', 'XRP', 'fee_receiver', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk58'],
      ['starknet', 'STRK', 'merchant_address', `0x${'0'.repeat(64)}`],
      ['cardano', 'ADA', 'merchant_address', 'addr1vyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqkdl5mw'],
      ['aleo', 'ALEO', 'payer_address', 'aleo1z848m2ca982lv9gqtqkx86vvgts3vhum5pgw48gvdtulsuvcwugspvydrv'],
      ['near', 'NEAR', 'merchant_address', 'Alice.near'],
      ['sui', 'SUI', 'merchant_address', '0x2'],
      ['aptos', 'APT', 'merchant_address', '@alice'],
    ];

    it.each(wrong)(
      '400 VALIDATION_ERROR: rejects an invalid address on %s before any request or write',
      async (id, token, field, address) => {
        const isPayer = field === 'payer_address';
        const there = isPayer
          ? { pay_blockchain: id, pay_token: token }
          : {
              settle_chain: id,
              settle_token: token,
              merchant_address: addressOn(id),
              fee_receiver: addressOn(id),
            };
        const { failure, outcomes } = await outcomesOf(request({ ...there, [field]: address }));

        expect([failure.code, fieldsOf(failure.details)]).toEqual(['VALIDATION_ERROR', [field]]);
        expect(outcomes).toEqual([]);
      },
    );

    it('400 VALIDATION_ERROR: returns every invalid field at once, including an invalid amount', async () => {
      const there = { pay_blockchain: 'btc', pay_token: 'BTC', settle_chain: 'ton', settle_token: 'TON' };
      const { failure, outcomes } = await outcomesOf(
        request({ ...there, merchant_amount: '01', fee_amount: '-1' }),
      );

      expect(fieldsOf(failure.details).sort()).toEqual([
        'fee_amount',
        'fee_receiver',
        'merchant_address',
        'merchant_amount',
        'payer_address',
      ]);
      expect(outcomes).toEqual([]);
    });

    it('rejects a hash of another chain for a direct order, and accepts it for a cross-chain order', async () => {
      const direct = await far.createOrder();
      const bitcoin = await create({
        pay_blockchain: 'btc',
        pay_token: 'BTC',
        payer_address: addressOn('btc'),
      });
      const hash = 'AB'.repeat(32);

      expect(await far.report(direct.order_id, hash)).toBe('VALIDATION_ERROR');
      expect(await far.report(bitcoin.order_id, hash)).toBe('settling');
      expect(await far.getOrder(bitcoin.order_id)).toMatchObject({ pay_tx: hash.toLowerCase() });
    });

    it.each([
      ['EVM', {}, `0x${'ef'.repeat(32)}`],
      ['Bitcoin', { pay_blockchain: 'btc', pay_token: 'BTC', payer_address: btcAddress }, 'cd'.repeat(32)],
    ])(
      'accepts one transaction on %s for only one of two orders, whatever the case of its letters',
      async (...row) => {
        const [, changes, hash] = row;
        const [first, second] = [await create(changes), await create(changes)];

        expect(await far.report(first.order_id, hash)).toBe('settling');
        const upper = hash.startsWith('0x') ? `0x${hash.slice(2).toUpperCase()}` : hash.toUpperCase();
        expect(await far.report(second.order_id, upper)).toBe('TX_ALREADY_REPORTED');
      },
    );

    it('502 UPSTREAM_UNAVAILABLE: stores the request as unavailable when the provider does not listen', async () => {
      await far.restartApp({ ONECLICK_URL: await closedUrl() });
      const { failure, outcomes } = await outcomesOf(request());

      expect(failure).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', status: 502, details: undefined });
      expect(outcomes).toEqual(['unavailable']);
      expect(await far.createOrder()).toMatchObject({ method: 'Direct' });
    });
  });

  it('403 BUDGET_EXCEEDED and MAX_PER_TX_EXCEEDED: creates no order above the limits of the key', async () => {
    const before = await storedOrders();
    const { answer } = harness.budgets;
    const context = callContext({ principal: keyPrincipal(unknownId, merchant) });
    for (const code of ['BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED']) {
      const details = { limit: '100.00', used: '90.00', requested: '100.50' };
      harness.budgets.answer = () => ({ failure: { code, message: 'Too much.', details } });
      await expect(harness.createOrder({}, context)).rejects.toMatchObject({ code, status: 403, details });
    }
    harness.budgets.answer = answer;
    expect(await storedOrders()).toBe(before);
  });

  it('500 INTERNAL_ERROR: reveals no details of a failing database', async () => {
    const [{ current_user: owner }] = (await harness.database.query('SELECT current_user')) as [
      { current_user: string },
    ];
    const runtime = owner.replace(/_owner$/, '');
    await harness.database.query(`REVOKE INSERT ON outbox FROM ${runtime}`);
    const before = await storedOrders();
    try {
      const failure = await harness.failureOf(createOrder, harness.request());

      expect(failure).toMatchObject({ code: 'INTERNAL_ERROR', details: undefined });
      expect(failure.message).not.toMatch(/outbox|permission|sql/i);
      // The order and its event are one commit, so neither is stored.
      expect(await storedOrders()).toBe(before);
    } finally {
      await harness.database.query(`GRANT INSERT ON outbox TO ${runtime}`);
    }
  });

  it('503 RATE_UNAVAILABLE: rejects a price while no source of rates is configured', async () => {
    const { merchant_amount: _amount, ...request } = harness.request({
      price: { amount: '5', currency: 'EUR' },
    });
    const error = await harness.failureOf(ordersApi.operations.createOrder, request);
    expect(error).toMatchObject({
      code: 'RATE_UNAVAILABLE',
      details: { reason: 'unknown', pair: 'USDC/EUR' },
    });
  });
});

describe('POST /api/v1/pay/order/{id}/tx', () => {
  it('200: sets the order to settling and stores the transaction hash in lower case', async () => {
    const { order_id: id } = await harness.createOrder();
    const hash = `0x${'aB'.repeat(32)}`;

    const reply = await harness.call(reportTransaction, { id: id.toUpperCase(), tx_hash: hash });

    expect(reply).toEqual({ ok: true, status: 'settling' });
    expect(await harness.getOrder(id)).toMatchObject({ status: 'settling', pay_tx: hash.toLowerCase() });
  });

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['lacks 0x', 'ab'.repeat(32)],
    ['is too short', `0x${'ab'.repeat(31)}`],
    ['is too long', `0x${'ab'.repeat(33)}`],
    ['has other letters', `0x${'zz'.repeat(32)}`],
    ['has a space', ` 0x${'ab'.repeat(32)}`],
    ['has a line break', `0x${'ab'.repeat(32)}\n`],
    ['is a number', 1],
  ])('400 VALIDATION_ERROR: rejects a tx_hash that %s', async (_name, hash) => {
    const { order_id: id } = await harness.createOrder();

    const failure = await harness.failureOf(reportTransaction, { id, tx_hash: hash });

    expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'tx_hash' }] });
    expect(await harness.getOrder(id)).toMatchObject({ status: 'waiting_payment' });
  });

  it('409 ORDER_NOT_WAITING: returns the same error for an unknown id, an invalid id and a reported order', async () => {
    const { order_id: id } = await harness.createOrder();
    expect(await harness.report(id, made(1))).toBe('settling');
    const inputs = [
      { id: unknownId, tx_hash: made(2) },
      { id: `' OR 1=1 --`, tx_hash: made(2) },
      { id, tx_hash: made(2) },
      { id, tx_hash: made(1) },
    ];

    for (const input of inputs) {
      const { code, status, message, details } = await harness.failureOf(reportTransaction, input);
      expect({ code, status, message, details }).toEqual({
        code: 'ORDER_NOT_WAITING',
        status: 409,
        message: 'The order does not exist or is not waiting for a payment.',
        details: undefined,
      });
    }
    expect(await harness.getOrder(id)).toMatchObject({ pay_tx: made(1) });
  });

  it('409 TX_ALREADY_REPORTED: rejects a transaction that was reported for another order, whatever the case of its letters', async () => {
    const [first, second] = [await harness.createOrder(), await harness.createOrder()];
    const hash = `0x${'cd'.repeat(32)}`;
    expect(await harness.report(first.order_id, hash)).toBe('settling');

    const input = { id: second.order_id, tx_hash: `0x${'CD'.repeat(32)}` };
    const failure = await harness.failureOf(reportTransaction, input);

    expect(failure).toMatchObject({ code: 'TX_ALREADY_REPORTED', status: 409 });
    expect(await harness.getOrder(second.order_id)).toMatchObject({
      status: 'waiting_payment',
      pay_tx: null,
    });
    // The rejected report does not block the right transaction.
    expect(await harness.report(second.order_id, made(3))).toBe('settling');
  });
});

describe('GET /api/v1/pay/order/{id}', () => {
  it('200: returns the whole order, for upper and lower case of its id', async () => {
    const { order_id: id, expires_at } = await harness.createOrder();

    const reply = await harness.call(getOrder, { id: id.toUpperCase() });

    const createdAt = new Date(clock.now()).toISOString();
    expect(reply).toEqual({
      order_id: id,
      cross_chain: null,
      status: 'waiting_payment',
      method: 'Direct',
      pay_tx: null,
      settle_tx: null,
      settled_amount: null,
      pay_blockchain: 'eip155:8453',
      pay_token: 'USDC',
      settle_chain: 'eip155:8453',
      settle_token: 'USDC',
      merchant_amount: '100000000',
      fee_amount: '500000',
      merchant_id: 'merchant-1',
      failure_reason: null,
      late: false,
      last_report: null,
      exceptions: [],
      confirmations: 0,
      required_confirmations: 3,
      version: 1,
      expires_at,
      created_at: createdAt,
      updated_at: createdAt,
    });
    expect(decode(OrderReply, reply)).toMatchObject({ ok: true });
  });

  it.each([unknownId, 'x', `' OR 1=1 --`, `${unknownId}0`])(
    '404 NOT_FOUND: rejects the id %s',
    async (id) => {
      expect(await harness.failureOf(getOrder, { id })).toMatchObject({ code: 'NOT_FOUND', status: 404 });
    },
  );

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is too long', 'a'.repeat(65)],
    ['has a zero byte', 'a\0'],
  ])('400 VALIDATION_ERROR: rejects an id that %s', async (_name, id) => {
    const failure = await harness.failureOf(getOrder, { id });

    expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'id' }] });
  });
});

describe('GET /api/v1/pay/order/{id}/wallet-call', () => {
  const payer = Wallet.createRandom().address;
  const failureFor = (id: string, changes = {}) => harness.failureOf(walletCall, { id, payer, ...changes });

  it('200: returns no call on an EVM chain, where wallets call the contract with the order', async () => {
    const { order_id: id, direct } = await harness.createOrder();
    expect(await harness.call(walletCall, { id, payer })).toEqual({
      order_id: id,
      chain: 'eip155:8453',
      contract_address: direct!.contract_address,
      deposit_address: null,
      payment_order: direct!.payment_order,
      wallet_call: null,
    });
  });

  it('200: returns the call that the chain builds for this wallet', async () => {
    const { order_id: id } = await harness.createOrder();
    const call = { family: 'sui' as const, transactionKind: 'AAAB' };
    const making = jest.spyOn(adapter(), 'walletCall').mockResolvedValueOnce(call);
    const { wallet_call: view } = await harness.call(walletCall, { id, payer: payer.toLowerCase() });
    expect(view).toMatchObject({ family: 'sui', sui: { transaction_kind: 'AAAB' } });
    expect(making).toHaveBeenCalledWith(expect.objectContaining({ id }), payer);
  });

  it.each([
    ['not an address', 'x', /address/],
    ['a receiver of the payment', merchant, /receiver/],
  ])('400 VALIDATION_ERROR: rejects a payer that is %s', async (_name, text, message) => {
    const { order_id: id } = await harness.createOrder();
    expect(await failureFor(id, { payer: text })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'payer', message: expect.stringMatching(message) }],
    });
  });

  it.each([unknownId, 'x'])('404 NOT_FOUND: rejects the id %s', async (id) => {
    expect(await failureFor(id)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('409 ORDER_NOT_WAITING: rejects a paid order and an order past its deadline', async () => {
    const { order_id: paid } = await harness.createOrder();
    await harness.report(paid, made(9));
    expect(await failureFor(paid)).toMatchObject({ code: 'ORDER_NOT_WAITING' });
    const { order_id: late, expires_at: endsAt } = await harness.createOrder();
    const now = jest.spyOn(clock, 'now').mockReturnValue(Date.parse(endsAt));
    try {
      expect(await failureFor(late)).toMatchObject({ code: 'ORDER_NOT_WAITING' });
    } finally {
      now.mockRestore();
    }
  });

  it('422 ROUTE_UNAVAILABLE: rejects an order of a payment contract that is not used any more', async () => {
    const { order_id: id } = await harness.createOrder();
    const instructions = { contractAddress: Wallet.createRandom().address, tokenAddress: ZeroAddress };
    jest.spyOn(adapter(), 'instructions').mockReturnValueOnce(instructions);
    expect(await failureFor(id)).toMatchObject({
      code: 'ROUTE_UNAVAILABLE',
      message: expect.stringMatching(/Create the order again/),
    });
  });

  it('502 UPSTREAM_UNAVAILABLE: returns the error when no node of the chain answers', async () => {
    const { order_id: id } = await harness.createOrder();
    jest.spyOn(adapter(), 'walletCall').mockRejectedValueOnce(new Error('node 1 does not answer'));
    const failure = await failureFor(id);
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(JSON.stringify(failure)).not.toContain('node 1');
  });
});

describe('GET /api/v1/pay/orders', () => {
  const newPayer = (): string => Wallet.createRandom().address;
  const create = async (payer: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++)
      ids.push((await harness.createOrder({ payer_address: payer })).order_id);
    return ids;
  };

  it('200: returns only the orders of the payer, newest first, for upper and lower case of the address', async () => {
    const [payer, other] = [newPayer(), newPayer()];
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      clock.advance(1);
      ids.push(...(await create(payer, 1)));
    }
    await create(other, 1);

    const reply = await harness.call(listOrders, { payer: payer.toLowerCase() });

    expect(reply.orders.map(({ order_id: id }) => id)).toEqual(ids.reverse());
    expect(reply).toMatchObject({ count: 3, limit: 20, next_cursor: null });
    expect(reply.orders[0]).toEqual(await harness.getOrder(ids[0]!));
    expect(decode(OrdersReply, reply)).toMatchObject({ ok: true });
  });

  it('200: returns an empty list for a payer without orders, on any chain', async () => {
    for (const payer of [newPayer(), 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t']) {
      expect(await harness.call(listOrders, { payer })).toEqual({
        orders: [],
        count: 0,
        limit: 20,
        next_cursor: null,
      });
    }
  });

  it('200: pages through orders of the same millisecond without repeats, while new ones are created', async () => {
    const payer = newPayer();
    const ids = await create(payer, 7);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await harness.call(listOrders, { payer, limit: 3, ...(cursor && { cursor }) });
      expect(page).toMatchObject({ count: page.orders.length, limit: 3 });
      seen.push(...page.orders.map(({ order_id: id }) => id));
      cursor = page.next_cursor ?? undefined;
      clock.advance(1);
      await create(payer, 1);
    } while (cursor);

    // Ids ascend with time, so the newest order of a millisecond comes first.
    expect(seen).toEqual(ids.reverse());
  });

  it('200: returns no next page after a full last page', async () => {
    const payer = newPayer();
    await create(payer, 2);

    expect(await harness.call(listOrders, { payer, limit: 2 })).toMatchObject({
      count: 2,
      next_cursor: null,
    });
  });

  it('200: treats a limit above 100 as 100, and uses 20 without a limit', async () => {
    const payer = newPayer();
    await Promise.all(Array.from({ length: 101 }, () => harness.createOrder({ payer_address: payer })));

    for (const limit of [100, 101, 1_000_000_000, '101']) {
      const page = await harness.call(listOrders, { payer, limit } as never);
      expect([page.count, page.limit, page.next_cursor !== null]).toEqual([100, 100, true]);
    }
    expect(await harness.call(listOrders, { payer })).toMatchObject({ count: 20, limit: 20 });
  });

  it.each([0, -1, 1.5, '0', '-1', '1.5', 'abc', '', '1e2', '0x10', ' 5', '9'.repeat(30), true])(
    '400 VALIDATION_ERROR: rejects a limit of %j',
    async (limit) => {
      const failure = await harness.failureOf(listOrders, { payer: merchant, limit });

      expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'limit' }] });
    },
  );

  it.each([
    ['that is missing', undefined],
    ['that is empty', ''],
    ['that is not an address', 'alice'],
    ['with SQL', `' OR 1=1 --`],
  ])('400 VALIDATION_ERROR: rejects a payer %s', async (_name, payer) => {
    const failure = await harness.failureOf(listOrders, { payer });

    expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'payer' }] });
  });

  const cursor = (text: string): string => Buffer.from(text).toString('base64url');
  it.each([
    ['that is not a cursor', 'abc'],
    ['that is empty', ''],
    ['with other content', cursor('1')],
    ['with SQL', cursor(`1.' OR true --`)],
    ['that is too long', 'a'.repeat(129)],
  ])('400 VALIDATION_ERROR: rejects a cursor %s', async (_name, given) => {
    const failure = await harness.failureOf(listOrders, { payer: merchant, cursor: given });

    expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'cursor' }] });
  });

  it('200: accepts a cursor with any valid time', async () => {
    for (const time of ['0', '999999999999999']) {
      const made = cursor(`${time}.${unknownId}`);
      expect(await harness.call(listOrders, { payer: merchant, cursor: made })).toMatchObject({ orders: [] });
    }
  });
});

it('covers each operation and declared error', () => {
  expect(missingCases(Object.values(ordersApi.operations), readFileSync(__filename, 'utf8'))).toEqual([]);
});
