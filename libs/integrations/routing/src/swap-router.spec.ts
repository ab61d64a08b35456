import { ProviderError, type ProviderErrorKind } from '@tollbridge/http';
import { RouteRejection, type RejectionReason } from './cross-chain-routes';
import { SwapRouter, type SwapRouterOptions } from './swap-router';
import type { SwapQuote, SwapRequest, SwapRoutes } from './swap-routes';
import { arbUsdc, baseUsdc, bitcoin } from './testing/route-tokens';
import { aSwapQuote } from './testing/swap-quote.builder';

const request: SwapRequest = {
  from: baseUsdc,
  to: arbUsdc,
  amountInAtomic: 100_000_000n,
  slippageBps: 50,
  sender: null,
};
const quoteOf = (amountOutAtomic: bigint, rest: Partial<SwapQuote> = {}) =>
  aSwapQuote({ amountOutAtomic, ...rest });

type Answer = (request: SwapRequest, signal: AbortSignal) => SwapQuote | Promise<SwapQuote>;

/** A provider that serves everything except Bitcoin, and records the signals of its callers. */
class TestRoutes implements SwapRoutes {
  readonly signals: AbortSignal[] = [];
  constructor(
    readonly name: string,
    private readonly answer: Answer | SwapQuote | bigint | Error,
    private readonly servesAll = true,
  ) {}

  serves(): boolean {
    return this.servesAll;
  }

  async quote(asked: SwapRequest, signal: AbortSignal): Promise<SwapQuote> {
    this.signals.push(signal);
    const { answer } = this;
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'bigint') return quoteOf(answer);
    return typeof answer === 'function' ? answer(asked, signal) : answer;
  }

  build = (): never => {
    throw new Error('not built');
  };
  status = this.build;
}

const failing = (kind: ProviderErrorKind) => new ProviderError('x', { kind, message: 'm' });
const never: Answer = () => new Promise<never>(() => undefined);
/** A gas cost of one cent for 100,000 units. */
const gasCostInOutput = (_request: SwapRequest, gasUnits: bigint): bigint => gasUnits / 10n;
const routerOf = (providers: SwapRoutes[], options: Partial<SwapRouterOptions> = {}) =>
  new SwapRouter({ providers, gasCostInOutput, ...options });

const unhandled: unknown[] = [];
const recordUnhandled = (error: unknown) => unhandled.push(error);
beforeAll(() => process.on('unhandledRejection', recordUnhandled));
afterAll(() => process.off('unhandledRejection', recordUnhandled));
afterEach(() => expect(unhandled).toEqual([]));

