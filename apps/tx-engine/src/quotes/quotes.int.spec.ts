import { soldQuotesApi, swapQuotesApi, transactionsApi, type SwapQuoteRequest } from '@tollbridge/contracts';
import type { FieldError } from '@tollbridge/rpc';
import { deployOddToken, type OddToken } from '@tollbridge/onchain';
import { openPools } from '@tollbridge/local-contracts';
import { ManualClock } from '@tollbridge/testing';
import { MaxUint256, ZeroAddress } from 'ethers';
import { NodeTap } from '../testing/node-tap';
import { TxEngine } from '../testing/tx-engine';

let harness: TxEngine;
let tap: NodeTap;
const clock = new ManualClock();

beforeAll(async () => {
  harness = await TxEngine.start({
    clock,
    rpcUrls: async ({ anvil }) => [(tap = await NodeTap.to(anvil.url)).url],
  });
});
afterAll(async () => {
  await harness?.close();
  await tap?.close();
});
afterEach(() => {
  tap.passThrough();
  for (const provider of ['across', 'lifi'] as const) harness.simulators.outage(provider, 'up');
});

const usd = 10n ** 6n;
const ether = 10n ** 18n;
const { quoteSwap } = swapQuotesApi.operations;

const tokenOf = (address: string, more: object = {}) => ({ address, chainId: 8453, ...more });
const usdcIn = (): SwapQuoteRequest => harness.swapRequest({ from: 'USDC', to: 'USDT', amount: 100n * usd });

/** Returns the fields in the error of a rejected request. */
async function badFields(input: object): Promise<string[]> {
  const failure = await harness.failureOf(quoteSwap, input);
  expect(failure.code).toBe('VALIDATION_ERROR');
  return (failure.details as FieldError[]).map(({ field }) => field).sort();
}

describe('fields of a quote request', () => {
  it('accepts aliases, also together with names', async () => {
    const { inputToken, outputToken, inputAmount } = usdcIn();
    const one = await harness.call(quoteSwap, { ...usdcIn() });
    const other = await harness.call(quoteSwap, {
      tokenIn: inputToken!,
      tokenOut: outputToken!,
      amountIn: inputAmount!,
      slippageBps: 50,
    });
    const mixed = await harness.call(quoteSwap, {
      inputToken: inputToken!,
      tokenOut: outputToken!,
      amountIn: inputAmount!,
      slippageBps: 50,
    });
    const { quoteId: _, ...same } = one;
    expect(other).toMatchObject(same);
    expect(mixed).toMatchObject(same);
  });

  it('rejects a field given by name and alias, even with the same value', async () => {
    const { inputToken, outputToken, inputAmount } = usdcIn();
    const twice = { tokenIn: inputToken, tokenOut: outputToken, amountIn: inputAmount };
    expect(await badFields({ ...usdcIn(), ...twice })).toEqual(['amountIn', 'tokenIn', 'tokenOut']);
  });

  it('lists all missing fields', async () => {
    expect(await badFields({})).toEqual(['inputAmount', 'inputToken', 'outputToken']);
  });

  it('lists each invalid field once, and never as missing', async () => {
    const bad = {
      inputToken: { address: 17, chainId: 'base', colour: 'red' },
      tokenOut: { address: 'x', chainId: 0 },
      amountIn: '1e18',
      slippageBps: 5_001,
      userAddress: 5,
      urgent: true,
    };
    expect(await badFields(bad)).toEqual([
      'amountIn',
      'inputToken.address',
      'inputToken.chainId',
      'inputToken.colour',
      'slippageBps',
      'tokenOut.chainId',
      'urgent',
      'userAddress',
    ]);
  });

  it('looks tokens up on the chain only if their form is valid, and reports all of them', async () => {
    const eoa = '0x00000000000000000000000000000000deadbeef';
    const bad = {
      inputToken: tokenOf(harness.chain.usdc.address, { decimals: 18 }),
      outputToken: tokenOf(eoa),
      inputAmount: '1',
      userAddress: ZeroAddress,
    };
    expect(await badFields(bad)).toEqual(['userAddress']);
    expect(await badFields({ ...bad, userAddress: undefined })).toEqual([
      'inputToken.decimals',
      'outputToken.address',
    ]);
  });

  it.each([
    '',
    ' 1',
    '+1',
    '-1',
    '0',
    '00',
    '01',
    '1.0',
    '1e18',
    '0x10',
    '١',
    String(MaxUint256 + 1n),
    '9'.repeat(79),
    100,
    100n.toString() + '\n',
  ])('rejects the amount %j', async (inputAmount) => {
    expect(await badFields({ ...usdcIn(), inputAmount })).toEqual(['inputAmount']);
  });

  it.each([0, -1, 5_001, 1.5, '50', null])('rejects the slippage %j', async (slippageBps) => {
    if (slippageBps === null) return;
    expect(await badFields({ ...usdcIn(), slippageBps })).toEqual(['slippageBps']);
  });

  it.each([1, 5_000])('accepts the slippage %i', async (slippageBps) => {
    const quote = await harness.call(quoteSwap, { ...usdcIn(), slippageBps });
    const least = (BigInt(quote.outputAmount) * BigInt(10_000 - slippageBps)) / 10_000n;
    expect(quote).toMatchObject({ slippageBps, minOutputAmount: String(least) });
  });
});

