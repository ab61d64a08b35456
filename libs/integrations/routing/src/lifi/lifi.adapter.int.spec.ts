import type { ProviderErrorKind } from '@tollbridge/http';
import { closedUrl, eventually, type HttpReply } from '@tollbridge/testing';
import { changed } from '../testing/hostile-values';
import { arbEther, arbUsdc, baseDai, baseEther, baseUsdc, bitcoin } from '../testing/route-tokens';
import type { Fields } from '../testing/scripted-across';
import { lifiError, quoteReply, ScriptedLiFi } from '../testing/scripted-lifi';
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
import { LiFi, type LiFiOptions } from './lifi.adapter';

const request = aSwapBuildRequest({ recipient, minAmountOutAtomic: 99_000_000n });
const ofCoin = {
  ...request,
  from: baseEther,
  to: arbEther,
  amountInAtomic: 10n ** 18n,
  minAmountOutAtomic: 1n,
};

let scripted: ScriptedLiFi;
let lifi: LiFi;
const lifiOf = (options: Partial<LiFiOptions> = {}) => new LiFi({ baseUrl: scripted.server.url, ...options });

beforeAll(async () => {
  scripted = await ScriptedLiFi.start();
});
afterAll(() => scripted.server.close());
beforeEach(() => {
  scripted.instead = undefined;
  scripted.rateBps = 10_000n;
  scripted.server.requests.length = 0;
  scripted.server.abandoned = 0;
  // A new adapter for each test, because a circuit breaker remembers failures.
  lifi = lifiOf();
});

/** Returns a changed reply. */
function answersWith(change: (reply: Fields) => unknown): void {
  scripted.instead = ({ query }) => ({ body: change(quoteReply(query)!) });
}

describe('requests', () => {
  const wire = {
    fromChain: '8453',
    fromToken: baseUsdc.address,
    fromAmount: '100000000',
    slippage: '0.005',
    toChain: '42161',
    toToken: arbUsdc.address,
  };

  it('requests a price without a user', async () => {
    await lifi.quote({ ...request, sender: null });
    const [query] = scripted.asked('/quote');
    const anyAddress = expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) as string;
    expect(query).toEqual({
      ...wire,
      fromAddress: anyAddress,
      toAddress: anyAddress,
      skipSimulation: 'true',
    });
    expect(scripted.server.requests[0]!.headers).not.toHaveProperty('x-lifi-api-key');
  });

  it("requests a user's price and transaction with the integrator's id", async () => {
    const own = lifiOf({ apiKey: 'key', integrator: 'shop' });
    await own.quote(request);
    await own.build(request);
    const asUser = { ...wire, fromAddress: sender, integrator: 'shop' };
    expect(scripted.asked('/quote')).toEqual([
      { ...asUser, toAddress: sender },
      { ...asUser, toAddress: recipient },
    ]);
    expect(scripted.server.requests[1]!.headers).toMatchObject({ 'x-lifi-api-key': 'key' });
  });

  it('encodes the native coin as the zero address', async () => {
    await lifi.build(ofCoin);
    expect(scripted.asked('/quote')[0]).toMatchObject({ fromToken: zeroAddress, toToken: zeroAddress });
  });

  it('requests a transfer by its transaction', async () => {
    await lifi.status({ from: baseUsdc, to: arbUsdc, recipient, txHash: hashOf(1) });
    const query = { txHash: hashOf(1), fromChain: '8453', toChain: '42161' };
    expect(scripted.asked('/status')).toEqual([query]);
  });
});

it('serves only production EVM chains', async () => {
  expect(lifi.serves(baseUsdc, arbUsdc)).toBe(true);
  expect(lifi.serves(baseUsdc, baseDai)).toBe(true);
  expect(lifi.serves({ ...baseUsdc, chain: 'eip155:43114' }, { ...baseUsdc, chain: 'bera' })).toBe(true);
  const same = { ...baseUsdc, address: baseUsdc.address!.toLowerCase() };
  for (const to of [
    same,
    { ...baseUsdc, chain: 'eip155:84532' },
    bitcoin,
    { ...arbUsdc, chain: 'nowhere' },
  ]) {
    expect(lifi.serves(baseUsdc, to)).toBe(false);
    expect(lifi.serves(to, baseUsdc)).toBe(false);
    const rejection = { name: 'RouteRejection', reason: 'noRoute' };
    await expect(lifi.quote({ ...request, to })).rejects.toMatchObject(rejection);
    await expect(lifi.build({ ...request, from: to, to: baseUsdc })).rejects.toMatchObject(rejection);
  }
  expect(scripted.server.requests).toEqual([]);
});

