import type { ProviderErrorKind } from '@tollbridge/http';
import { closedUrl, eventually, type HttpReply } from '@tollbridge/testing';
import { changed } from '../testing/hostile-values';
import { arbDai, arbEther, arbUsdc, baseDai, baseEther, baseUsdc, bitcoin } from '../testing/route-tokens';
import { acrossError, approvalReply, ScriptedAcross, type Fields } from '../testing/scripted-across';
import {
  callFor,
  hashOf,
  recipient,
  sender,
  swapContract,
  wireToken,
  zeroAddress,
} from '../testing/scripted-swaps';
import { aSwapBuildRequest } from '../testing/swap-request.builder';
import { Across, type AcrossOptions } from './across.adapter';

const request = aSwapBuildRequest({ minAmountOutAtomic: 99_000_000n });
const withSwaps = { ...request, from: baseDai, to: arbDai, amountInAtomic: 100n * 10n ** 18n };

let scripted: ScriptedAcross;
let across: Across;
const acrossOf = (options: Partial<AcrossOptions> = {}) =>
  new Across({ baseUrl: scripted.server.url, ...options });

beforeAll(async () => {
  scripted = await ScriptedAcross.start();
});
afterAll(() => scripted.server.close());
beforeEach(() => {
  scripted.instead = undefined;
  scripted.rateBps = 10_000n;
  scripted.server.requests.length = 0;
  scripted.server.abandoned = 0;
  // A new adapter for each test, because a circuit breaker remembers failures.
  across = acrossOf();
});

/** Returns a changed reply. */
function answersWith(change: (reply: Fields) => unknown): void {
  scripted.instead = ({ query }) => ({ body: change(approvalReply(query)!) });
}

describe('requests', () => {
  const wire = {
    tradeType: 'exactInput',
    amount: '100000000',
    slippage: '0.005',
    inputToken: baseUsdc.address,
    originChainId: '8453',
    outputToken: arbUsdc.address,
    destinationChainId: '42161',
  };
  const asked = () => scripted.asked('/swap/approval');

  it('requests a price without a user', async () => {
    await across.quote({ ...request, sender: null });
    const [query] = asked();
    expect(query).toEqual({
      ...wire,
      depositor: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      skipOriginTxEstimation: 'true',
      skipChecks: 'true',
    });
    expect(query!['depositor']).not.toBe(zeroAddress);
    expect(scripted.server.requests[0]!.headers).not.toHaveProperty('authorization');
  });

  it("requests a user's price and transaction with the integrator's id", async () => {
    const own = acrossOf({ apiKey: 'key', integratorId: '0xdead' });
    await own.quote(request);
    await own.build(request);
    const expected = { ...wire, depositor: sender, integratorId: '0xdead' };
    expect(asked()).toEqual([expected, expected]);
    expect(scripted.server.requests[1]!.headers).toMatchObject({ authorization: 'Bearer key' });
  });

  it('includes a recipient that differs from the sender', async () => {
    await across.build({ ...request, recipient });
    await across.build({ ...request, recipient: sender.toLowerCase() });
    expect(asked().map((query) => query['recipient'])).toEqual([recipient, undefined]);
  });

  it('encodes the native coin as the zero address', async () => {
    await across.build({
      ...request,
      from: baseEther,
      to: arbEther,
      amountInAtomic: 10n ** 18n,
      minAmountOutAtomic: 1n,
    });
    expect(asked()[0]).toMatchObject({ inputToken: zeroAddress, outputToken: zeroAddress });
  });

  it('requests a deposit by its transaction', async () => {
    await across.status({ from: baseUsdc, to: arbUsdc, recipient, txHash: hashOf(1) });
    expect(scripted.asked('/deposit/status')).toEqual([{ depositTxnRef: hashOf(1) }]);
  });
});

describe('price', () => {
  it('promises the output less the slippage, although the bridge is exact', async () => {
    await expect(across.quote(request)).resolves.toMatchObject({
      amountOutAtomic: 99_900_000n,
      minAmountOutAtomic: 99_400_500n,
      estimatedSeconds: 2,
      gasUnits: 94_310n,
      priceImpactBps: null,
      expiresAt: expect.any(Date),
      fees: [{ name: 'Bridge fee', token: baseUsdc, amountAtomic: 100_000n, isIncluded: true }],
    });
  });

  it('assumes typical gas if the transaction cannot be simulated', async () => {
    const plain = await across.quote({ ...request, sender: null });
    const swapping = await across.quote({ ...withSwaps, sender: null });
    expect(plain.gasUnits).toBeGreaterThan(100_000n);
    expect(swapping.gasUnits).toBeGreaterThan(plain.gasUnits);
  });
});

