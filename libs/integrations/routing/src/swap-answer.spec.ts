import type { RouteToken } from './cross-chain-routes';
import { checkedSwap, keepingPromise, promised, requireRecipient, type SwapAnswer } from './swap-answer';
import type { BuiltSwap, SwapStep } from './swap-routes';
import { arbDai, arbEther, arbUsdc, baseDai, baseEther, baseUsdc, bitcoin } from './testing/route-tokens';
import { callFor, recipient, sender, swapContract, wrapped, zeroAddress } from './testing/scripted-swaps';
import { aSwapQuote } from './testing/swap-quote.builder';
import { aSwapBuildRequest } from './testing/swap-request.builder';

const step = (type: SwapStep['type'], tokenIn: RouteToken, tokenOut: RouteToken): SwapStep => ({
  type,
  venue: 'venue',
  tokenIn,
  tokenOut,
  amountInAtomic: 1_000n,
  amountOutAtomic: 990n,
});
const request = aSwapBuildRequest({
  from: baseDai,
  to: arbDai,
  amountInAtomic: 1_000n,
  recipient,
  minAmountOutAtomic: 980n,
});
const answer: SwapAnswer = {
  from: baseDai,
  to: arbDai,
  amountInAtomic: 1_000n,
  amountOutAtomic: 990n,
  minAmountOutAtomic: 985n,
  steps: [
    step('originSwap', baseDai, baseUsdc),
    step('bridge', baseUsdc, arbUsdc),
    step('destinationSwap', arbUsdc, arbDai),
  ],
  fees: [],
  estimatedSeconds: 2,
  expiresAt: null,
  spender: swapContract,
  transaction: {
    chain: 'eip155:8453',
    to: swapContract,
    data: callFor(recipient),
    valueAtomic: 0n,
    gasUnits: null,
  },
};

it('accepts an answer that matches the request', () => {
  expect(checkedSwap(answer, request, 7n)).toMatchObject({
    spender: swapContract,
    validUntil: null,
    transaction: { to: swapContract, gasUnits: null },
    quote: { amountOutAtomic: 990n, minAmountOutAtomic: 985n, gasUnits: 7n, steps: answer.steps },
  });
  const tried = { ...answer, transaction: { ...answer.transaction, gasUnits: 5n } };
  expect(checkedSwap(tried, request, 7n).quote.gasUnits).toBe(5n);
});

it('rejects an answer that pays another recipient', () => {
  expect(() => requireRecipient(answer, recipient)).not.toThrow();
  expect(() => requireRecipient(answer, sender)).toThrow('does not contain the recipient');
});

it.each([
  [1_003n, 985n],
  [1_000n, 982n],
])('accepts an answer that expects %s and guarantees %s after slippage in every step', (out, least) => {
  const amounts = { amountOutAtomic: out, minAmountOutAtomic: least };
  expect(checkedSwap({ ...answer, ...amounts }, request, 7n).quote).toMatchObject(amounts);
});

const call = (transaction: Partial<SwapAnswer['transaction']>): Partial<SwapAnswer> => ({
  transaction: { ...answer.transaction, ...transaction },
});
it.each<[string, Partial<SwapAnswer>, string]>([
  ['takes another token', { from: baseUsdc }, 'takes another token'],
  ['takes a token of another chain', { from: arbDai }, 'takes another token'],
  ['takes the coin', { from: baseEther }, 'takes another token'],
  ['counts in another unit', { from: { ...baseDai, decimals: 6 } }, 'takes another token'],
  ['delivers another token', { to: arbUsdc }, 'delivers another token'],
  ['delivers on another chain', { to: baseDai }, 'delivers another token'],
  ['takes more', { amountInAtomic: 1_001n }, 'another amount'],
  ['takes less', { amountInAtomic: 999n }, 'another amount'],
  ['promises nothing', { minAmountOutAtomic: 0n }, 'promises nothing'],
  ['guarantees more than it expects', { minAmountOutAtomic: 991n }, 'promises more'],
  ['is sent on another chain', call({ chain: 'eip155:1' }), 'another chain'],
  ['calls the zero address', call({ to: zeroAddress }), 'does not call a swap'],
  ['calls the token', call({ to: baseDai.address! }), 'does not call a swap'],
  [
    'calls another token to transfer it',
    call({ data: `0xa9059cbb${callFor(recipient).slice(10)}` }),
    'does not call a swap',
  ],
  [
    'approves another token for a spender',
    call({ data: `0x095ea7b3${callFor(recipient).slice(10)}` }),
    'does not call a swap',
  ],
  [
    'approves a spender at Permit2',
    call({ data: `0x87517c45${callFor(recipient).slice(10)}` }),
    'does not call a swap',
  ],
  ['may lose more than the slippage of every step', { amountOutAtomic: 1_030n }, 'more than the slippage'],
  ['sends coin with a token', call({ valueAtomic: 1n }), 'another amount of coins'],
  ['returns the zero address as the spender', { spender: zeroAddress }, 'spender'],
  ['returns the token as the spender', { spender: baseDai.address!.toLowerCase() }, 'spender'],
])('rejects an answer that %s', (_case, change, message) => {
  expect(() => checkedSwap({ ...answer, ...change }, request, 7n)).toThrow(message);
});

