import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { closedUrl, eventually, startHttpServer, type HttpReply, type HttpServer } from '@tollbridge/testing';
import { httpSender } from './http-sender';
import { ProviderClient, type ProviderClientOptions } from './provider-client';
import { OversizedReply, ProviderError } from './provider-error';
import type { ProviderRequest } from './provider-request';

const key = 'secret-key-1234567890';
const read: ProviderRequest = { method: 'GET', path: '/thing' };
const purchase: ProviderRequest = { method: 'POST', path: '/buy', body: { id: 1 }, changesSomething: true };

let server: HttpServer;
let reply: HttpReply;

beforeAll(async () => {
  server = await startHttpServer(() => reply);
});
afterAll(() => server.close());
beforeEach(() => {
  reply = { body: { fine: true } };
  server.requests.length = 0;
  server.abandoned = 0;
});
afterEach(() => jest.restoreAllMocks());

function clientOf(options: Partial<ProviderClientOptions> = {}): ProviderClient {
  const headers = { 'x-api-key': key };
  return new ProviderClient({ provider: 'shop', baseUrl: server.url, headers, timeoutMs: 5_000, ...options });
}

async function failureOf(call: Promise<unknown>): Promise<ProviderError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
}

describe('ProviderClient.request', () => {
  it('sends the method, path, query, headers and a JSON body', async () => {
    const query = { a: 'x y', list: ['1', '2'], left: undefined };
    const sent = clientOf().request({ ...purchase, query, headers: { 'x-more': 'm' } });
    await expect(sent).resolves.toEqual({ fine: true });
    const [seen] = server.requests;
    expect(seen).toMatchObject({ method: 'POST', path: '/buy', body: '{"id":1}' });
    expect(seen!.query.toString()).toBe('a=x+y&list=1&list=2');
    expect(seen!.headers).toMatchObject({
      'x-api-key': key,
      'x-more': 'm',
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'tollbridge',
    });
  });

  it.each([
    ['appends the path to the path of the base URL', '/v1/', '/thing', '/v1/thing', ''],
    ['sends the query of the base URL', '/rpc?key=k', '', '/rpc', 'key=k'],
    ['requests the base URL itself for an empty path', '/rpc/', '', '/rpc/', ''],
  ])('%s', async (_name, base, path, seenPath, seenQuery) => {
    await clientOf({ baseUrl: server.url + base }).request({ method: 'GET', path });
    expect(server.requests[0]).toMatchObject({ path: seenPath });
    expect(server.requests[0]!.query.toString()).toBe(seenQuery);
  });

  it('returns undefined for an empty reply', async () => {
    reply = { status: 204 };
    await expect(clientOf().request(read)).resolves.toBeUndefined();
  });

  it('parses the reply with parseJson, so that large numbers stay exact', async () => {
    reply = { body: '18446744073709551615' };
    const parseJson = (text: string) => BigInt(text);
    await expect(clientOf({ parseJson }).request(read)).resolves.toBe(18446744073709551615n);
  });

  it('sends a form with escaped values', async () => {
    const form = { To: '+15005550006', Body: 'a&b=c ü\n', StatusCallback: undefined };
    await clientOf().request({ method: 'POST', path: '/messages', form });
    const [seen] = server.requests;
    expect(seen!.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect([...new URLSearchParams(seen!.body)]).toEqual([
      ['To', '+15005550006'],
      ['Body', 'a&b=c ü\n'],
    ]);
  });

  it('returns the reply unchanged with replyAs text', async () => {
    const text = { ...read, replyAs: 'text' } as const;
    reply = { body: 'STATUS_OK:12:34' };
    await expect(clientOf().request(text)).resolves.toBe('STATUS_OK:12:34');
    reply = { body: '12' };
    await expect(clientOf().request(text)).resolves.toBe('12');
    reply = { body: '' };
    await expect(clientOf().request(text)).resolves.toBe('');
    expect(server.requests[0]!.headers.accept).toBe('text/plain, */*');
  });

  it('limits the size of a text reply', async () => {
    reply = { body: 'x'.repeat(2_000) };
    const call = clientOf({ maxReplyBytes: 1_000 }).request({ ...read, replyAs: 'text' });
    expect((await failureOf(call)).kind).toBe('badReply');
  });

  it('rejects a request with a longer reply than it allows, without opening the circuit', async () => {
    const client = clientOf();
    reply = { body: { long: 'x'.repeat(2_000) } };
    for (let call = 0; call < 6; call++)
      expect(await failureOf(client.request({ ...read, maxReplyBytes: 1_000 }))).toBeInstanceOf(
        OversizedReply,
      );
    await expect(client.request(read)).resolves.toEqual({ long: 'x'.repeat(2_000) });
    const bought = client.request({ ...purchase, maxReplyBytes: 1_000 });
    expect((await failureOf(bought)).kind).toBe('unknownOutcome');
  });

  it('throws a TypeError for a body that is not JSON, and sends nothing', async () => {
    await expect(clientOf().request({ ...purchase, body: 1n })).rejects.toThrow(TypeError);
    expect(server.requests).toHaveLength(0);
  });
});

// The second kind is the expected error of a purchase, because a lost reply may hide a success.
describe.each<[string, HttpReply, ProviderError['kind'], ProviderError['kind'], string]>([
  ['400', { status: 400, body: { why: 1 } }, 'rejected', 'rejected', 'answered 400'],
  ['404', { status: 404, body: 'no' }, 'rejected', 'rejected', 'answered 404'],
  ['408', { status: 408 }, 'unavailable', 'unknownOutcome', 'answered 408'],
  ['429', { status: 429 }, 'rateLimited', 'rateLimited', 'answered 429'],
  ['500', { status: 500, body: 'oops' }, 'unavailable', 'unknownOutcome', 'answered 500'],
  ['503', { status: 503 }, 'unavailable', 'unknownOutcome', 'answered 503'],
  ['no JSON', { body: '<html>' }, 'badReply', 'unknownOutcome', 'the reply is not JSON'],
  ['a truncated reply', { half: '{"a":' }, 'unavailable', 'unknownOutcome', 'connection failed (ECONNRESET)'],
  ['a large reply', { body: 'x'.repeat(2_000) }, 'badReply', 'unknownOutcome', 'the reply is too large'],
  [
    'a small gzip of a large reply',
    { headers: { 'content-encoding': 'gzip' }, body: gzipSync('x'.repeat(100_000)) },
    'badReply',
    'unknownOutcome',
    'the reply is too large',
  ],
  ['no reply', { silent: true }, 'unavailable', 'unknownOutcome', 'no answer within 1000 ms'],
  ['an unfinished reply', { begun: '{"a"' }, 'unavailable', 'unknownOutcome', 'no answer within 1000 ms'],
  [
    'a redirect',
    { status: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' } },
    'unavailable',
    'unknownOutcome',
    'connection failed (unknown)',
  ],
])('ProviderClient, on %s', (_name, given, kindOfRead, kindOfPurchase, message) => {
  // The time-out is short only for replies that never end.
  const isSilent = 'silent' in given || 'begun' in given;
  const limits = { timeoutMs: isSilent ? 1_000 : 5_000, maxReplyBytes: 1_000 };

  it(`throws ${kindOfRead} for a read request`, async () => {
    reply = given;
    const error = await failureOf(clientOf(limits).request(read));
    expect(error).toMatchObject({ kind: kindOfRead, message: `shop: ${message}`, provider: 'shop' });
    expect(server.requests).toHaveLength(1);
  });

  it(`throws ${kindOfPurchase} for a purchase`, async () => {
    reply = given;
    expect((await failureOf(clientOf(limits).request(purchase))).kind).toBe(kindOfPurchase);
  });

  it('omits the key and the URL from the error', async () => {
    reply = given;
    const error = await failureOf(clientOf(limits).request(read));
    const shown = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    expect(shown).not.toContain(key);
    expect(shown).not.toContain(server.url);
  });
});

describe('ProviderError', () => {
  it('permits a retry when no connection was made', async () => {
    const client = clientOf({ baseUrl: await closedUrl() });
    const error = await failureOf(client.request(purchase));
    expect(error).toMatchObject({ kind: 'unavailable', message: 'shop: connection failed (ECONNREFUSED)' });
    expect(error.mayBeRepeated).toBe(true);
  });

  it('exposes the body and headers of the reply to the adapter, but not to logs', async () => {
    reply = { status: 422, headers: { 'payment-required': 'much' }, body: { code: 'TOO_SMALL' } };
    const error = await failureOf(clientOf().request(read));
    expect(error).toMatchObject({ status: 422, body: { code: 'TOO_SMALL' } });
    expect(error.headers!.get('payment-required')).toBe('much');
    expect(JSON.stringify(error)).not.toMatch(/TOO_SMALL|much/);
    expect(Object.keys(error)).toEqual(['provider', 'name', 'kind', 'status', 'retryAfterMs']);
  });

  it.each([
    ['7', 7_000],
    ['99999999', 600_000],
    ['soon', undefined],
    ['-5', undefined],
  ])('reads Retry-After %s as %s ms', async (header, waitMs) => {
    reply = { status: 429, headers: { 'retry-after': header } };
    expect((await failureOf(clientOf().request(read))).retryAfterMs).toBe(waitMs);
  });

  it('reads a date in Retry-After', async () => {
    reply = { status: 429, headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() } };
    const { retryAfterMs } = await failureOf(clientOf().request(read));
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });
});

describe('ProviderClient when the caller aborts', () => {
  it.each<[string, HttpReply]>([
    ['before the reply', { silent: true }],
    ['during the reply', { begun: '{' }],
  ])('ends the exchange immediately %s', async (_name, given) => {
    reply = given;
    const leave = new AbortController();
    const call = failureOf(clientOf().request({ ...read, signal: leave.signal }));
    await eventually(() => expect(server.requests).toHaveLength(1));
    leave.abort();
    expect(await call).toMatchObject({ kind: 'unavailable', message: 'shop: the caller gave up waiting' });
    await eventually(() => expect(server.abandoned).toBe(1));
  });

  it('throws unknownOutcome for a purchase that was sent', async () => {
    reply = { silent: true };
    const leave = new AbortController();
    const call = failureOf(clientOf().request({ ...purchase, signal: leave.signal }));
    await eventually(() => expect(server.requests).toHaveLength(1));
    leave.abort();
    expect((await call).kind).toBe('unknownOutcome');
  });

  it('sends nothing when the signal is already aborted', async () => {
    const call = clientOf().request({ ...purchase, signal: AbortSignal.abort() });
    expect((await failureOf(call)).kind).toBe('unavailable');
    expect(server.requests).toHaveLength(0);
  });

  it('removes a queued call immediately', async () => {
    reply = { silent: true };
    const client = clientOf({ maxConcurrent: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const running = failureOf(client.request({ ...read, signal: first.signal }));
    const waiting = failureOf(client.request({ ...purchase, signal: second.signal }));
    await eventually(() => expect(server.requests).toHaveLength(1));
    second.abort();
    expect((await waiting).kind).toBe('unavailable');
    first.abort();
    await running;
    expect(server.requests).toHaveLength(1);
  });

  it('does not count the abort for the circuit breaker', async () => {
    const client = clientOf();
    for (let call = 0; call < 10; call += 1) {
      reply = { silent: true };
      const leave = new AbortController();
      const left = failureOf(client.request({ ...read, signal: leave.signal }));
      await eventually(() => expect(server.requests).toHaveLength(call + 1));
      leave.abort();
      await left;
    }
    reply = { body: 1 };
    await expect(client.request(read)).resolves.toBe(1);
  });
});

describe('ProviderClient with too many calls', () => {
  it('queues calls, and rejects more when the queue is full', async () => {
    let release = (): void => undefined;
    const released = new Promise<HttpReply>((resolve) => (release = () => resolve({ body: 1 })));
    const before = server.answer;
    server.answer = () => released;
    const client = clientOf({ maxConcurrent: 2 });
    // Two calls run, eight wait in the queue, and the eleventh is rejected.
    const calls = Array.from({ length: 10 }, () => client.request(read));
    expect(await failureOf(client.request(read))).toMatchObject({
      kind: 'unavailable',
      message: 'shop: has more calls waiting than it can answer',
    });
    await eventually(() => expect(server.requests).toHaveLength(2));
    release();
    await expect(Promise.all(calls)).resolves.toHaveLength(10);
    server.answer = before;
  });
});

describe('ProviderClient with a queued call', () => {
  it('fails the call at its time-out, and does not send it afterwards', async () => {
    let release = (): void => undefined;
    const released = new Promise<HttpReply>((resolve) => (release = () => resolve({ body: 1 })));
    const before = server.answer;
    server.answer = () => released;
    const client = clientOf({ maxConcurrent: 1 });
    const running = client.request(read);
    await eventually(() => expect(server.requests).toHaveLength(1));
    const late = await failureOf(client.request({ ...purchase, timeoutMs: 50 }));
    expect(late).toMatchObject({ kind: 'unavailable', message: 'shop: still queued after 50 ms' });
    release();
    await running;
    server.answer = before;
    await expect(client.request(read)).resolves.toEqual({ fine: true });
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it('waits for the reply only for the rest of the time-out', async () => {
    reply = { silent: true };
    const client = clientOf({ maxConcurrent: 1 });
    const begunMs = performance.now();
    const calls = [read, purchase].map((it) => failureOf(client.request({ ...it, timeoutMs: 2_000 })));
    const [first] = await Promise.all(calls);
    expect(first!.message).toBe('shop: no answer within 2000 ms');
    expect(performance.now() - begunMs).toBeLessThan(3_900);
  });
});

describe('ProviderClient when the network fails', () => {
  const way = (syscall: string, code = 'EHOSTUNREACH') =>
    Object.assign(new Error(syscall), { code, syscall });
  it.each<[string, unknown, ProviderError['kind']]>([
    ['throws unavailable for a purchase when connecting fails', way('connect'), 'unavailable'],
    ['throws unknownOutcome for a purchase when reading fails', way('read'), 'unknownOutcome'],
    [
      'throws unknownOutcome for a purchase when writing fails',
      way('write', 'ENETUNREACH'),
      'unknownOutcome',
    ],
    [
      'throws unavailable for a purchase when connecting to all addresses fails',
      Object.assign(new AggregateError([way('connect'), way('connect')]), { code: 'EHOSTUNREACH' }),
      'unavailable',
    ],
  ])('%s', async (_case, cause, kind) => {
    const client = clientOf({ fetch: () => Promise.reject(new TypeError('fetch failed', { cause })) });
    expect((await failureOf(client.request(purchase))).kind).toBe(kind);
  });
});

describe('ProviderClient with replies', () => {
  const body = JSON.stringify({ word: 'ü'.repeat(10_000) });
  it.each([
    ['gzip', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
    ['identity', Buffer.from(body)],
  ])('decodes the encoding %s', async (encoding, bytes) => {
    reply = { headers: { 'content-encoding': encoding }, body: bytes };
    await expect(clientOf().request(read)).resolves.toEqual(JSON.parse(body));
    expect(server.requests[0]!.headers['accept-encoding']).toContain('gzip');
  });

  it('throws unknownOutcome when a compressed body is truncated', async () => {
    reply = { headers: { 'content-encoding': 'gzip' }, body: gzipSync(body).subarray(0, 30) };
    expect((await failureOf(clientOf().request(purchase))).kind).toBe('unknownOutcome');
  });

  it('reuses its connection', async () => {
    const client = clientOf();
    for (let call = 0; call < 3; call++) await client.request(read);
    expect(server.requests.map(({ headers }) => headers.connection)).toEqual(Array(3).fill('keep-alive'));
  });
});

describe('httpSender', () => {
  it('fails as unavailable when no connection is made in time', async () => {
    // The server accepts the connection, but never answers the TLS handshake.
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const baseUrl = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const error = await failureOf(clientOf({ baseUrl, fetch: httpSender(100) }).request(purchase));
    expect(error).toMatchObject({
      kind: 'unavailable',
      message: 'shop: connection failed (CONNECT_TIMEOUT)',
    });
    mute.close();
  });
});

describe('ProviderClient circuit breaker', () => {
  const failing = { status: 500 };

  async function fail(client: ProviderClient, times: number): Promise<void> {
    reply = failing;
    for (let call = 0; call < times; call += 1) await failureOf(client.request(read));
  }

  it('opens after five failures at any interval, and sends no more requests', async () => {
    const client = clientOf();
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now');
    for (let call = 0; call < 5; call += 1) {
      clock.mockReturnValue(start + call * 60_000);
      await fail(client, 1);
    }
    expect(await failureOf(client.request(read))).toMatchObject({
      kind: 'unavailable',
      message: 'shop: has failed often, and its circuit is open for some seconds',
    });
    expect(server.requests).toHaveLength(5);
  });

  it('sends one trial call after 5 s, and closes when it succeeds', async () => {
    const client = clientOf();
    await fail(client, 5);
    const later = Date.now() + 5_000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    reply = { body: 1 };
    await expect(Promise.all([client.request(read), client.request(read)])).resolves.toEqual([1, 1]);
    // Failures from before the circuit closed do not count.
    await fail(client, 2);
    reply = { body: 2 };
    await expect(client.request(read)).resolves.toBe(2);
  });

  it('stays open when the trial call fails', async () => {
    const client = clientOf();
    await fail(client, 5);
    const later = Date.now() + 5_000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    await fail(client, 1);
    await failureOf(client.request(read));
    expect(server.requests).toHaveLength(6);
  });

  it('does not count a rejection as a failure', async () => {
    const client = clientOf();
    reply = { status: 404 };
    for (let call = 0; call < 10; call += 1) await failureOf(client.request(read));
    await fail(client, 9);
    reply = { body: 1 };
    await expect(client.request(read)).resolves.toBe(1);
  });
});