it('serves only pairs of different supported chains', async () => {
  const sepolia = { ...baseUsdc, chain: 'eip155:84532' };
  const avalanche = { ...baseUsdc, chain: 'eip155:43114' };
  expect(across.serves(baseUsdc, arbUsdc)).toBe(true);
  for (const to of [baseDai, baseUsdc, sepolia, avalanche, bitcoin, { ...arbUsdc, chain: 'nowhere' }]) {
    expect(across.serves(baseUsdc, to)).toBe(false);
    expect(across.serves(to, baseUsdc)).toBe(false);
    const rejection = { name: 'RouteRejection', reason: 'noRoute' };
    await expect(across.quote({ ...request, to })).rejects.toMatchObject(rejection);
    await expect(across.build({ ...request, from: to, to: baseUsdc })).rejects.toMatchObject(rejection);
  }
  expect(scripted.server.requests).toEqual([]);
});

describe('transaction', () => {
  it('builds a transaction with its spender and expiry', async () => {
    await expect(across.build(request)).resolves.toMatchObject({
      spender: swapContract,
      transaction: { to: swapContract, data: callFor(sender), valueAtomic: 0n, gasUnits: 94_310n },
      quote: { minAmountOutAtomic: 99_900_000n },
      validUntil: expect.any(Date),
    });
    answersWith((reply) => ({ ...reply, quoteExpiryTimestamp: 0 }));
    await expect(across.build(request)).resolves.toMatchObject({ validUntil: null });
  });

  it('keeps the minimum after a price fall by using less slippage', async () => {
    const { minAmountOutAtomic } = await across.quote(withSwaps);
    scripted.rateBps = 9_980n;
    const { quote } = await across.build({ ...withSwaps, minAmountOutAtomic });
    expect(quote.minAmountOutAtomic).toBeGreaterThanOrEqual(minAmountOutAtomic);
    expect(scripted.asked('/swap/approval').map(({ slippage }) => slippage)).toEqual([
      '0.005',
      '0.005',
      '0.003',
    ]);
  });

  it.each([
    ['a bridge', request],
    ['swaps', withSwaps],
  ])('rejects a transaction by %s after a large price fall', async (_case, one) => {
    const { minAmountOutAtomic } = await across.quote(one);
    scripted.rateBps = 9_940n;
    const rejection = { name: 'RouteRejection', reason: 'priceMoved' };
    await expect(across.build({ ...one, minAmountOutAtomic })).rejects.toMatchObject(rejection);
  });
});

describe('reply of the provider', () => {
  const other = wireToken(arbDai);
  it.each<[string, (reply: Fields) => unknown]>([
    ['is text', () => 'no'],
    ['is a list', () => []],
    ['is empty', () => ''],
    ['has no transaction', (reply) => ({ ...reply, swapTx: undefined })],
    ['pays another', (reply) => changed(reply, 'swapTx.data', callFor(swapContract))],
    ['loses too much', (reply) => ({ ...reply, minOutputAmount: '90000000' })],
    ['spends another token', (reply) => ({ ...reply, inputToken: other })],
    ['delivers another token', (reply) => ({ ...reply, outputToken: other })],
    ['takes more', (reply) => ({ ...reply, inputAmount: '100000001' })],
    ['guarantees more than it expects', (reply) => ({ ...reply, minOutputAmount: '99900001' })],
    ['delivers nothing', (reply) => ({ ...reply, expectedOutputAmount: '0', minOutputAmount: '0' })],
    ['delivers less than nothing', (reply) => ({ ...reply, expectedOutputAmount: '-1' })],
    ['is for another chain', (reply) => changed(reply, 'swapTx.chainId', 42161)],
    ['sends coin', (reply) => changed(reply, 'swapTx.value', '1')],
    ['calls the zero address', (reply) => changed(reply, 'swapTx.to', zeroAddress)],
    ['calls the token', (reply) => changed(reply, 'swapTx.to', baseUsdc.address)],
    ['calls no function', (reply) => changed(reply, 'swapTx.data', '0x')],
    [
      'returns the zero address as the spender',
      (reply) => changed(reply, 'checks.allowance.spender', zeroAddress),
    ],
    ['returns a spender that is not an address', (reply) => changed(reply, 'checks.allowance.spender', 'me')],
    ['has a gap between its steps', (reply) => changed(reply, 'steps.bridge.tokenIn', wireToken(baseDai))],
    ['never arrives', (reply) => ({ ...reply, expectedFillTime: 1e300 })],
  ])('rejects a reply that %s', async (_case, change) => {
    answersWith(change);
    const badReply = { name: 'ProviderError', kind: 'badReply' };
    await expect(across.quote(request)).rejects.toMatchObject(badReply);
    await expect(across.build(request)).rejects.toMatchObject(badReply);
  });

  it('rejects a transaction that sends fewer native coins than the input', async () => {
    answersWith((reply) => changed(reply, 'swapTx.value', '1'));
    const ofCoin = { ...request, from: baseEther, to: arbEther, amountInAtomic: 10n ** 18n };
    await expect(across.build(ofCoin)).rejects.toMatchObject({ kind: 'badReply' });
  });

  it('rejects the status of another deposit', async () => {
    scripted.instead = () => ({
      body: { status: 'filled', depositTxnRef: hashOf(9), fillTxnRef: hashOf(2) },
    });
    const query = { from: baseUsdc, to: arbUsdc, recipient, txHash: hashOf(1) };
    await expect(across.status(query)).rejects.toMatchObject({ kind: 'badReply' });
  });
});

