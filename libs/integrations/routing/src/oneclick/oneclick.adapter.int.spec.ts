import type { ProviderErrorKind } from '@tollbridge/http';
import { closedUrl, eventually, type HttpReply, type SeenRequest } from '@tollbridge/testing';
import { aRouteRequest } from '../testing/route-request.builder';
import { bitcoin, lumen, tether, usdc } from '../testing/route-tokens';
import {
  quoteReply,
  ScriptedOneClick,
  signed,
  testPublicKey,
  wireTokens,
} from '../testing/scripted-oneclick';
import { AssetIds } from './asset-ids';
import { OneClick, type OneClickOptions } from './oneclick.adapter';
import { readTokens } from './oneclick.wire';

type Fields = Record<string, unknown>;

const deadline = new Date('2026-11-20T14:00:00.000Z');
const request = aRouteRequest({ deadline });

let scripted: ScriptedOneClick;
let routes: OneClick;
const routesOf = (options: Partial<OneClickOptions> = {}) =>
  new OneClick({ baseUrl: scripted.server.url, publicKey: testPublicKey, ...options });

beforeAll(async () => {
  scripted = await ScriptedOneClick.start();
});
afterAll(() => scripted.server.close());
beforeEach(() => {
  scripted.instead = undefined;
  scripted.server.requests.length = 0;
  scripted.server.abandoned = 0;
  // A new adapter for each test, because a circuit breaker remembers failures.
  routes = routesOf();
});

/** Replaces the replies to quotes. Other requests receive their usual replies. */
function quotesAs(answer: (body: Fields) => HttpReply): void {
  scripted.instead = ({ path, body }) =>
    path === '/v0/quote' ? answer(JSON.parse(body) as Fields) : undefined;
}

describe('requests', () => {
  const wire = {
    swapType: 'EXACT_OUTPUT',
    slippageTolerance: 50,
    originAsset: wireTokens[1]!.assetId,
    depositType: 'ORIGIN_CHAIN',
    depositMode: 'SIMPLE',
    destinationAsset: wireTokens[0]!.assetId,
    amount: '1000000',
    refundTo: 'bc1qpayer',
    refundType: 'ORIGIN_CHAIN',
    recipient: '0xmerchant',
    recipientType: 'DESTINATION_CHAIN',
    deadline: '2026-11-20T14:00:00.000Z',
    quoteWaitingTimeMs: 1_000,
  };
  const sent = () => JSON.parse(scripted.asked('/v0/quote')[0]!.body) as unknown;

  it('requests a dry quote', async () => {
    await routes.quote(request);
    expect(sent()).toEqual({ dry: true, ...wire });
    expect(scripted.asked('/v0/quote')[0]).toMatchObject({
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
    });
    expect(scripted.asked('/v0/quote')[0]!.headers).not.toHaveProperty('x-api-key');
  });

  it('requests a deposit address with the fee added', async () => {
    await routesOf({ apiKey: 'jwt' }).commit({ ...request, fee: { account: 'fees.near', bps: 25 } });
    expect(sent()).toEqual({ dry: false, ...wire, appFees: [{ recipient: 'fees.near', fee: 25 }] });
    expect(scripted.asked('/v0/quote')[0]!.headers).toMatchObject({ 'x-api-key': 'jwt' });
  });

  it('requests a memo on chains with shared addresses', async () => {
    const committed = await routes.commit({ ...request, from: lumen });
    expect(sent()).toMatchObject({ depositMode: 'MEMO', originAsset: wireTokens[2]!.assetId });
    expect(committed.deposit.memo).toMatch(/^memo/);
  });

  it('submits and reads a deposit by address and memo', async () => {
    scripted.instead = () => ({ body: {} });
    await routes.submitDeposit({ address: 'a', memo: 'm' }, '0xhash');
    await routes.submitDeposit({ address: 'a', memo: null }, '0xhash');
    expect(scripted.asked('/v0/deposit/submit').map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { txHash: '0xhash', depositAddress: 'a', memo: 'm' },
      { txHash: '0xhash', depositAddress: 'a' },
    ]);
    scripted.instead = () => ({ body: { status: 'PROCESSING' } });
    await routes.status({ address: 'a&b', memo: 'm' });
    await routes.status({ address: 'a', memo: null });
    expect(scripted.asked('/v0/status').map(({ query }) => Object.fromEntries(query))).toEqual([
      { depositAddress: 'a&b', depositMemo: 'm' },
      { depositAddress: 'a' },
    ]);
  });
});

