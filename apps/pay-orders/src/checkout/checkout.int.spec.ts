import {
  BalancesReply,
  checkoutApi,
  CheckoutOptionsReply,
  paymentReviewApi,
  quotesApi,
  type CheckoutOption,
  type CheckoutOptionsRequest,
} from '@tollbridge/contracts';
import { decode, type FieldError } from '@tollbridge/rpc';
import { chains, sampleAddress } from '@tollbridge/chains';
import type { LocalChain } from '@tollbridge/local-chain';
import { eventually, ManualClock, missingCases, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { readFileSync } from 'node:fs';
import { PayOrders } from '../testing/pay-orders';
import { tapWire, type WireTap } from '../testing/wire-tap';

const { balances, checkoutOptions } = checkoutApi.operations;
const base = 'eip155:8453';
const arbitrum = 'eip155:42161';
const clock = new ManualClock();
let harness: PayOrders;
/** Proxies between the app and the nodes that return balances. */
let baseWire: WireTap;
let arbitrumWire: WireTap;
/** A fake indexer of Bitcoin. */
let esplora: HttpServer;
// 60,000 satoshi, 1,000 of them unconfirmed.
const bitcoinStats = {
  chain_stats: { funded_txo_sum: 100_000, spent_txo_sum: 41_000 },
  mempool_stats: { funded_txo_sum: 1_000, spent_txo_sum: 0 },
};

beforeAll(async () => {
  harness = await PayOrders.start({
    clock,
    otherChainId: 42161,
    routes: 'simulated',
    balanceSources: async ({ chain, otherChain }) => {
      baseWire = await tapWire(chain.anvil.url);
      arbitrumWire = await tapWire(otherChain!.anvil.url);
      esplora = await startHttpServer(({ path }) => ({
        body: { address: path.split('/').at(-1), ...bitcoinStats },
      }));
      return [
        { chain: base, urls: [baseWire.url] },
        { chain: arbitrum, urls: [arbitrumWire.url] },
        { chain: 'btc', urls: [esplora.url] },
      ];
    },
  });
  // Waits until the prices and the provider's list of tokens are loaded.
  await eventually(async () => {
    const pair = { pay_blockchain: arbitrum, pay_token: 'WETH', settle_chain: base, settle_token: 'USDC' };
    const quote = await harness.call(quotesApi.operations.quote, { ...pair, settle_amount: '25000000' });
    expect(quote.pay_amount_usd).not.toBeNull();
  });
});
afterAll(async () => {
  await harness?.close();
  await Promise.all([baseWire, arbitrumWire, esplora].map((server) => server?.close()));
});

const fieldsOf = (details: unknown): string[] => (details as FieldError[]).map(({ field }) => field);
const newWallet = (): string => Wallet.createRandom().address;

const setCoin = (chain: LocalChain, wallet: string, amount: bigint) =>
  chain.anvil.send('anvil_setBalance', [wallet, `0x${amount.toString(16)}`]);
const callsOn = ({ requests }: WireTap, method: string) =>
  requests.filter(({ body }) => body.includes(`"${method}"`)).length;
const btcAddress = sampleAddress(chains.find(({ id }) => id === 'btc')!);
const hang = async () => ({ silent: true }) as const;

async function timed<T>(work: Promise<T>): Promise<[number, T]> {
  const startMs = performance.now();
  const outcome = await work;
  return [performance.now() - startMs, outcome];
}

describe('POST /api/v1/pay/balances', () => {
  it('200: reads the coin and all tokens of two chains with one call each, and omits zero balances', async () => {
    const [here, there] = [newWallet(), newWallet()];
    await harness.chain.transfer(here, 2_500_000n, harness.chain.usdc.address);
    await setCoin(harness.otherChain!, there, 10n ** 18n);
    await harness.otherChain!.transfer(there, 5n * 10n ** 17n, harness.otherChain!.dai.address);
    const calls = () => [callsOn(baseWire, 'eth_call'), callsOn(arbitrumWire, 'eth_call')];
    const before = calls();

    const reply = await harness.call(balances, { wallets: { base: here.toLowerCase(), arb: there } });

    expect(reply.balances).toEqual([
      {
        blockchain: base,
        address: here,
        tokens: [
          {
            symbol: 'USDC',
            decimals: 6,
            balance: '2500000',
            balance_formatted: '2.5',
            balance_usd: '2.50',
            price_usd: 1,
          },
        ],
      },
      {
        blockchain: arbitrum,
        address: there,
        tokens: [
          expect.objectContaining({ symbol: 'ETH', balance: String(10n ** 18n), balance_usd: '4200.00' }),
          expect.objectContaining({ symbol: 'DAI', balance_formatted: '0.5', price_usd: 0.9998 }),
        ],
      },
    ]);
    expect(calls()).toEqual(before.map((count) => count + 1));
    expect(callsOn(baseWire, 'eth_getBalance') + callsOn(arbitrumWire, 'eth_getBalance')).toBe(0);
    expect(decode(BalancesReply, reply)).toMatchObject({ ok: true });
  });

  it('200: returns no tokens for an empty wallet', async () => {
    const wallet = newWallet();

    expect(await harness.call(balances, { wallets: { base: wallet } })).toEqual({
      balances: [{ blockchain: base, address: wallet, tokens: [] }],
      skipped: [],
    });
  });

  it('200: accepts a wallet on each of the 29 chains, and omits chains without balance reads', async () => {
    const wallets = Object.fromEntries(chains.map((chain) => [chain.id, sampleAddress(chain)]));
    expect(Object.keys(wallets)).toHaveLength(29);

    const reply = await harness.call(balances, { wallets });

    expect(reply.balances.map(({ blockchain }) => blockchain)).toEqual([base, arbitrum, 'btc']);
    expect(reply.balances[2]).toMatchObject({ tokens: [{ symbol: 'BTC', balance: '60000' }] });
    expect(reply.skipped).toHaveLength(26);
    for (const skipped of reply.skipped) expect(skipped).not.toHaveProperty('can_retry');
  });

  it.each([
    ['hangs', hang],
    ['fails', async () => ({ status: 500 })],
    ['returns invalid results', async () => ({ body: { jsonrpc: '2.0', id: 1, result: '0x' } })],
    ['returns HTML', async () => ({ body: '<html>' })],
  ])('200: omits a chain instead of returning it as empty when its node %s', async (_name, how) => {
    arbitrumWire.answer(how);
    const wallets = { arb: newWallet(), base: newWallet(), btc: btcAddress };
    const [elapsedMs, reply] = await timed(harness.call(balances, { wallets }));
    arbitrumWire.passThrough();

    expect(reply.balances.map(({ blockchain }) => blockchain)).toEqual([base, 'btc']);
    expect(reply.skipped).toMatchObject([{ blockchain: arbitrum, can_retry: true }]);
    expect(elapsedMs).toBeLessThan(8_000);
    await eventually(async () =>
      expect((await harness.call(balances, { wallets })).balances).toHaveLength(3),
    );
  });

  it('200: skips each invalid wallet with its reason, and returns the others', async () => {
    const wallet = newWallet();
    const wallets = {
      base: btcAddress,
      btc: wallet,
      solana: '11111111111111111111111111111111x',
      moonchain: wallet,
      arb: wallet,
      [arbitrum]: wallet,
      ton: '',
    };
    const reply = await harness.call(balances, { wallets });

    expect(reply.balances.map(({ blockchain }) => blockchain)).toEqual([arbitrum]);
    const wrong = ['base', 'btc', 'solana', 'moonchain', arbitrum, 'ton'];
    expect(reply.skipped.map(({ blockchain }) => blockchain)).toEqual(wrong);
    expect(reply.skipped).toContainEqual({
      blockchain: arbitrum,
      reason: expect.stringMatching(/^repeats /),
    });
  });

  it.each([
    ['missing', undefined],
    ['a list', [newWallet()]],
    ['a number as an address', { base: 1 }],
    [
      'more than the number of chains',
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`c${n}`, 'x'])),
    ],
    ['an address that is too long', { base: 'a'.repeat(257) }],
  ])('400 VALIDATION_ERROR: rejects wallets that are %s', async (_name, wallets) => {
    const failure = await harness.failureOf(balances, { wallets });

    expect(failure.code).toBe('VALIDATION_ERROR');
    for (const field of fieldsOf(failure.details)) expect(field).toMatch(/^wallets/);
  });

  it('200: skips names of inherited properties', async () => {
    const wallets = JSON.parse(`{"constructor":"x","toString":"x"}`) as Record<string, string>;
    const reply = await harness.call(balances, { wallets });

    expect(reply.balances).toEqual([]);
    expect(reply.skipped.map(({ blockchain }) => blockchain)).toEqual(['constructor', 'toString']);
  });
});

