import { eventually } from '@tollbridge/testing';
import type {
  BuiltSwap,
  RouteToken,
  SwapBuildRequest,
  SwapQuote,
  SwapRequest,
  SwapRoutes,
  SwapStepType,
} from '@tollbridge/routing';

/** A provider of swaps, with a supported pair. */
export interface SwapHarness {
  routes: SwapRoutes;
  /** A supported swap, far above the minimum amount and far below the liquidity. */
  request: SwapBuildRequest;
  /** Another account on the chain of `to`. */
  otherRecipient: string;
  /**
   * The sender approves and sends the built swap. Resolves when it is mined, with the transaction and the recipient's
   * increase in the output token. Omitted if the provider has no chain.
   */
  send?(request: SwapBuildRequest, built: BuiltSwap): Promise<SentSwap>;
  close(): Promise<void>;
}

export interface SentSwap {
  txHash: string;
  receivedAtomic(): Promise<bigint>;
}

/** A chain that is not supported for transactions of swap users. */
const foreign: RouteToken = { chain: 'btc', symbol: 'BTC', address: null, decimals: 8 };
const unknownTx = `0x${'5e'.repeat(32)}`;
const placeOf: Record<SwapStepType, number> = { originSwap: 0, bridge: 1, destinationSwap: 2 };

/** Conformance tests for every provider of swaps. */
export function describeSwapRoutes(provider: string, open: () => Promise<SwapHarness>): void {
  describe(`swaps of ${provider}`, () => {
    let harness: SwapHarness;
    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness?.close());

    testPairs(() => harness);
    testQuotes(() => harness);
    testBuilds(() => harness);
    testLeaving(() => harness);
    testStatus(() => harness);
  });
}

/** Tests that a sent swap delivers the promised output. The provider needs a chain. */
export function describeSentSwaps(provider: string, open: () => Promise<Required<SwapHarness>>): void {
  describe(`sent swaps of ${provider}`, () => {
    let harness: Required<SwapHarness>;
    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness?.close());

    it.each(['the sender', 'another'])('deliver at least the minimum to %s', async (who) => {
      const { routes, send } = harness;
      const recipient = who === 'another' ? harness.otherRecipient : harness.request.sender;
      const request = { ...(await promisedBy(harness)), recipient };
      const { from, to } = request;
      const { txHash, receivedAtomic } = await send(request, await routes.build(request));
      const status = await eventually(async () => {
        const found = await routes.status({ from, to, recipient, txHash });
        expect(found).toMatchObject({ state: 'delivered', refundTxHash: null, reason: null });
        return found;
      });
      expect(status.deliveryTxHash).toMatch(/^0x[0-9a-f]{64}$/);
      if (from.chain === to.chain) expect(status.deliveryTxHash).toBe(txHash.toLowerCase());
      expect(await receivedAtomic()).toBeGreaterThanOrEqual(request.minAmountOutAtomic);
    });
  });
}

/** The harness's swap, with the minimum output of a fresh quote. */
async function promisedBy({ routes, request }: SwapHarness): Promise<SwapBuildRequest> {
  const { minAmountOutAtomic } = await routes.quote(request);
  return { ...request, minAmountOutAtomic, deadline: new Date(Date.now() + 1_200_000) };
}

const rejection = (reason: string) => ({ name: 'RouteRejection', reason });

function testPairs(harness: () => SwapHarness): void {
  it('supports its pair, and no chain of another family', () => {
    const { routes, request } = harness();
    expect(routes.name).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(routes.serves(request.from, request.to)).toBe(true);
    expect(routes.serves(foreign, request.to)).toBe(false);
    expect(routes.serves(request.from, foreign)).toBe(false);
    expect(routes.serves(request.from, request.from)).toBe(false);
  });

  it('rejects unsupported tokens and chains', async () => {
    const { routes, request } = harness();
    for (const wrong of [
      { ...request, from: foreign },
      { ...request, to: foreign },
    ]) {
      await expect(routes.quote(wrong)).rejects.toMatchObject(rejection('noRoute'));
      await expect(routes.build(wrong)).rejects.toMatchObject(rejection('noRoute'));
    }
  });

  it('rejects a token without a contract', async () => {
    const { routes, request } = harness();
    const from = { ...request.from, address: '0x000000000000000000000000000000000000fa4e' };
    await expect(routes.quote({ ...request, from })).rejects.toMatchObject({ name: 'RouteRejection' });
    await expect(routes.build({ ...request, from })).rejects.toMatchObject({ name: 'RouteRejection' });
  });
}

const keyOf = ({ chain, address }: RouteToken): string => `${chain} ${address?.toLowerCase()}`;