it.each<[string, SwapStep[], string]>([
  ['no steps', [], 'do not match the chains'],
  ['no bridge', [step('originSwap', baseDai, arbDai)], 'do not match the chains'],
  ['two bridges', [step('bridge', baseDai, arbDai), step('bridge', arbDai, arbDai)], 'out of order'],
  [
    'a bridge before the origin swap',
    [answer.steps[1]!, answer.steps[0]!, answer.steps[2]!],
    'another token',
  ],
  [
    'a gap between steps',
    [answer.steps[0]!, step('bridge', baseDai, arbUsdc), answer.steps[2]!],
    'another token',
  ],
  ['a missing last step', answer.steps.slice(0, 2), 'end with another token'],
  [
    'a swap to another chain',
    [step('originSwap', baseDai, bitcoin), ...answer.steps.slice(1)],
    'another chain',
  ],
  ['a bridge to the same chain', [answer.steps[0]!, step('bridge', baseUsdc, baseDai)], 'another chain'],
  ['a step with a zero output', [{ ...step('bridge', baseDai, arbDai), amountOutAtomic: 0n }], 'zero amount'],
  [
    'an input above the amount',
    [{ ...step('bridge', baseDai, arbDai), amountInAtomic: 1_001n }],
    'more than the input',
  ],
])('rejects steps with %s', (_case, steps, message) => {
  expect(() => checkedSwap({ ...answer, steps }, request, 7n)).toThrow(message);
});

describe('native coin', () => {
  const ofCoin = { ...request, from: baseEther, to: arbEther };
  const [weth, arbWeth] = [wrapped(baseEther), wrapped(arbEther)];
  const coinAnswer = {
    ...answer,
    ...call({ valueAtomic: 1_000n }),
    from: baseEther,
    to: arbEther,
    steps: [step('bridge', baseEther, arbEther)],
  };

  it('needs no allowance and may appear as the wrapped token', () => {
    const named = { ...coinAnswer, from: weth, to: arbWeth, steps: [step('bridge', weth, arbWeth)] };
    for (const one of [coinAnswer, named])
      expect(checkedSwap(one, ofCoin, 7n)).toMatchObject({
        spender: null,
        transaction: { valueAtomic: 1_000n },
        quote: { steps: [{ tokenIn: baseEther, tokenOut: arbEther }] },
      });
  });

  it('matches WMATIC on Polygon', () => {
    const pol: RouteToken = { chain: 'eip155:137', symbol: 'POL', address: null, decimals: 18 };
    const wmatic = { ...pol, symbol: 'WMATIC', address: swapContract };
    const ofPol = { ...coinAnswer, ...call({ valueAtomic: 1_000n, chain: pol.chain, to: sender }) };
    const steps = [step('bridge', wmatic, arbEther)];
    expect(checkedSwap({ ...ofPol, from: wmatic, steps }, { ...ofCoin, from: pol }, 7n)).toBeDefined();
  });

  it('does not match another token or amount', () => {
    const others = [baseUsdc, { ...weth, symbol: 'WBTC' }, { ...weth, decimals: 8 }];
    for (const from of others)
      expect(() => checkedSwap({ ...coinAnswer, from }, ofCoin, 7n)).toThrow('token');
    for (const valueAtomic of [0n, 999n, 1_001n])
      expect(() => checkedSwap({ ...coinAnswer, ...call({ valueAtomic }) }, ofCoin, 7n)).toThrow(
        'another amount of coins',
      );
  });

  it('does not match a request for the wrapped token', () => {
    const ofToken = { ...ofCoin, from: weth };
    expect(() => checkedSwap({ ...coinAnswer, from: baseEther }, ofToken, 7n)).toThrow('takes another token');
  });
});