describe('a swap', () => {
  it('quotes a price and a minimum after slippage', async () => {
    await expect(lifi.quote(request)).resolves.toMatchObject({
      amountOutAtomic: 99_900_000n,
      minAmountOutAtomic: 99_400_500n,
      estimatedSeconds: 5,
      gasUnits: 300_000n,
      priceImpactBps: null,
      expiresAt: null,
      fees: [{ name: 'LIFI Fixed Fee', token: baseUsdc, amountAtomic: 25n, isIncluded: true }],
      steps: [{ type: 'bridge', venue: 'across', tokenIn: baseUsdc, tokenOut: arbUsdc }],
    });
  });

  it('quotes a single step for a swap on one chain', async () => {
    const { steps } = await lifi.quote({ ...request, to: baseDai });
    expect(steps).toMatchObject([{ type: 'originSwap', tokenIn: baseUsdc, tokenOut: baseDai }]);
  });

  it('builds a transaction with its spender', async () => {
    await expect(lifi.build(request)).resolves.toMatchObject({
      spender: swapContract,
      validUntil: null,
      transaction: { to: swapContract, data: callFor(recipient), valueAtomic: 0n, gasUnits: 300_000n },
    });
    await expect(lifi.build(ofCoin)).resolves.toMatchObject({
      spender: null,
      transaction: { valueAtomic: 10n ** 18n },
    });
  });

  it('keeps the minimum after a price fall by using less slippage', async () => {
    const { minAmountOutAtomic } = await lifi.quote(request);
    scripted.rateBps = 9_980n;
    const { quote } = await lifi.build({ ...request, minAmountOutAtomic });
    expect(quote.minAmountOutAtomic).toBeGreaterThanOrEqual(minAmountOutAtomic);
    expect(scripted.asked('/quote').map(({ slippage }) => slippage)).toEqual(['0.005', '0.005', '0.003']);
  });

  it('rejects a swap after a large price fall', async () => {
    const { minAmountOutAtomic } = await lifi.quote(request);
    scripted.rateBps = 9_940n;
    const rejection = { name: 'RouteRejection', reason: 'priceMoved' };
    await expect(lifi.build({ ...request, minAmountOutAtomic })).rejects.toMatchObject(rejection);
  });

  it('rejects an extra fee, because the user pays one amount of one token', async () => {
    answersWith((reply) => changed(reply, 'estimate.feeCosts.0.included', false));
    const rejection = { name: 'RouteRejection', reason: 'noRoute' };
    await expect(lifi.quote(request)).rejects.toMatchObject(rejection);
    await expect(lifi.build(request)).rejects.toMatchObject(rejection);
  });
});

describe('reply of the provider', () => {
  it.each<[string, (reply: Fields) => unknown]>([
    ['is text', () => 'no'],
    ['is a list', () => []],
    ['is empty', () => ''],
    ['has no transaction', (reply) => ({ ...reply, transactionRequest: undefined })],
    ['is of another sender', (reply) => changed(reply, 'action.fromAddress', swapContract)],
    ['is for another recipient', (reply) => changed(reply, 'action.toAddress', swapContract)],
    ['pays another', (reply) => changed(reply, 'transactionRequest.data', callFor(swapContract))],
    ['loses too much', (reply) => changed(reply, 'estimate.toAmountMin', '90000000')],
    ['spends another token', (reply) => changed(reply, 'action.fromToken', wireToken(baseDai))],
    ['delivers another token', (reply) => changed(reply, 'action.toToken', wireToken(baseUsdc))],
    ['takes more', (reply) => changed(reply, 'estimate.fromAmount', '100000001')],
    ['guarantees more than it expects', (reply) => changed(reply, 'estimate.toAmountMin', '99900001')],
    ['promises nothing', (reply) => changed(reply, 'estimate.toAmountMin', '0')],
    ['has a negative output', (reply) => changed(reply, 'estimate.toAmount', '-1')],
    ['is for another chain', (reply) => changed(reply, 'transactionRequest.chainId', 42161)],
    ['sends coin', (reply) => changed(reply, 'transactionRequest.value', '0x1')],
    ['calls the zero address', (reply) => changed(reply, 'transactionRequest.to', zeroAddress)],
    ['calls the token', (reply) => changed(reply, 'transactionRequest.to', baseUsdc.address)],
    ['calls no function', (reply) => changed(reply, 'transactionRequest.data', '0x')],
    [
      'returns the zero address as the spender',
      (reply) => changed(reply, 'estimate.approvalAddress', zeroAddress),
    ],
    ['has no steps', (reply) => ({ ...reply, includedSteps: [] })],
    ['stays on its chain', (reply) => changed(reply, 'includedSteps.1.type', 'swap')],
    ['never arrives', (reply) => changed(reply, 'estimate.executionDuration', 1e300)],
  ])('rejects a reply that %s', async (_case, change) => {
    answersWith(change);
    const badReply = { name: 'ProviderError', kind: 'badReply' };
    await expect(lifi.quote(request)).rejects.toMatchObject(badReply);
    await expect(lifi.build(request)).rejects.toMatchObject(badReply);
  });

  it('rejects a transaction that sends fewer native coins than the input', async () => {
    answersWith((reply) => changed(reply, 'transactionRequest.value', '0x1'));
    await expect(lifi.build(ofCoin)).rejects.toMatchObject({ kind: 'badReply' });
  });

  it('rejects a reply without the recipient if it differs from the sender', async () => {
    answersWith((reply) => changed(reply, 'action.toAddress', undefined));
    await expect(lifi.build(request)).rejects.toMatchObject({ kind: 'badReply' });
    await expect(lifi.build({ ...request, recipient: sender })).resolves.toBeDefined();
  });

  it('rejects the status of another transfer', async () => {
    scripted.instead = () => ({ body: { status: 'PENDING', sending: { txHash: hashOf(9) } } });
    const query = { from: baseUsdc, to: arbUsdc, recipient, txHash: hashOf(1) };
    await expect(lifi.status(query)).rejects.toMatchObject({ kind: 'badReply' });
  });
});