describe('commitment', () => {
  type Reply = ReturnType<typeof quoteReply>;
  const changed: [string, (reply: Reply) => object, string][] = [
    ['that is not signed', (reply) => reply, 'not signed'],
    [
      'that was changed after it was signed',
      (reply) => {
        const { signature } = signed(reply);
        return { ...reply, signature, quote: { ...reply.quote, depositAddress: 'thief' } };
      },
      'not signed',
    ],
    ...[
      'recipient',
      'refundTo',
      'originAsset',
      'destinationAsset',
      'amount',
      'swapType',
      'recipientType',
      'refundType',
    ].map((name): [string, (reply: Reply) => object, string] => [
      `of another ${name}`,
      (reply) => signed({ ...reply, quoteRequest: { ...reply.quoteRequest, [name]: 'other' } }),
      `quoteRequest.${name}`,
    ]),
    [
      'that is dry',
      (reply) => signed({ ...reply, quoteRequest: { ...reply.quoteRequest, dry: true } }),
      'dry',
    ],
    ...(
      [
        ['that delivers too little', { amountOut: '999999' }, 'below'],
        ['that costs nothing', { amountIn: '0', minAmountIn: '0' }, 'amountIn is 0'],
        ['with a minimum above the amount', { minAmountIn: '1000001' }, 'minAmountIn'],
        ['without an address', { depositAddress: undefined }, 'depositAddress'],
        ['without a deadline', { deadline: undefined }, 'deadline'],
        ['without a price', { amountIn: undefined }, 'amountIn'],
      ] as const
    ).map(([name, quote, message]): [string, (reply: Reply) => object, string] => [
      name,
      (reply) => signed({ ...reply, quote: { ...reply.quote, ...quote } }),
      message,
    ]),
    ['without a request', (reply) => ({ ...reply, quoteRequest: undefined }), 'quoteRequest'],
    ['without a quote', (reply) => ({ ...reply, quote: undefined }), 'signed'],
    ['that is a list', () => [], 'not an object'],
  ];
  it.each(changed)('throws an unknown outcome for a reply %s', async (_case, change, message) => {
    quotesAs((body) => ({ status: 201, body: change(quoteReply(body)) }));
    await expect(routes.commit(request)).rejects.toMatchObject({
      name: 'ProviderError',
      kind: 'unknownOutcome',
      message: expect.stringContaining(message),
    });
  });

  it('throws an unknown outcome for a reply without a memo on a chain with shared addresses', async () => {
    quotesAs((body) => {
      const reply = quoteReply(body);
      return { body: signed({ ...reply, quote: { ...reply.quote, depositMemo: '' } }) };
    });
    const call = routes.commit({ ...request, from: lumen });
    await expect(call).rejects.toMatchObject({
      kind: 'unknownOutcome',
      message: expect.stringContaining('memo'),
    });
  });

  it('throws an unknown outcome for a reply that another key signed', async () => {
    await expect(routesOf({ publicKey: 'ed25519:1' }).commit(request)).rejects.toMatchObject({
      kind: 'unknownOutcome',
    });
  });
});

it.each<[string, object]>([
  ['delivers too little', { amountOut: '999999' }],
  ['costs nothing', { amountIn: '0' }],
  ['has no price', { amountIn: null }],
  ['never arrives', { timeEstimate: 1e300 }],
])('rejects a price that %s', async (_case, quote) => {
  quotesAs((body) => ({ body: { ...quoteReply(body), quote: { ...quoteReply(body).quote, ...quote } } }));
  await expect(routes.quote(request)).rejects.toMatchObject({ kind: 'badReply' });
});