describe('token of a quote request', () => {
  const quoteTo = (outputToken: object) => ({ ...usdcIn(), outputToken });

  it.each<[string, () => object, string]>([
    ['of an unknown chain', () => ({ ...tokenOf(harness.chain.dai.address), chainId: 1 }), 'chainId'],
    ['with a wrong checksum', () => tokenOf(wrongChecksum(harness.chain.dai.address)), 'address'],
    ['that is an account without a contract', () => tokenOf(harness.chain.payer.address), 'address'],
    ['that is a contract without decimals', () => tokenOf(harness.chain.exchange!.factory), 'address'],
    ['with other decimals', () => tokenOf(harness.chain.dai.address, { decimals: 6 }), 'decimals'],
    ['that is a precompiled contract', () => tokenOf(`0x${'0'.repeat(39)}1`), 'address'],
    ['without 0x', () => tokenOf(harness.chain.dai.address.slice(2)), 'address'],
    ['as ICAP', () => tokenOf('XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS'), 'address'],
  ])('rejects %s', async (_, token, field) => {
    expect(await badFields(quoteTo(token()))).toEqual([`outputToken.${field}`]);
  });

  it('rejects a swap of a token into itself in any spelling', async () => {
    const { address } = harness.chain.usdc;
    expect(await badFields(quoteTo(tokenOf(address.toLowerCase())))).toEqual(['outputToken']);
    const coins = {
      inputToken: tokenOf(ZeroAddress),
      tokenOut: tokenOf(`0x${'e'.repeat(40)}`),
      amountIn: '1',
    };
    expect(await badFields(coins)).toEqual(['tokenOut']);
  });

  it.each([
    ZeroAddress,
    `0x${'e'.repeat(40)}`,
    `0x${'E'.repeat(40)}`,
    '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  ])('reads the address %s as the native coin', async (address) => {
    const quote = await harness.call(quoteSwap, {
      inputToken: tokenOf(address),
      outputToken: tokenOf(harness.chain.usdc.address),
      inputAmount: String(ether),
      slippageBps: 50,
    });
    expect(quote.inputToken).toEqual({ address: ZeroAddress, chainId: 8453, symbol: 'ETH', decimals: 18 });
  });

  it('reads an unlisted token from its contract, with a sanitised symbol', async () => {
    const hostile = '\u202e<b>EV\u0000IL\u200b\u2028\ud83d\ude00' + 'x'.repeat(60) + '\ud83d\ude00';
    const odd = await pooledOdd(hostile, 9);
    const quote = await harness.call(quoteSwap, quoteTo(tokenOf(odd.address, { symbol: 'USDC' })) as never);
    const { symbol } = quote.outputToken;
    expect(quote.outputToken).toMatchObject({ address: odd.address, decimals: 9 });
    expect(symbol).toMatch(/^<b>EVIL😀x+$/u);
    expect([...symbol].length).toBeLessThanOrEqual(32);
    const back = { inputToken: tokenOf(odd.address), outputToken: tokenOf(harness.chain.usdc.address) };
    const inOdd = await harness.call(quoteSwap, { ...back, inputAmount: '1000000000', slippageBps: 50 });
    expect(BigInt(inOdd.outputAmount)).toBeGreaterThan(990_000n);
    expect(inOdd.fees[0]).toMatchObject({ amount: '3000000', amountUsd: null, included: true });
  });

  it('returns ROUTE_UNAVAILABLE for a token without a pool', async () => {
    const lonely = await deployOddToken(harness.chain.anvil.wallet(0), { symbol: 'ALONE', decimals: 6 });
    const failure = await harness.failureOf(quoteSwap, quoteTo(tokenOf(lonely.address)));
    expect(failure).toMatchObject({ code: 'ROUTE_UNAVAILABLE', details: { reason: 'noRoute' } });
  });
});