describe('failures', () => {
  it.each<[string, HttpReply, ProviderErrorKind]>([
    ['a bad key', { status: 401, body: { message: 'Unauthorized' } }, 'rejected'],
    ['a wrong address', { status: 404, body: '<html>' }, 'rejected'],
    ['our mistake', acrossError('MISSING_PARAM'), 'rejected'],
    ['too many requests', { status: 429, body: {} }, 'rateLimited'],
    ['an error of the provider', acrossError('UNEXPECTED_ERROR', 500), 'unavailable'],
    ['an error of the provider with 400', acrossError('UPSTREAM_RPC_ERROR'), 'unavailable'],
    ['a gateway', { status: 504, body: '<html>' }, 'unavailable'],
    ['a truncated answer', { half: '{"steps":' }, 'unavailable'],
    ['an answer that is not JSON', { body: '<html>' }, 'badReply'],
  ])('maps a failure to its error kind: %s', async (_case, reply, kind) => {
    scripted.instead = () => reply;
    await expect(across.quote(request)).rejects.toMatchObject({ name: 'ProviderError', kind });
    await expect(across.build(request)).rejects.toMatchObject({ name: 'ProviderError', kind });
  });

  it('maps failures to rejections', async () => {
    const tiny = { ...request, amountInAtomic: 10n };
    await expect(across.quote(tiny)).rejects.toMatchObject({ reason: 'belowMinimum' });
    const unknown = { ...request, from: { ...baseUsdc, address: swapContract } };
    await expect(across.quote(unknown)).rejects.toMatchObject({ reason: 'noRoute' });
    scripted.instead = () => acrossError('INVALID_PARAM', 400, { param: 'recipient' });
    await expect(across.build(request)).rejects.toMatchObject({ reason: 'badRecipient' });
  });

  it('throws unavailable without a server', async () => {
    const closed = acrossOf({ baseUrl: await closedUrl() });
    await expect(closed.quote(request)).rejects.toMatchObject({ kind: 'unavailable' });
    const query = { from: baseUsdc, to: arbUsdc, recipient, txHash: hashOf(1) };
    await expect(closed.status(query)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('ends when the caller aborts', async () => {
    scripted.instead = () => ({ silent: true });
    const leaving = new AbortController();
    const calls = [
      across.quote(request, leaving.signal),
      across.build(request, leaving.signal),
      across.status({ from: baseUsdc, to: arbUsdc, recipient, txHash: hashOf(1) }, leaving.signal),
    ];
    const all = Promise.all(calls.map((call) => expect(call).rejects.toMatchObject({ kind: 'unavailable' })));
    await eventually(() => expect(scripted.server.requests).toHaveLength(3));
    leaving.abort();
    await all;
    await eventually(() => expect(scripted.server.abandoned).toBe(3));
  });

  it('builds swaps while price requests fail', async () => {
    scripted.instead = ({ query }) => (query.has('skipChecks') ? { status: 500 } : undefined);
    const price = { ...request, sender: null };
    await Promise.all(Array.from({ length: 40 }, () => across.quote(price).catch((error: Error) => error)));
    const before = scripted.server.requests.length;
    await expect(across.quote(price)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(scripted.server.requests).toHaveLength(before);
    await expect(across.build(request)).resolves.toBeDefined();
  });
});