describe('failures', () => {
  const failing: [string, HttpReply, ProviderErrorKind, ProviderErrorKind][] = [
    ['a bad key', { status: 401, body: { message: 'Unauthorized' } }, 'rejected', 'rejected'],
    [
      'an error of the provider with 400',
      { status: 400, body: { message: 'Internal server error' } },
      'unavailable',
      'unavailable',
    ],
    ['an error of the provider', { status: 500, body: { message: 'x' } }, 'unavailable', 'unknownOutcome'],
    ['a gateway', { status: 521, body: '<html>' }, 'unavailable', 'unknownOutcome'],
    ['a truncated answer', { half: '{"quote":' }, 'unavailable', 'unknownOutcome'],
    ['an answer that is not JSON', { body: '<html>' }, 'badReply', 'unknownOutcome'],
    ['an empty answer', { body: '' }, 'badReply', 'unknownOutcome'],
  ];
  it.each(failing)(
    'maps a failure to the error kinds of quote and commit: %s',
    async (_case, reply, ofQuote, ofCommit) => {
      quotesAs(() => reply);
      await expect(routes.quote(request)).rejects.toMatchObject({ name: 'ProviderError', kind: ofQuote });
      await expect(routes.commit(request)).rejects.toMatchObject({ name: 'ProviderError', kind: ofCommit });
    },
  );

  it('reports Retry-After of a rate limit', async () => {
    quotesAs(() => ({ status: 429, headers: { 'retry-after': '7' }, body: {} }));
    const expected = { kind: 'rateLimited', retryAfterMs: 7_000 };
    await expect(routes.quote(request)).rejects.toMatchObject(expected);
    await expect(routes.commit(request)).rejects.toMatchObject(expected);
  });

  it('returns no status for an unknown address, and throws other failures', async () => {
    await expect(routes.status({ address: 'x', memo: null })).resolves.toBeUndefined();
    scripted.instead = () => ({ status: 500 });
    await expect(routes.status({ address: 'x', memo: null })).rejects.toMatchObject({ kind: 'unavailable' });
    scripted.instead = () => ({ body: { status: 5 } });
    await expect(routes.status({ address: 'x', memo: null })).rejects.toMatchObject({ kind: 'badReply' });
  });

  it('throws unavailable for an aborted price, and an unknown outcome for an aborted commitment', async () => {
    await routes.quote(request);
    quotesAs(() => ({ silent: true }));
    const [quoting, committing] = [new AbortController(), new AbortController()];
    const quote = routes.quote(request, quoting.signal);
    const commit = routes.commit(request, committing.signal);
    const both = Promise.all([
      expect(quote).rejects.toMatchObject({ kind: 'unavailable' }),
      expect(commit).rejects.toMatchObject({ kind: 'unknownOutcome' }),
    ]);
    await eventually(() => expect(scripted.asked('/v0/quote')).toHaveLength(3));
    quoting.abort();
    committing.abort();
    await both;
    await eventually(() => expect(scripted.server.abandoned).toBe(2));
  });

  it('throws unavailable for a late price, and an unknown outcome for a late commitment', async () => {
    const timeout = (_url: string, init: RequestInit) =>
      Promise.reject(Object.assign(new Error('timed out'), { code: 'UND_ERR_HEADERS_TIMEOUT', init }));
    const lateOnly = (url: string, init: RequestInit) =>
      url.endsWith('/v0/tokens') ? fetch(url, init) : timeout(url, init);
    const late = routesOf({ fetch: lateOnly });
    await expect(late.quote(request)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(late.commit(request)).rejects.toMatchObject({ kind: 'unknownOutcome' });
  });
});

describe('token list', () => {
  it('reads the list once for all callers and caches it', async () => {
    await Promise.all(Array.from({ length: 20 }, () => routes.quote(request)));
    await routes.commit(request);
    expect(scripted.asked('/v0/tokens')).toHaveLength(1);
  });

  it('throws noRoute without a request if the list lacks a token', async () => {
    const rejection = { name: 'RouteRejection', reason: 'noRoute' };
    await expect(routes.quote({ ...request, to: tether })).rejects.toMatchObject(rejection);
    await expect(routes.commit({ ...request, from: tether })).rejects.toMatchObject(rejection);
    expect(scripted.asked('/v0/quote')).toEqual([]);
  });

  it('throws noRoute for a token with other decimals', async () => {
    const rejection = { name: 'RouteRejection', reason: 'noRoute' };
    const to = { ...usdc, decimals: usdc.decimals + 1 };
    await expect(routes.quote({ ...request, to })).rejects.toMatchObject(rejection);
  });

  it('finds a token by its address in any letter case', async () => {
    const to = { ...usdc, address: usdc.address!.toLowerCase() };
    await expect(routes.quote({ ...request, to })).resolves.toBeDefined();
  });

  it.each([
    ['is not JSON', '<html>', 'badReply'],
    ['has no readable row', [{}], 'badReply'],
  ])('fails without creating an address for a list that %s', async (_case, body, kind) => {
    scripted.instead = ({ path }: SeenRequest) => (path === '/v0/tokens' ? { body } : undefined);
    await expect(routes.quote(request)).rejects.toMatchObject({ kind });
    await expect(routes.commit(request)).rejects.toMatchObject({ kind });
    expect(scripted.asked('/v0/quote')).toEqual([]);
  });

  it('fails the price when the list fails to load, and retries', async () => {
    scripted.instead = () => ({ status: 503 });
    await expect(routes.quote(request)).rejects.toMatchObject({ kind: 'unavailable' });
    scripted.instead = undefined;
    await expect(routes.quote(request)).resolves.toBeDefined();
    await expect(routesOf({ baseUrl: await closedUrl() }).commit(request)).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  it('skips a chain with the name of an object property', async () => {
    const rows = ['constructor', '__proto__', 'toString'].map((blockchain) => ({
      ...wireTokens[0],
      blockchain,
    }));
    scripted.instead = ({ path }) => (path === '/v0/tokens' ? { body: [...rows, ...wireTokens] } : undefined);
    await expect(routes.quote(request)).resolves.toBeDefined();
    await expect(routes.tokens()).resolves.toHaveLength(3);
  });

  it('uses the first of two rows of one token', async () => {
    const again = { ...wireTokens[0], assetId: 'nep141:trap' };
    scripted.instead = ({ path }) => (path === '/v0/tokens' ? { body: [...wireTokens, again] } : undefined);
    await routes.quote(request);
    const body = JSON.parse(scripted.asked('/v0/quote')[0]!.body) as Fields;
    expect(body['destinationAsset']).toBe(wireTokens[0]!.assetId);
  });

  it('stops only for the caller that aborts', async () => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    scripted.instead = ({ path }) =>
      path === '/v0/tokens' ? held.then(() => ({ body: wireTokens })) : undefined;
    const leaving = new AbortController();
    const left = routes.quote(request, leaving.signal);
    const stays = routes.quote(request);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ name: 'ProviderError', kind: 'unavailable' });
    await expect(routes.quote(request, AbortSignal.abort())).rejects.toMatchObject({ kind: 'unavailable' });
    answer();
    await expect(stays).resolves.toBeDefined();
    expect(scripted.asked('/v0/tokens')).toHaveLength(1);
  });
});