const quoteOf = (amountOutAtomic: bigint, minAmountOutAtomic: bigint) =>
  aSwapQuote({ amountOutAtomic, minAmountOutAtomic });

it.each([
  ['reserves the slippage for a price change after an exact bridge', 10_000n, 10_000n, 50, 9_950n],
  ['accepts a lower minimum of the provider', 10_000n, 9_900n, 50, 9_900n],
  ['reserves nothing at a slippage of 0', 10_000n, 10_000n, 0, 10_000n],
  ['guarantees at least one unit', 1n, 1n, 5_000, 1n],
  ['caps a slippage above half at half', 10_000n, 10_000n, 20_000, 5_000n],
])('%s', (_case, out, min, bps, expected) => {
  expect(promised(quoteOf(out, min), bps).minAmountOutAtomic).toBe(expected);
});

describe('keepingPromise', () => {
  const built = (out: bigint, min: bigint): BuiltSwap => ({
    ...checkedSwap(answer, request, 7n),
    quote: quoteOf(out, min),
  });
  /** A provider with one price that applies the slippage this number of times. */
  const provider = (out: bigint, times = 1) => {
    const asked: number[] = [];
    const build = (bps: number): Promise<BuiltSwap> => {
      asked.push(bps);
      let min = out;
      for (let time = 0; time < times; time += 1) min = (min * BigInt(10_000 - bps)) / 10_000n;
      return Promise.resolve(built(out, min));
    };
    return { asked, build };
  };
  const keep = (out: bigint, { least, times }: { least: bigint; times?: number }) => {
    const { asked, build } = provider(out, times);
    return { asked, result: keepingPromise({ ...request, minAmountOutAtomic: least }, build) };
  };

  it('builds once if the minimum is met immediately', async () => {
    const { asked, result } = keep(1_000_000n, { least: 995_000n });
    await expect(result).resolves.toMatchObject({ quote: { minAmountOutAtomic: 995_000n } });
    expect(asked).toEqual([50]);
  });

  it.each([1, 2])(
    'meets the minimum at a lower price with less slippage, applied %s times',
    async (times) => {
      const { asked, result } = keep(998_000n, { least: times === 1 ? 995_000n : 990_025n, times });
      const { quote } = await result;
      expect(quote.minAmountOutAtomic).toBeGreaterThanOrEqual(times === 1 ? 995_000n : 990_025n);
      expect(asked).toEqual([50, times === 1 ? 30 : 40]);
    },
  );

  it.each([
    ['the price is below the minimum', 994_999n, [50]],
    ['no slippage would be left', 995_000n, [50]],
    ['hardly any slippage would be left', 995_050n, [50]],
  ])('rejects if %s', async (_case, out, expected) => {
    const { asked, result } = keep(out, { least: 995_000n });
    await expect(result).rejects.toMatchObject({ name: 'RouteRejection', reason: 'priceMoved' });
    expect(asked).toEqual(expected);
  });

  it('rejects if the price keeps moving', async () => {
    const prices = [998_000n, 996_000n];
    const build = () => Promise.resolve(prices.shift()!).then((out) => built(out, (out * 9_950n) / 10_000n));
    const result = keepingPromise({ ...request, minAmountOutAtomic: 995_000n }, build);
    await expect(result).rejects.toMatchObject({ reason: 'priceMoved' });
    expect(prices).toEqual([]);
  });
});