describe('the review of a payment', () => {
  it.each([
    ['hangs', hang],
    ['fails', async () => ({ status: 500 })],
  ])('arrives in time, with the parts to request again, while the node %s', async (_name, how) => {
    const { order_id: id } = await harness.createOrder();
    const { reviewPayment } = paymentReviewApi.operations;
    const review = () => harness.call(reviewPayment, { id, payer: newWallet() });
    baseWire.answer(how);
    const [elapsedMs, unread] = await timed(review());
    baseWire.passThrough();

    expect(unread).toMatchObject({ needed: { symbol: 'USDC' }, wallet: null, is_unread: true });
    expect(elapsedMs).toBeLessThan(7_000);
    await eventually(async () =>
      expect(await review()).toMatchObject({ wallet: { short: 'token' }, is_unread: false }),
    );
  });
});

describe('POST /api/v1/pay/checkout-options', () => {
  const request = (changes: Partial<CheckoutOptionsRequest> = {}): CheckoutOptionsRequest => ({
    wallets: { base: newWallet() },
    settle_chain: base,
    settle_token: 'USDC',
    settle_amount: '25000000',
    ...changes,
  });
  const optionsOf = async (changes: Partial<CheckoutOptionsRequest>): Promise<CheckoutOption[]> =>
    (await harness.call(checkoutOptions, request(changes))).options;
  const shown = ({ blockchain, token, sufficient, is_direct }: CheckoutOption) =>
    [blockchain, token, sufficient, is_direct] as const;

  it('200: sorts sufficient options first, then direct ones, then the fastest', async () => {
    const wallet = newWallet();
    const { chain, otherChain } = harness;
    await setCoin(chain, wallet, 10n ** 18n);
    await chain.transfer(wallet, 25_000_000n, chain.usdc.address);
    await otherChain!.transfer(wallet, 1_000_000n, otherChain!.usdc.address);
    await otherChain!.transfer(wallet, 10n ** 20n, otherChain!.dai.address);

    const reply = await harness.call(
      checkoutOptions,
      request({
        wallets: { btc: btcAddress, arb: wallet, base: wallet },
      }),
    );

    expect(reply).toMatchObject({ settle_chain: base, settle_token: 'USDC', settle_amount: '25000000' });
    expect(reply.options.map(shown)).toEqual([
      [base, 'USDC', true, true],
      // Two fast chains come before Bitcoin.
      [arbitrum, 'DAI', true, false],
      [base, 'ETH', true, false],
      ['btc', 'BTC', true, false],
      [arbitrum, 'USDC', false, false],
    ]);
    const seconds = reply.options.slice(1, 4).map(({ estimated_time }) => estimated_time!);
    expect(seconds).toEqual([...seconds].sort((a, b) => a - b));
    expect(reply.options[0]).toEqual({
      blockchain: base,
      token: 'USDC',
      chain_name: 'Base',
      is_direct: true,
      balance: '25',
      balance_usd: '25.00',
      pay_amount: '25000000',
      pay_amount_formatted: '25',
      pay_amount_usd: '25.00',
      sufficient: true,
      estimated_time: 7,
      method: 'Direct',
      logo: '/logos/tokens/usdc.svg',
      chain_logo: '/logos/chains/base.svg',
      error: null,
      min_amount_usd: null,
    });
    expect(decode(CheckoutOptionsReply, reply)).toMatchObject({ ok: true });
  });

  it.each([
    ['a transfer', arbitrum, base, 'USDC', '25000000', 21_000n],
    ['a call of the payment contract', base, base, 'ETH', String(10n ** 16n), 127_000n],
  ])('200: requires the cost of %s in addition to an amount of coins', async (...row) => {
    const [, payChain, settle_chain, settle_token, settle_amount, gas] = row;
    const [chain, wire] = payChain === base ? [harness.chain, baseWire] : [harness.otherChain!, arbitrumWire];
    let gasPrice = 0n;
    wire.answer(async ({ body }, forward) => {
      const reply = await forward();
      if (body.includes('eth_gasPrice')) gasPrice = gasPriceOf(reply.body);
      return reply;
    });
    const wallet = newWallet();
    const option = async (coins: bigint): Promise<CheckoutOption> => {
      await setCoin(chain, wallet, coins);
      const wallets = { [payChain]: wallet };
      const [found] = await optionsOf({ wallets, settle_chain, settle_token, settle_amount });
      return found!;
    };
    // The gas price is cached for ten seconds, so an earlier test may have set it.
    await eventually(async () => {
      await option(1n);
      expect(gasPrice).toBeGreaterThan(0n);
    });
    wire.passThrough();
    const pay = BigInt((await option(1n)).pay_amount!);
    // Twice the gas price, plus the data fee of the rollup.
    const cost = gas * gasPrice * 2n + 30_000_000_000_000n;

    expect(await option(pay)).toMatchObject({ token: 'ETH', sufficient: false, error: null });
    expect(await option(pay + cost - 1n)).toMatchObject({ sufficient: false });
    expect(await option(pay + cost)).toMatchObject({ sufficient: true });
  });

  it('200: requires only the amount of a token', async () => {
    const wallet = newWallet();
    await harness.chain.transfer(wallet, 25_000_000n, harness.chain.usdc.address);
    expect(await optionsOf({ wallets: { base: wallet } })).toMatchObject([{ sufficient: true }]);
    expect(await optionsOf({ wallets: { base: wallet }, settle_amount: '25000001' })).toMatchObject([
      { sufficient: false, pay_amount: '25000001' },
    ]);
  });

  it('200: returns a token without a quote with the reason', async () => {
    const wallet = newWallet();
    await harness.chain.transfer(wallet, 10n ** 9n, harness.chain.usdc.address);
    await harness.chain.transfer(wallet, 10n ** 20n, harness.chain.dai.address);

    expect(await optionsOf({ wallets: { base: wallet }, settle_amount: '25006401' })).toEqual([
      expect.objectContaining({ token: 'USDC', sufficient: true, error: null }),
      {
        blockchain: base,
        token: 'DAI',
        chain_name: 'Base',
        balance: '100',
        balance_usd: '99.98',
        is_direct: false,
        method: 'CrossChain',
        sufficient: false,
        estimated_time: null,
        pay_amount: null,
        pay_amount_formatted: null,
        pay_amount_usd: null,
        logo: '/logos/tokens/dai.svg',
        chain_logo: '/logos/chains/base.svg',
        error: expect.stringMatching(/liquidity/),
        min_amount_usd: null,
      },
    ]);
  });

  it('200: returns the minimum in dollars for an amount below it', async () => {
    const [option] = await optionsOf({ wallets: { btc: btcAddress }, settle_amount: '1000000' });

    expect(option).toMatchObject({ token: 'BTC', sufficient: false, pay_amount: null, min_amount_usd: 5 });
  });

  it('200: waits for slow balances and slow quotes within their time limits', async () => {
    const wallet = newWallet();
    await harness.chain.transfer(wallet, 10n ** 20n, harness.chain.dai.address);
    arbitrumWire.answer(hang);
    const wallets = { base: wallet, arb: wallet };
    const [elapsedMs, options] = await timed(optionsOf({ wallets, settle_amount: '25006402' }));
    arbitrumWire.passThrough();

    expect(options).toMatchObject([{ token: 'DAI', sufficient: false, error: expect.any(String) }]);
    expect(elapsedMs).toBeLessThan(15_000);
  });

  it('200: returns no options for empty wallets', async () => {
    expect(await optionsOf({ wallets: { base: newWallet() } })).toEqual([]);
  });

  it('400 VALIDATION_ERROR: returns every invalid chain, token and amount at once', async () => {
    const wallet = newWallet();
    for (const [changes, fields] of [
      [{ settle_token: 'SHIB' }, ['settle_token']],
      [{ settle_chain: 'moonchain' }, ['settle_chain']],
      [{ settle_amount: '0' }, ['settle_amount']],
      [{ wallets: {} }, ['wallets']],
      [{ settle_chain: 'solana', settle_amount: String(2n ** 64n) }, ['settle_amount']],
      [{ settle_chain: 'tron', settle_token: 'TRX', settle_amount: String(2n ** 63n) }, ['settle_amount']],
      [
        { wallets: { btc: wallet }, settle_token: 'SHIB', settle_amount: '1.5' },
        ['settle_amount', 'settle_token'],
      ],
    ] as const) {
      const failure = await harness.failureOf(checkoutOptions, request(changes));
      expect([failure.code, fieldsOf(failure.details)]).toEqual(['VALIDATION_ERROR', fields]);
    }
  });
});

it('covers each operation and declared error', () => {
  expect(missingCases(Object.values(checkoutApi.operations), readFileSync(__filename, 'utf8'))).toEqual([]);
});

/** The gas price in the reply to a single call, or to a batch with one call. */
function gasPriceOf(text: string): bigint {
  const [reply] = [JSON.parse(text) as { result: string } | { result: string }[]].flat();
  return BigInt(reply!.result);
}