describe('outdated token list', () => {
  const patience = { timeoutMs: 1_000, signal: undefined };
  let nowMs: number;
  let readings: { answer: (rows: unknown[]) => void; fail: () => void }[];
  const open = () =>
    new AssetIds(
      'oneclick',
      () =>
        new Promise((resolve, reject) => {
          const answer = (rows: unknown[]) => resolve(readTokens(rows));
          readings.push({ answer, fail: () => reject(new Error('down')) });
        }),
      () => nowMs,
    );
  beforeEach(() => {
    nowMs = 1_000;
    readings = [];
  });

  const opened = async (): Promise<AssetIds> => {
    const ids = open();
    const first = ids.of([bitcoin], patience);
    readings[0]!.answer(wireTokens);
    await first;
    return ids;
  };

  it('uses the outdated list during a refresh and after a failed one', async () => {
    const ids = await opened();
    nowMs += 60_001;
    await expect(ids.of([bitcoin, tether], patience)).resolves.toEqual([wireTokens[1]!.assetId, undefined]);
    expect(readings).toHaveLength(2);
    readings[1]!.fail();
    await expect(ids.of([bitcoin], patience)).resolves.toEqual([wireTokens[1]!.assetId]);
  });

  it('does not refresh again immediately after a failure', async () => {
    const ids = await opened();
    nowMs += 60_001;
    await ids.of([bitcoin], patience);
    readings[1]!.fail();
    for (let call = 0; call < 100; call += 1) await ids.of([bitcoin], patience);
    expect(readings).toHaveLength(2);
    nowMs += 60_001;
    await ids.of([bitcoin], patience);
    expect(readings).toHaveLength(3);
  });

  it('replaces the list with a newer one', async () => {
    const ids = await opened();
    nowMs += 60_001;
    await ids.of([bitcoin], patience);
    readings[1]!.answer([{ ...wireTokens[1], assetId: 'nep141:newer' }]);
    await eventually(async () => expect(await ids.of([bitcoin], patience)).toEqual(['nep141:newer']));
  });

  it('waits for the list no longer than the remaining time', async () => {
    const call = open().of([bitcoin], { timeoutMs: 1, signal: undefined });
    await expect(call).rejects.toMatchObject({ name: 'ProviderError', kind: 'unavailable' });
  });
});

it('commits while price requests fail', async () => {
  quotesAs((body) => (body['dry'] ? { status: 500, body: {} } : { body: signed(quoteReply(body)) }));
  const prices = Array.from({ length: 40 }, () => routes.quote(request).catch((error: Error) => error));
  const outcomes = await Promise.all(prices);
  expect(outcomes.every((outcome) => outcome instanceof Error)).toBe(true);
  // The circuit of price requests is open now, but orders still work.
  const asked = scripted.asked('/v0/quote').length;
  await expect(routes.quote(request)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(scripted.asked('/v0/quote')).toHaveLength(asked);
  await expect(routes.commit(request)).resolves.toMatchObject({ amountOutAtomic: request.amountOutAtomic });
});