describe('best quote', () => {
  it('returns the largest quote, with the answers of all providers', async () => {
    const providers = [
      new TestRoutes('lifi', 99_720_000n),
      new TestRoutes('across', 99_810_000n),
      new TestRoutes('uniswap', new RouteRejection('noRoute')),
      new TestRoutes('other', failing('rateLimited')),
      new TestRoutes('elsewhere', 200_000_000n, false),
    ];
    await expect(routerOf(providers).quote(request)).resolves.toEqual({
      provider: 'across',
      quote: quoteOf(99_810_000n),
      answers: [
        { provider: 'lifi', outcome: 'quoted', amountOutAtomic: 99_720_000n, gasCostAtomic: 10_000n },
        { provider: 'across', outcome: 'quoted', amountOutAtomic: 99_810_000n, gasCostAtomic: 10_000n },
        { provider: 'uniswap', outcome: 'rejected', reason: 'noRoute' },
        { provider: 'other', outcome: 'failed', reason: 'rateLimited' },
      ],
      reason:
        'across delivers 99.80 USDC after gas; lifi 99.71; uniswap has no route; other is over its rate limit',
    });
  });

  it('returns the largest quote after gas', async () => {
    const dear = quoteOf(99_900_000n, { gasUnits: 5_000_000n });
    const routed = await routerOf([new TestRoutes('dear', dear), new TestRoutes('cheap', 99_500_000n)]).quote(
      request,
    );
    expect(routed).toMatchObject({ provider: 'cheap', quote: { amountOutAtomic: 99_500_000n } });
    expect(routed.reason).toBe('cheap delivers 99.49 USDC after gas; dear 99.40');
  });

  it('returns a swap even if its gas costs more than it delivers', async () => {
    const dear = quoteOf(10_000n, { gasUnits: 5_000_000n });
    const dearer = quoteOf(10_000n, { gasUnits: 6_000_000n });
    const { reason } = await routerOf([new TestRoutes('b', dearer), new TestRoutes('a', dear)]).quote(
      request,
    );
    expect(reason).toBe('a delivers -0.49 USDC after gas; b -0.59');
  });

  it.each([
    ['of all', () => null],
    ['of one', (_request: SwapRequest, gasUnits: bigint) => (gasUnits > 200_000n ? null : 10_000n)],
  ])('ignores gas when the cost %s is unknown', async (_case, cost) => {
    const dear = quoteOf(99_600_000n, { gasUnits: 5_000_000n });
    const providers = [new TestRoutes('cheap', 99_500_000n), new TestRoutes('dear', dear)];
    const routed = await routerOf(providers, { gasCostInOutput: cost }).quote(request);
    expect(routed.provider).toBe('dear');
    expect(routed.reason).toBe(
      'dear delivers 99.60 USDC; cheap 99.50; gas is not counted, because its price is unknown',
    );
  });

  it('prefers a larger minimum, then speed, then order', async () => {
    const out = 99_500_000n;
    const offer = (name: string, rest: Partial<SwapQuote> = {}) => new TestRoutes(name, quoteOf(out, rest));
    const best = async (...all: SwapRoutes[]) => (await routerOf(all).quote(request)).provider;
    const surer = offer('surer', { minAmountOutAtomic: 2n, estimatedSeconds: 20 });
    await expect(best(offer('a'), surer)).resolves.toBe('surer');
    await expect(best(offer('a'), offer('faster', { estimatedSeconds: 5 }))).resolves.toBe('faster');
    await expect(best(offer('b'), offer('a'), offer('c'))).resolves.toBe('b');
  });

  it('formats the amount with significant digits', async () => {
    const shown = async (amount: bigint, decimals: number) => {
      const to = { ...arbUsdc, symbol: 'T', decimals };
      const router = routerOf([new TestRoutes('a', amount)], { gasCostInOutput: () => 0n });
      return (await router.quote({ ...request, to })).reason;
    };
    for (const [amount, decimals, text] of [
      ...([
        [1n, 0, '1'],
        [5n, 1, '0.5'],
        [10n ** 18n, 18, '1.00'],
        [123_456_789_123n, 6, '123456.78'],
      ] as const),
      ...([
        [1_234_567_890_123_456_789n, 18, '1.23456'],
        [12_345_678_912_345n, 18, '0.0000123456'],
      ] as const),
      ...([
        [1n, 18, '0.000000000000000001'],
        [0n, 18, '0.00'],
        [1_500_000n, 6, '1.50'],
      ] as const),
    ])
      await expect(shown(amount, decimals)).resolves.toBe(`a delivers ${text} T after gas`);
  });
});

