import { findChain, tokenKey } from '@tollbridge/chains';
import { isDecimalText } from '@tollbridge/money';
import { eventually } from '@tollbridge/testing';
import type {
  CommittedRoute,
  CrossChainRoutes,
  Deposit,
  RouteRequest,
  RouteStatus,
} from '@tollbridge/routing';

/** The routes of a provider, with a payer for deposits and a clock for deadlines. */
export interface RoutesHarness {
  routes: CrossChainRoutes;
  /** A supported route, far above its minimum amount, with a deadline in the future. */
  request: RouteRequest;
  /** Sends an amount to a deposit address. */
  fund(deposit: Deposit, amountAtomic: bigint): Promise<void>;
  /** Advances the time until the provider no longer expects a deposit at this address. */
  passDeadline(committed: CommittedRoute): Promise<void>;
  close(): Promise<void>;
}

const firstPriceAtMs = Date.parse('2020-01-01T00:00:00Z');

/** Conformance tests for every provider of cross-chain routes. */
export function describeCrossChainRoutes(provider: string, open: () => Promise<RoutesHarness>): void {
  describe(`cross-chain routes of ${provider}`, () => {
    let harness: RoutesHarness;
    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness?.close());

    testTokens(() => harness);
    testQuotes(() => harness);
    testCommitments(() => harness);
    testDeposits(() => harness);
  });
}

function testTokens(harness: () => RoutesHarness): void {
  it('lists tokens on chains of the registry, with their prices', async () => {
    const tokens = await harness().routes.tokens();
    expect(tokens.length).toBeGreaterThan(0);
    for (const { chain, symbol, decimals, priceUsd, pricedAt } of tokens) {
      expect(findChain(chain)?.id).toBe(chain);
      expect(symbol).not.toBe('');
      expect(Number.isInteger(decimals) && decimals >= 0 && decimals <= 36).toBe(true);
      expect(isDecimalText(priceUsd)).toBe(true);
      expect(pricedAt.getTime()).toBeGreaterThan(firstPriceAtMs);
    }
  });

  it('lists the tokens of the registry with the same decimals', async () => {
    const listed = await harness().routes.tokens();
    const shared = listed.flatMap(({ chain, address, decimals }) => {
      const known = findChain(chain)?.tokens.find(
        (token) => tokenKey(chain, token.address) === tokenKey(chain, address),
      );
      return known ? [{ token: tokenKey(chain, address), given: decimals, known: known.decimals }] : [];
    });
    expect(shared.length).toBeGreaterThan(0);
    expect(shared.filter(({ given, known }) => given !== known)).toEqual([]);
  });

  it('lists both tokens of a supported route', async () => {
    const { routes, request } = harness();
    const listed = (await routes.tokens()).map(({ chain, address }) => tokenKey(chain, address));
    for (const { chain, address } of [request.from, request.to])
      expect(listed).toContain(tokenKey(chain, address));
  });
}

function testQuotes(harness: () => RoutesHarness): void {
  it.each([1n, 3n, 1_000n])('quotes at least the requested output at %s times the amount', async (factor) => {
    const { routes, request } = harness();
    const amountOutAtomic = request.amountOutAtomic * factor + factor;
    const quote = await routes.quote({ ...request, amountOutAtomic });
    expect(quote.amountOutAtomic).toBeGreaterThanOrEqual(amountOutAtomic);
    expect(quote.amountInAtomic).toBeGreaterThan(0n);
    expect(quote.minAmountInAtomic).toBeLessThanOrEqual(quote.amountInAtomic);
    expect(Number.isInteger(quote.estimatedSeconds) && quote.estimatedSeconds >= 0).toBe(true);
  });

  it('rejects an unsupported token without creating a deposit address', async () => {
    const { routes, request } = harness();
    const from = { ...request.from, address: '0x00000000000000000000000000000000000000ff' };
    const rejection = { name: 'RouteRejection', reason: 'noRoute' };
    await expect(routes.quote({ ...request, from })).rejects.toMatchObject(rejection);
    await expect(routes.commit({ ...request, from })).rejects.toMatchObject(rejection);
  });

  it('rejects an amount below the minimum with the minimum', async () => {
    const { routes, request } = harness();
    const tiny = routes.quote({ ...request, amountOutAtomic: 1n });
    await expect(tiny).rejects.toMatchObject({ name: 'RouteRejection', reason: 'belowMinimum' });
  });
}

const textOf = ({ address, memo }: Deposit): string => `${address} ${memo}`;

function testCommitments(harness: () => RoutesHarness): void {
  it('commits to a new address each time, with at least the requested deadline', async () => {
    const { routes, request } = harness();
    const all = await Promise.all([1, 2, 3].map(() => routes.commit(request)));
    expect(new Set(all.map(({ deposit }) => textOf(deposit))).size).toBe(3);
    for (const committed of all) {
      expect(committed.deposit.address).not.toBe('');
      expect(committed.deadline.getTime()).toBeGreaterThanOrEqual(request.deadline.getTime());
      expect(committed.amountOutAtomic).toBeGreaterThanOrEqual(request.amountOutAtomic);
      expect(committed.minAmountInAtomic).toBeLessThanOrEqual(committed.amountInAtomic);
      expect(JSON.stringify(committed.signedQuote)).toContain(committed.deposit.address);
    }
  });
}

function testDeposits(harness: () => RoutesHarness): void {
  const reached = (deposit: Deposit, state: RouteStatus['state']): Promise<RouteStatus> =>
    eventually(async () => {
      const status = await harness().routes.status(deposit);
      expect(status).toMatchObject({ state });
      return status!;
    });

  it('returns no status for an unknown address', async () => {
    const unknown = { address: '0x00000000000000000000000000000000000000Ee', memo: null };
    await expect(harness().routes.status(unknown)).resolves.toBeUndefined();
  });

  it('delivers the requested output after a deposit', async () => {
    const { routes, request, fund } = harness();
    const { deposit, amountInAtomic } = await routes.commit(request);
    await expect(routes.status(deposit)).resolves.toMatchObject({ state: 'waiting', deliveryTxs: [] });
    await fund(deposit, amountInAtomic);
    const status = await reached(deposit, 'delivered');
    expect(status.amountOutAtomic).toBeGreaterThanOrEqual(request.amountOutAtomic);
    expect(status.deliveryTxs.length).toBeGreaterThan(0);
    expect(status.refundReason).toBeNull();
  });

  it('ignores the deposit of another order', async () => {
    const { routes, request, fund } = harness();
    const [paid, unpaid] = await Promise.all([routes.commit(request), routes.commit(request)]);
    await fund(paid.deposit, paid.amountInAtomic);
    await reached(paid.deposit, 'delivered');
    await expect(routes.status(unpaid.deposit)).resolves.toMatchObject({ state: 'waiting' });
  });

  it('refunds an incomplete deposit after the deadline', async () => {
    const { routes, request, fund, passDeadline } = harness();
    const committed = await routes.commit(request);
    const tooLittle = committed.minAmountInAtomic / 2n;
    await fund(committed.deposit, tooLittle);
    await reached(committed.deposit, 'incomplete');
    await passDeadline(committed);
    const status = await reached(committed.deposit, 'refunded');
    expect(status.refundReason).not.toBeNull();
    expect(status.refundedAtomic! > 0n && status.refundedAtomic! <= tooLittle).toBe(true);
    expect(status.deliveryTxs).toEqual([]);
  });
}