describe('amount of a quote request', () => {
  it.each<[string, bigint]>([
    ['of one unit', 1n],
    ['of two units', 2n],
    ['of three units', 3n],
    ['that fills 256 bits', MaxUint256],
    ['beyond what all pools hold', 10n ** 40n],
  ])('quotes %s with a minimum output, or rejects it', async (_, amount) => {
    for (const isAcross of [false, true]) {
      for (const [from, to] of [
        ['USDC', 'USDT'],
        ['USDT', 'USDC'],
        ['WETH', 'USDC'],
        ['USDC', 'USDC'],
        ['ETH', 'WETH'],
      ] as const) {
        if (from === to && !isAcross) continue;
        const outcome = await harness.quote({ from, to, amount, isAcross }).catch((error: unknown) => error);
        if ('quoteId' in (outcome as object)) {
          const { minOutputAmount } = outcome as { minOutputAmount: string };
          expect(BigInt(minOutputAmount)).toBeGreaterThan(0n);
        } else {
          expect({ from, to, isAcross, code: (outcome as { code: string }).code }).toEqual({
            from,
            to,
            isAcross,
            code: expect.stringMatching(/^(QUOTE|ROUTE)_UNAVAILABLE$/),
          });
        }
      }
    }
  });
});

describe('quote reply', () => {
  it('describes a swap on one chain', async () => {
    const quote = await harness.quote({ from: 'USDT', to: 'DAI', amount: 1000n * usd });
    const out = BigInt(quote.outputAmount);
    expect(quote).toMatchObject({
      inputToken: { symbol: 'USDT', decimals: 6 },
      outputToken: { symbol: 'DAI', decimals: 18 },
      minOutputAmount: String((out * 9_950n) / 10_000n),
      // The rate for 1,000 tokens. The output has 18 decimals, and the rate is rounded down to 12 digits.
      exchangeRate: expect.stringMatching(/^1\.000\d+$/),
      priceImpact: '0.00',
      // Two pools with a fee of 0.01 % each. The second fee applies to the remainder after the first.
      fees: [
        {
          name: 'Pool fee',
          token: { symbol: 'USDT' },
          amount: '199990',
          amountUsd: expect.any(String),
          included: true,
        },
      ],
      route: [{ type: 'originSwap', venue: 'uniswap-v3', amountIn: '1000000000', amountOut: String(out) }],
      asked: [{ provider: 'uniswap', outputAmount: String(out), problem: null }],
      estimatedTime: expect.any(Number),
    });
    expect(Number(quote.exchangeRate)).toBeCloseTo(Number(out / 10n ** 9n) / 10 ** 12, 9);
    expect(quote.reason).toMatch(/^uniswap delivers 99\d\.\d+ DAI after gas$/);
    expect(BigInt(quote.asked[0]!.gasInOutputToken!)).toBeGreaterThan(0n);
    expect(Number(quote.fees[0]!.amountUsd)).toBeCloseTo(0.2, 3);
    expect(Number(quote.estimatedGasUsd)).toBeGreaterThan(0);
    expect(BigInt(quote.estimatedGas)).toBeGreaterThan(150_000n);
  });

  it('states the price impact of a large swap', async () => {
    const quote = await harness.quote({ from: 'USDC', to: 'WETH', amount: 10_000_000n * usd });
    expect(Number(quote.priceImpact)).toBeGreaterThan(0.05);
    expect(Number(quote.priceImpact)).toBeLessThan(0.2);
  });

  it('quotes wrapping at a rate of one, without fees or approval gas', async () => {
    const quote = await harness.quote({ from: 'ETH', to: 'WETH', amount: 7n });
    expect(quote).toMatchObject({ outputAmount: '7', minOutputAmount: '7', exchangeRate: '1', fees: [] });
  });

  it('describes a cross-chain swap', async () => {
    const quote = await harness.quote({ from: 'USDT', to: 'DAI', amount: 100n * usd, isAcross: true });
    expect(quote.route.map(({ type }) => type)).toEqual(['originSwap', 'bridge', 'destinationSwap']);
    expect(quote.route[0]!.tokenIn).toMatchObject({ symbol: 'USDT', chainId: 8453 });
    expect(quote.route[2]!.tokenOut).toMatchObject({ symbol: 'DAI', chainId: 42161 });
    expect(quote.route.at(-1)!.amountOut).toBe(quote.outputAmount);
    expect(quote).toMatchObject({ provider: 'across', priceImpact: null });
    expect(quote.asked.map(({ provider }) => provider)).toEqual(['across']);
    expect(BigInt(quote.minOutputAmount)).toBeLessThan(BigInt(quote.outputAmount));
  });

  it('expires after 60 seconds', async () => {
    const { expiresAt } = await harness.call(quoteSwap, usdcIn());
    expect(expiresAt).toBe(Math.floor(clock.now() / 1_000) + 60);
  });
});