describe('failures', () => {
  it.each<[string, HttpReply, ProviderErrorKind]>([
    ['a bad key', { status: 401, body: { message: 'Unauthorized', code: 1010 } }, 'rejected'],
    ['a wrong address', { status: 404, body: '<html>' }, 'rejected'],
    ['our mistake', { status: 400, body: { message: 'fromAmount', code: 1011 } }, 'rejected'],
    ['too many requests', { status: 429, body: { code: 1005 } }, 'rateLimited'],
    ['an error of the provider', { status: 500, body: { code: 1006 } }, 'unavailable'],
    ['an error of one of its tools', lifiError(1008, undefined, 424), 'unavailable'],
    ['a truncated answer', { half: '{"action":' }, 'unavailable'],
    ['an answer that is not JSON', { body: '<html>' }, 'badReply'],
  ])('maps a failure to its error kind: %s', async (_case, reply, kind) => {
    scripted.instead = () => reply;
    await expect(lifi.quote(request)).rejects.toMatchObject({ name: 'ProviderError', kind });
    await expect(lifi.build(request)).rejects.toMatchObject({ name: 'ProviderError', kind });
  });

  it('maps failures to rejections', async () => {
    await expect(lifi.quote({ ...request, amountInAtomic: 10n })).rejects.toMatchObject({
      name: 'RouteRejection',
      reason: 'belowMinimum',
    });
    const unknown = { ...request, from: { ...baseUsdc, address: swapContract } };
    await expect(lifi.quote(unknown)).rejects.toMatchObject({ reason: 'noRoute' });
    scripted.instead = () => lifiError(1002, 'INSUFFICIENT_LIQUIDITY');
    await expect(lifi.build(request)).rejects.toMatchObject({ reason: 'noLiquidity' });
  });

  it('reports an unknown transaction as pending', async () => {
    const query = { from: baseUsdc, to: arbUsdc, recipient, txHash: hashOf(1) };
    await expect(lifi.status(query)).resolves.toMatchObject({ state: 'pending' });
    scripted.instead = () => lifiError(1003);
    await expect(lifi.status(query)).resolves.toMatchObject({ state: 'pending' });
    scripted.instead = () => ({ status: 500 });
    await expect(lifi.status(query)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('throws unavailable without a server', async () => {
    const closed = lifiOf({ baseUrl: await closedUrl() });
    await expect(closed.quote(request)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('ends when the caller aborts', async () => {
    scripted.instead = () => ({ silent: true });
    const leaving = new AbortController();
    const calls = [lifi.quote(request, leaving.signal), lifi.build(request, leaving.signal)];
    const all = Promise.all(calls.map((call) => expect(call).rejects.toMatchObject({ kind: 'unavailable' })));
    await eventually(() => expect(scripted.server.requests).toHaveLength(2));
    leaving.abort();
    await all;
    await eventually(() => expect(scripted.server.abandoned).toBe(2));
  });

  it('builds swaps while price requests fail', async () => {
    scripted.instead = ({ query }) => (query.has('skipSimulation') ? { status: 500 } : undefined);
    const price = { ...request, sender: null };
    await Promise.all(Array.from({ length: 40 }, () => lifi.quote(price).catch((error: Error) => error)));
    const before = scripted.server.requests.length;
    await expect(lifi.quote(price)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(scripted.server.requests).toHaveLength(before);
    await expect(lifi.build(request)).resolves.toBeDefined();
  });
});