describe('failing provider', () => {
  it.each<[string, Answer | Error, object]>([
    ['rejects', new RouteRejection('noLiquidity'), { outcome: 'rejected', reason: 'noLiquidity' }],
    ['is unavailable', failing('unavailable'), { outcome: 'failed', reason: 'unavailable' }],
    ['answers nonsense', failing('badReply'), { outcome: 'failed', reason: 'badReply' }],
    ['is broken', new TypeError('x is not a function'), { outcome: 'failed', reason: 'broken' }],
    ['never answers', never, { outcome: 'failed', reason: 'late' }],
  ])('omits a provider that %s', async (_case, answer, expected) => {
    const failures: string[] = [];
    const router = routerOf([new TestRoutes('bad', answer), new TestRoutes('good', 99_500_000n)], {
      timeoutMs: 30,
      onFailure: (provider) => failures.push(provider),
    });
    const routed = await router.quote(request);
    expect(routed).toMatchObject({ provider: 'good', answers: [{ provider: 'bad', ...expected }, {}] });
    expect(failures).toEqual(answer instanceof RouteRejection ? [] : ['bad']);
  });

  it('aborts a provider that is too slow, and ignores its late answer', async () => {
    let fail = (): void => undefined;
    const late = new TestRoutes(
      'late',
      () => new Promise((_, reject) => (fail = () => reject(new Error('late')))),
    );
    const good = new TestRoutes('good', 99_500_000n);
    const routed = await routerOf([late, good], { timeoutMs: 30 }).quote(request);
    expect(routed.reason).toBe('good delivers 99.49 USDC after gas; late did not answer in time');
    expect(late.signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(good.signals.map(({ aborted }) => aborted)).toEqual([false]);
    fail();
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('skips a provider with an unknown gas cost', async () => {
    const odd = new TestRoutes('odd', quoteOf(200_000_000n, { gasUnits: 7n }));
    const router = routerOf([odd, new TestRoutes('good', 99_500_000n)], {
      gasCostInOutput: (_request, gasUnits) => {
        if (gasUnits === 7n) throw new RangeError('odd');
        return 0n;
      },
    });
    await expect(router.quote(request)).resolves.toMatchObject({ provider: 'good' });
  });
});

describe('without a quote', () => {
  const rejected = (...reasons: RejectionReason[]) =>
    reasons.map((reason, at) => new TestRoutes(`p${at}`, new RouteRejection(reason)));

  it.each<[RejectionReason[], RejectionReason]>([
    [['noRoute', 'noLiquidity', 'belowMinimum'], 'belowMinimum'],
    [['noRoute', 'noLiquidity'], 'noLiquidity'],
    [['noRoute', 'badRecipient'], 'badRecipient'],
    [['noRoute', 'priceMoved'], 'priceMoved'],
    [['noRoute'], 'noRoute'],
  ])('throws the most useful rejection of %j', async (reasons, expected) => {
    for (const all of [rejected(...reasons), rejected(...reasons).reverse()])
      await expect(routerOf(all).quote(request)).rejects.toMatchObject({
        name: 'RouteRejection',
        reason: expected,
      });
  });

  it('throws a rejection even if other providers were unavailable', async () => {
    const all = [new TestRoutes('down', failing('unavailable')), ...rejected('noLiquidity')];
    await expect(routerOf(all).quote(request)).rejects.toMatchObject({ reason: 'noLiquidity' });
  });

  it('throws a retryable error if no provider was available', async () => {
    const all = [new TestRoutes('down', failing('badReply')), new TestRoutes('slow', never)];
    await expect(routerOf(all, { timeoutMs: 30 }).quote(request)).rejects.toMatchObject({
      name: 'ProviderError',
      kind: 'unavailable',
      message: expect.stringContaining('down badReply, slow late'),
    });
  });

  it('throws noRoute if no provider serves the pair', async () => {
    const router = routerOf([new TestRoutes('a', 1n, false)]);
    await expect(router.quote({ ...request, from: bitcoin })).rejects.toMatchObject({ reason: 'noRoute' });
    expect(router.serves(bitcoin, arbUsdc)).toBe(false);
    await expect(routerOf([]).quote(request)).rejects.toMatchObject({ reason: 'noRoute' });
  });

  it('stops for an aborted call without logging a failure', async () => {
    const failures: string[] = [];
    const [slow, leaving] = [new TestRoutes('slow', never), new AbortController()];
    const quote = routerOf([slow], { onFailure: (provider) => failures.push(provider) }).quote(
      request,
      leaving.signal,
    );
    leaving.abort();
    await expect(quote).rejects.toMatchObject({ name: 'ProviderError', kind: 'unavailable' });
    expect(slow.signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(failures).toEqual([]);
  });
});

describe('last resort', () => {
  const last = () => new TestRoutes('last', 200_000_000n);

  it('does not call the last resort if another provider serves the pair', async () => {
    const lastResorts = [last()];
    await routerOf([new TestRoutes('a', 99_500_000n)], { lastResorts }).quote(request);
    const rejecting = routerOf([new TestRoutes('a', new RouteRejection('noLiquidity'))], { lastResorts });
    await expect(rejecting.quote(request)).rejects.toMatchObject({ reason: 'noLiquidity' });
    expect(lastResorts[0]!.signals).toEqual([]);
  });

  it('calls the last resort if no other provider serves the pair', async () => {
    const router = routerOf([new TestRoutes('a', 1n, false)], { lastResorts: [last()] });
    expect(router.serves(baseUsdc, arbUsdc)).toBe(true);
    await expect(router.quote(request)).resolves.toMatchObject({ provider: 'last' });
  });
});

it('finds a provider by its unique name', () => {
  const [a, b] = [new TestRoutes('a', 1n), new TestRoutes('b', 1n)];
  const router = routerOf([a], { lastResorts: [b] });
  expect([router.provider('a'), router.provider('b'), router.provider('c')]).toEqual([a, b, undefined]);
  expect(() => routerOf([a], { lastResorts: [new TestRoutes('a', 1n)] })).toThrow('the same name');
});

it('leaves no listener on a signal that outlives the quote', async () => {
  const signal = new AbortController().signal;
  const added = jest.spyOn(signal, 'addEventListener');
  const removed = jest.spyOn(signal, 'removeEventListener');
  await routerOf([new TestRoutes('a', 1n), new TestRoutes('b', 1n)]).quote(request, signal);
  expect(added).toHaveBeenCalledTimes(2);
  expect(removed).toHaveBeenCalledTimes(2);
});