describe('quotes during an outage', () => {
  const crossing = { from: 'USDC', to: 'USDC', amount: 100n * usd, isAcross: true } as const;

  it.each(['down', 'slow'] as const)(
    "return UPSTREAM_UNAVAILABLE before the client's time-out while Across is %s",
    async (mode) => {
      harness.simulators.outage('across', mode);
      const startedMs = performance.now();
      const failure = await harness.failureOf(quoteSwap, harness.swapRequest(crossing));
      expect(failure.code).toBe('UPSTREAM_UNAVAILABLE');
      expect(performance.now() - startedMs).toBeLessThan(12_000);
    },
  );

  it.each(['down', 'slow'] as const)(
    'return UPSTREAM_UNAVAILABLE while the node is %s, also for an unknown token',
    async (mode) => {
      tap.mode = mode;
      const startedMs = performance.now();
      const known = await harness.failureOf(quoteSwap, usdcIn());
      expect(known.code).toBe('UPSTREAM_UNAVAILABLE');
      expect(performance.now() - startedMs).toBeLessThan(14_000);
      const token = tokenOf('0x00000000000000000000000000000000deadbeef');
      const unknown = await harness.failureOf(quoteSwap, { ...usdcIn(), outputToken: token });
      expect(unknown.code).toBe('UPSTREAM_UNAVAILABLE');
    },
  );

  it('contain a cross-chain swap without a gas price while the node is down', async () => {
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    tap.mode = 'down';
    const quote = await harness.quote(crossing);
    expect(quote).toMatchObject({ provider: 'across', estimatedGasUsd: null });
  });

  it.each([
    ['eth_getBlockByNumber', { baseFeePerGas: 'much' }],
    ['eth_getBlockByNumber', null],
    ['eth_maxPriorityFeePerGas', 'much'],
    ['eth_call', 'nonsense'],
  ])('contain no internal error when the node replies to %s with %j', async (method, result) => {
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    tap.instead = (asked) => (asked.method === method ? { result } : undefined);
    const unknown = { ...usdcIn(), outputToken: tokenOf('0x00000000000000000000000000000000deadbeef') };
    for (const input of [usdcIn(), unknown]) {
      const outcome = await harness.call(quoteSwap, input).catch((error: unknown) => error);
      expect((outcome as { code?: string }).code).not.toBe('INTERNAL_ERROR');
    }
  });
});