/** Checks that apply to every quote, of a price or of a built swap. */
function expectSound(quote: SwapQuote, { from, to, amountInAtomic }: SwapRequest): void {
  expect(quote.minAmountOutAtomic).toBeGreaterThan(0n);
  expect(quote.amountOutAtomic).toBeGreaterThanOrEqual(quote.minAmountOutAtomic);
  expect(quote.gasUnits).toBeGreaterThan(0n);
  expect(Number.isInteger(quote.estimatedSeconds) && quote.estimatedSeconds >= 0).toBe(true);
  if (quote.expiresAt) expect(quote.expiresAt.getTime()).toBeGreaterThan(Date.now());
  for (const fee of quote.fees) {
    expect(fee.amountAtomic).toBeGreaterThan(0n);
    expect(fee.name).not.toBe('');
  }
  const { steps } = quote;
  expect(steps.length).toBeGreaterThan(0);
  // The steps lead from the input token to the output token. The output of a step is the input of the next step.
  const places = steps.map(({ type }) => placeOf[type]);
  expect(places).toEqual([...new Set(places)].sort());
  expect([keyOf(from), ...steps.map(({ tokenOut }) => keyOf(tokenOut))]).toEqual([
    ...steps.map(({ tokenIn }) => keyOf(tokenIn)),
    keyOf(to),
  ]);
  expect(steps[0]!.amountInAtomic).toBeLessThanOrEqual(amountInAtomic);
  for (const { type, venue, tokenIn, tokenOut, amountInAtomic, amountOutAtomic } of steps) {
    expect(venue).not.toBe('');
    expect(amountInAtomic > 0n && amountOutAtomic > 0n).toBe(true);
    expect(tokenIn.chain !== tokenOut.chain).toBe(type === 'bridge');
  }
}

function testQuotes(harness: () => SwapHarness): void {
  it.each(['no sender', 'a sender'])('quotes with %s', async (kind) => {
    const { routes, request } = harness();
    const asked = { ...request, sender: kind === 'no sender' ? null : request.sender };
    expectSound(await routes.quote(asked), asked);
  });

  it('returns more output for more input', async () => {
    const { routes, request } = harness();
    const half = await routes.quote({ ...request, amountInAtomic: request.amountInAtomic / 2n });
    const whole = await routes.quote(request);
    expect(whole.amountOutAtomic).toBeGreaterThan(half.amountOutAtomic);
  });

  it('guarantees no larger minimum output with a larger slippage', async () => {
    const { routes, request } = harness();
    const [small, large] = [10, 300].map((slippageBps) => routes.quote({ ...request, slippageBps }));
    expect((await large!).minAmountOutAtomic).toBeLessThan((await small!).minAmountOutAtomic);
  });

  it('returns equal quotes for concurrent equal requests', async () => {
    const { routes, request } = harness();
    const quotes = await Promise.all([1, 2, 3, 4].map(() => routes.quote(request)));
    for (const quote of quotes) expectSound(quote, request);
  });
}

function testBuilds(harness: () => SwapHarness): void {
  const expectCall = ({ spender, transaction }: BuiltSwap, { from, amountInAtomic }: SwapRequest): void => {
    const isCoin = from.address === null;
    expect(transaction.to).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(transaction.data).toMatch(/^0x([0-9a-f]{2}){4,}$/);
    expect(transaction.valueAtomic).toBe(isCoin ? amountInAtomic : 0n);
    if (isCoin) expect(spender).toBeNull();
    else expect(spender).toMatch(/^0x[0-9a-fA-F]{40}$/);
    if (transaction.gasUnits !== null) expect(transaction.gasUnits).toBeGreaterThan(0n);
  };

  it.each(['the sender', 'another'])('builds the quoted swap for %s with the quoted minimum', async (who) => {
    const { routes, otherRecipient } = harness();
    const promised = await promisedBy(harness());
    const request = { ...promised, recipient: who === 'another' ? otherRecipient : promised.sender };
    const built = await routes.build(request);
    expectSound(built.quote, request);
    expectCall(built, request);
    expect(built.quote.minAmountOutAtomic).toBeGreaterThanOrEqual(request.minAmountOutAtomic);
    if (built.validUntil) expect(built.validUntil.getTime()).toBeGreaterThan(Date.now());
  });

  it('builds the same quote repeatedly', async () => {
    const { routes } = harness();
    const request = await promisedBy(harness());
    for (const built of await Promise.all([1, 2, 3].map(() => routes.build(request)))) {
      expectCall(built, request);
      expect(built.quote.minAmountOutAtomic).toBeGreaterThanOrEqual(request.minAmountOutAtomic);
    }
  });

  it('rejects an unreachable minimum output', async () => {
    const { routes } = harness();
    const request = await promisedBy(harness());
    const minAmountOutAtomic = request.minAmountOutAtomic * 2n;
    const build = routes.build({ ...request, minAmountOutAtomic });
    await expect(build).rejects.toMatchObject(rejection('priceMoved'));
  });
}

function testLeaving(harness: () => SwapHarness): void {
  it('rejects when the caller aborts', async () => {
    const { routes, request } = harness();
    const gone = AbortSignal.abort();
    await expect(routes.quote(request, gone)).rejects.toThrow();
    await expect(routes.build(request, gone)).rejects.toThrow();
    const leaving = new AbortController();
    const quote = routes.quote(request, leaving.signal);
    leaving.abort();
    await expect(quote).rejects.toThrow();
    // The abort has no other effect.
    await expect(routes.quote(request)).resolves.toBeDefined();
  });
}

function testStatus(harness: () => SwapHarness): void {
  it('reports an unknown transaction as pending', async () => {
    const { routes, request } = harness();
    const { from, to, recipient } = request;
    const status = await routes.status({ from, to, recipient, txHash: unknownTx });
    // On one chain, a mined swap is already delivered; the status needs no provider.
    const isKnown = from.chain === to.chain && status.state === 'delivered';
    expect(status).toEqual({
      state: isKnown ? 'delivered' : 'pending',
      refundTxHash: null,
      reason: null,
      deliveryTxHash: isKnown ? unknownTx : null,
    });
  });
}