describe('owner of a quote', () => {
  it('can build the quote, unlike every other caller', async () => {
    const { quoteId, expiresAt } = await harness.call(quoteSwap, usdcIn());
    const request = { quoteId, userAddress: harness.user.address, skipApprovals: false };
    const build = transactionsApi.operations.buildTransactions;
    const foreign = await harness.failureOf(build, request, harness.chain.stranger.address);
    const unknown = await harness.failureOf(build, {
      ...request,
      quoteId: quoteId.replace(/.$/, (it) => (it === '0' ? '1' : '0')),
    });
    const noId = await harness.failureOf(build, { ...request, quoteId: "' OR 1=1 --" });
    expect(foreign.code).toBe('INVALID_QUOTE');
    const shown = ({ code, message, details }: typeof foreign) => JSON.stringify({ code, message, details });
    expect([unknown, noId].map(shown)).toEqual([shown(foreign), shown(foreign)]);
    clock.advance(60_000);
    expect(await harness.failureOf(build, request)).toMatchObject({
      code: 'QUOTE_EXPIRED',
      details: { expiresAt },
    });
    expect(await harness.failureOf(build, request, harness.chain.stranger.address)).toMatchObject({
      code: 'INVALID_QUOTE',
    });
  });
});

describe('a quote that a payer has bought', () => {
  const { checkQuote, quoteForPayer } = soldQuotesApi.operations;

  it('exists once per key, and only the payer can build it', async () => {
    const { address: payer } = harness.chain.stranger;
    const bought = { ...usdcIn(), payer };
    const quote = await harness.callKeyed(quoteForPayer, bought, 'sale-of-this-test');
    expect(await harness.callKeyed(quoteForPayer, bought, 'sale-of-this-test')).toEqual(quote);
    const request = { quoteId: quote.quoteId, userAddress: payer, skipApprovals: false };
    const build = transactionsApi.operations.buildTransactions;
    expect((await harness.failureOf(build, request)).code).toBe('INVALID_QUOTE');
    expect((await harness.call(build, request, payer)).transactions.length).toBeGreaterThan(0);
  });

  it('validates the request before the payment, without a provider', async () => {
    harness.simulators.outage('lifi', 'down');
    expect(await harness.call(checkQuote, usdcIn())).toEqual({ isValid: true });
    const { inputToken } = usdcIn();
    for (const bad of [{}, { ...usdcIn(), outputToken: inputToken }, { ...usdcIn(), inputAmount: '0' }])
      expect((await harness.failureOf(checkQuote, bad)).code).toBe('VALIDATION_ERROR');
  });
});

const wrongChecksum = (address: string): string =>
  address.replace(/[a-fA-F](?=[^a-fA-F]*$)/, (it) =>
    /[a-f]/.test(it) ? it.toUpperCase() : it.toLowerCase(),
  );

/** An unlisted token, in a pool with USDC at a price of one dollar. */
async function pooledOdd(symbol: string, decimals: number): Promise<OddToken> {
  const deployer = harness.chain.anvil.wallet(0);
  const odd = await deployOddToken(deployer, { symbol, decimals });
  await openPools(deployer, {
    uniswap: harness.chain.exchange!,
    tokens: [{ symbol: 'ODD', address: odd.address, decimals }, harness.chain.usdc],
    prices: { ODD: '1', USDC: '1' },
    pools: [{ tokens: ['ODD', 'USDC'], feePips: 3000 }],
  });
  return odd;
}
