import {
  ApiError,
  ClientError,
  createClient,
  createOrder,
  getOrder,
  getSettings,
  listCheckoutOptions,
  listEmailMessages,
  quoteSwap,
  replaceSettings,
  revokeSession,
  toResult,
  TollbridgeError,
  type Client,
  type ClientOptions,
  type CreateOrderInput,
  type ListCheckoutOptionsInput,
} from '.';
import { failure, hangUp, json, TestServer, type Answer } from './testing/test-server';

let server: TestServer;
let client: Client;
const clientWith = (options: ClientOptions = {}): Client => createClient({ baseUrl: server.url, ...options });

beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());
beforeEach(() => {
  client = clientWith();
  // Records delays instead of waiting.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => jest.restoreAllMocks());

const order = { pay_token: 'USDC', merchant_amount: '1000000' } as CreateOrderInput;
const created = { order_id: 'order-1' };
const errorOf = async (call: Promise<unknown>): Promise<TollbridgeError> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TollbridgeError);
  return error as TollbridgeError;
};
const never: Answer = () => undefined;

describe('a request', () => {
  it('contains by default the body from the input, an idempotency key and no credentials', async () => {
    server.answer(json(created));
    expect(await createOrder(client, order)).toEqual(created);
    const [{ method, url, headers, body }] = server.seen as [(typeof server.seen)[0]];
    expect([method, url, JSON.parse(body)]).toEqual(['POST', '/api/v1/pay/create-order', order]);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    for (const name of ['authorization', 'x-api-key', 'x-wallet', 'cookie'])
      expect(headers).not.toHaveProperty(name);
  });

  it('contains fields in the path, the query and headers', async () => {
    server.answer(json({ messages: [] }));
    await getOrder(client, { id: 'a/b?c#d é' });
    await listEmailMessages(client, { token: 'secret-token', page: 2 });
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/api/v1/pay/order/a%2Fb%3Fc%23d%20%C3%A9',
      '/email/messages?page=2',
    ]);
    expect(server.seen[1]!.headers['x-email-token']).toBe('secret-token');
    expect(server.seen[0]!.headers['idempotency-key']).toBeUndefined();
  });

  it.each(['', '.', '..', undefined])(
    'rejects %j as part of a path, because it would lead to another route',
    async (id) => {
      server.answer(json({}));
      const error = await errorOf(revokeSession(clientWith({ wallet: '0x1' }), { id: id as string }));
      expect([error.code, error.operation, server.seen.length]).toEqual([
        'INVALID_ARGUMENT',
        'revokeSession',
        0,
      ]);
    },
  );

  it('omits undefined fields', async () => {
    server.answer(json({}));
    await getOrder(client, { id: 'x', nothing: undefined } as never);
    expect(server.seen[0]!.url).toBe('/api/v1/pay/order/x');
  });

  it.each<[string, ClientOptions, Record<string, string | undefined>]>([
    ['an API key', { apiKey: 'tb_test_sk_1' }, { authorization: 'Bearer tb_test_sk_1' }],
    [
      'a key that a function returns',
      { apiKey: async () => 'tb_test_sk_2' },
      { authorization: 'Bearer tb_test_sk_2' },
    ],
    [
      'a session and its wallet',
      { sessionToken: 'tb_test_ws_1', wallet: '0xabc' },
      { authorization: 'Bearer tb_test_ws_1', 'x-wallet': '0xabc' },
    ],
    [
      'a key beside a session',
      { sessionToken: 'tb_test_ws_1', apiKey: 'tb_test_sk_1', wallet: '0xabc' },
      { authorization: 'Bearer tb_test_ws_1', 'x-api-key': 'tb_test_sk_1', 'x-wallet': '0xabc' },
    ],
    ['more headers', { headers: { traceparent: '00-1' } }, { traceparent: '00-1' }],
  ])('carries %s', async (_case, options, headers) => {
    server.answer(json({}));
    await getSettings(clientWith(options));
    expect(server.seen[0]!.headers).toMatchObject(headers);
  });

  it('sends the wallet only for operations that accept it', async () => {
    server.answer(json({}));
    await getOrder(clientWith({ wallet: '0xabc' }), { id: 'x' });
    expect(server.seen[0]!.headers['x-wallet']).toBeUndefined();
  });

  it('sends a header once, regardless of its spelling', async () => {
    server.answer(json({}));
    await getSettings(clientWith({ apiKey: 'a', headers: { Authorization: 'Bearer b' } }), {
      headers: { AUTHORIZATION: 'Bearer c' },
    });
    expect(server.seen[0]!.headers.authorization).toBe('Bearer c');
  });

  it('rejects a bigint in the input, and reports the expected type', async () => {
    const error = await errorOf(createOrder(client, { ...order, merchant_amount: 1n as unknown as string }));
    expect([error.code, error.message]).toEqual([
      'INVALID_ARGUMENT',
      expect.stringContaining('String(toAtomic'),
    ]);
  });

  it('keeps a path of the base URL', async () => {
    server.answer(json({}));
    await getOrder(clientWith({ baseUrl: `${server.url}/pay//` }), { id: 'x' });
    expect(server.seen[0]!.url).toBe('/pay/api/v1/pay/order/x');
  });

  it('rejects an invalid header value, without repeating the value', async () => {
    const error = await errorOf(getSettings(clientWith({ apiKey: 'tb_test_sk_1\nx: y' })));
    expect(error.code).toBe('INVALID_ARGUMENT');
    expect(`${error.message}${String(error.cause)}`).not.toContain('tb_test');
  });

  it('fails before it is sent if the field for the body is missing', async () => {
    server.answer(json({}));
    const error = await errorOf(replaceSettings(client, { webhookUrl: 'https://shop.example' } as never));
    expect([error.code, error.message]).toEqual([
      'INVALID_ARGUMENT',
      expect.stringContaining('settings must be given'),
    ]);
    expect(server.seen).toEqual([]);
  });
});

describe('createClient', () => {
  it('uses the local sandbox by default', () => {
    expect(createClient().baseUrl).toBe('http://127.0.0.1:3000');
  });

  it.each<[ClientOptions]>([
    [{ apiKey: 'tb_live_sk_1' }],
    [{ baseUrl: 'pay.example' }],
    [{ baseUrl: 'ftp://pay.example' }],
    [{ baseUrl: 'https://pay.example/?x=1' }],
    [{ retries: -1 }],
    [{ retries: 1.5 }],
    [{ retries: 1_000 }],
  ])('rejects %j', (options) => {
    expect(() => createClient(options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});

describe('a reply', () => {
  it('resolves to the data of its envelope', async () => {
    server.answer(json({ success: true, data: { quoteId: 'q' }, timestamp: 'now' }));
    expect(await quoteSwap(client, {} as never)).toEqual({ quoteId: 'q' });
  });

  it('passes its status, request id and number of attempts to onReply', async () => {
    server.answer(
      failure(503, 'SERVICE_UNAVAILABLE'),
      json(created, 200, { 'x-request-id': 'request-7', 'idempotent-replayed': 'true' }),
    );
    const onReply = jest.fn();
    await createOrder(client, order, { onReply });
    expect(onReply.mock.calls).toEqual([
      [expect.objectContaining({ status: 200, requestId: 'request-7', isReplayed: true, attempts: 2 })],
    ]);
  });

  it('throws an ApiError with its details for a declared code', async () => {
    const details = [{ field: 'merchant_amount', message: 'must be greater than 0' }];
    server.answer(
      failure(400, 'VALIDATION_ERROR', { details, documentation_url: 'https://docs.example/#x' }),
    );
    const result = await toResult(createOrder(client, order));
    expect(result.ok).toBe(false);
    if (result.ok || result.error.code !== 'VALIDATION_ERROR') throw new Error('another error');
    expect(result.error).toBeInstanceOf(ApiError);
    // The code narrows the type of the details.
    expect(result.error.details?.[0]?.field).toBe('merchant_amount');
    expect(result.error).toMatchObject({
      name: 'ApiError',
      message: 'Message of VALIDATION_ERROR',
      status: 400,
      operation: 'createOrder',
      requestId: 'request-1',
      documentationUrl: 'https://docs.example/#x',
    });
    expect(server.seen).toHaveLength(1);
  });

  it('throws an ApiError for a failure in an envelope, and omits empty details', async () => {
    const body = { code: 'QUOTE_UNAVAILABLE', message: 'No provider.', details: {}, request_id: 'request-9' };
    server.answer(json({ success: false, data: null, error: body, timestamp: 'now' }, 502));
    const { error } = await toResult(quoteSwap(client, {} as never));
    expect(error).toMatchObject({
      code: 'QUOTE_UNAVAILABLE',
      message: 'No provider.',
      requestId: 'request-9',
      status: 502,
    });
    expect((error as ApiError).details).toBeUndefined();
  });

  it.each<[string, Answer, number]>([
    ['a code that the operation does not declare', failure(418, 'TEAPOT'), 418],
    ['a page of a proxy', (response) => void response.writeHead(502).end('<html>'), 502],
    ['a success that is not JSON', (response) => void response.writeHead(200).end('<html>'), 200],
    ['a success that is not an object', json('done'), 200],
    ['an empty success', (response) => void response.writeHead(200).end('null'), 200],
    ['a redirect', (response) => void response.writeHead(302, { location: '/other' }).end(), 302],
  ])('throws UNEXPECTED_RESPONSE for %s', async (_case, answer, status) => {
    server.answer(answer);
    const error = await errorOf(getOrder(clientWith({ apiKey: 'k' }), { id: 'x' }));
    expect([error.code, error.status, error instanceof ClientError]).toEqual([
      'UNEXPECTED_RESPONSE',
      status,
      true,
    ]);
    // Redirects are not followed, because the credentials are only for this address.
    expect(server.seen).toHaveLength(1);
  });
});

describe('a reply with another shape', () => {
  it.each([json({ success: true }), json(null)])(
    'throws UNEXPECTED_RESPONSE for an envelope without data',
    async (answer) => {
      server.answer(answer);
      expect((await errorOf(quoteSwap(client, {} as never))).code).toBe('UNEXPECTED_RESPONSE');
    },
  );
});

describe('retries', () => {
  // Other timers belong to packages or to other test files of this process.
  const ofRetries = (): boolean => /retry\.(ts|js)/.test(new Error().stack ?? '');
  let waits: number[];
  beforeEach(() => {
    const real = setTimeout;
    waits = [];
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0) => {
      if (!ofRetries()) return real(run, ms);
      waits.push(ms);
      return real(run, 1);
    }) as typeof setTimeout);
  });

  it.each<[string, Answer]>([
    ['503', failure(503, 'SERVICE_UNAVAILABLE')],
    ['429', failure(429, 'RATE_LIMIT_EXCEEDED')],
    ['504', failure(504, 'OUTCOME_UNKNOWN')],
    ['409 while the first call is in progress', failure(409, 'IDEMPOTENCY_IN_PROGRESS')],
    ['a 503 of a proxy', (response) => void response.writeHead(503).end('busy')],
    ['a lost connection', hangUp],
  ])('repeat a write after %s with the same key and body', async (_case, answer) => {
    server.answer(answer, answer, json(created));
    expect(await createOrder(client, order)).toEqual(created);
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    expect(new Set(server.seen.map(({ body }) => body)).size).toBe(1);
  });

  it('use the key of the caller, and a different key for each other call', async () => {
    server.answer(json(created));
    await createOrder(client, order, { idempotencyKey: 'order-4711' });
    await createOrder(client, order);
    await createOrder(client, order);
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect([keys[0], new Set(keys).size]).toEqual(['order-4711', 3]);
  });

  it('repeat a POST that only reads without a key, unless the caller sends one', async () => {
    server.answer(failure(503, 'SERVICE_UNAVAILABLE'), json({ options: [] }));
    await listCheckoutOptions(client, {} as ListCheckoutOptionsInput);
    await listCheckoutOptions(client, {} as ListCheckoutOptionsInput, { idempotencyKey: 'mine' });
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([undefined, undefined, 'mine']);
  });

  it('end by default after two retries, with the last error and the key of the call', async () => {
    server.answer(failure(503, 'SERVICE_UNAVAILABLE'));
    const error = await errorOf(createOrder(client, order));
    expect([error.code, server.seen.length]).toEqual(['SERVICE_UNAVAILABLE', 3]);
    expect(error.idempotencyKey).toBe(server.seen[0]!.headers['idempotency-key']);
  });

  it.each<[string, ClientOptions, number]>([
    ['can be disabled for a client', { retries: 0 }, 1],
    ['can be increased for a client', { retries: 4 }, 5],
  ])('%s', async (_case, options, attempts) => {
    server.answer(failure(503, 'SERVICE_UNAVAILABLE'));
    await errorOf(getOrder(clientWith(options), { id: 'x' }));
    expect(server.seen).toHaveLength(attempts);
  });

  it('can be disabled for a call', async () => {
    server.answer(hangUp);
    expect((await errorOf(getOrder(client, { id: 'x' }, { retries: 0 }))).code).toBe('NETWORK_ERROR');
    expect(server.seen).toHaveLength(1);
  });

  it('never repeat a DELETE, because it has no key', async () => {
    server.answer(failure(503, 'SERVICE_UNAVAILABLE'));
    await errorOf(revokeSession(client, { id: 'x' }));
    expect(server.seen).toHaveLength(1);
  });

  it.each<[number, string]>([
    [400, 'VALIDATION_ERROR'],
    [401, 'UNAUTHORIZED'],
    [404, 'NOT_FOUND'],
    [500, 'INTERNAL_ERROR'],
  ])('do not follow a final failure: %d', async (status, code) => {
    server.answer(failure(status, code));
    await errorOf(getOrder(client, { id: 'x' }));
    expect(server.seen).toHaveLength(1);
  });

  it('wait longer before each attempt', async () => {
    server.answer(failure(503, 'SERVICE_UNAVAILABLE'));
    await errorOf(getOrder(clientWith({ retries: 6 }), { id: 'x' }));
    expect(waits).toEqual([150, 300, 600, 1_200, 2_400, 4_000]);
  });

  it.each<[string, Answer]>([
    ['the header', failure(429, 'RATE_LIMIT_EXCEEDED', {}, { 'retry-after': '7' })],
    ['the body', failure(429, 'RATE_LIMIT_EXCEEDED', { retryAfter: 7 })],
  ])('wait for the time in %s', async (_case, answer) => {
    server.answer(answer, json({}));
    await getOrder(client, { id: 'x' });
    expect(waits).toEqual([7_037.5]);
  });

  it('do not wait for more than a minute, and report the wait time in the error', async () => {
    server.answer(failure(429, 'RATE_LIMIT_EXCEEDED', {}, { 'retry-after': '3600' }));
    const error = await errorOf(getOrder(client, { id: 'x' }));
    expect([error.retryAfterSeconds, server.seen.length]).toEqual([3600, 1]);
  });
});

describe('time-outs and signals', () => {
  it('end each attempt after timeoutMs; a write reports its key', async () => {
    server.answer(never);
    const error = await errorOf(createOrder(client, order, { timeoutMs: 1_000, retries: 0 }));
    expect([error.code, error.status]).toEqual(['TIMEOUT', 0]);
    expect(error.idempotencyKey).toBe(server.seen[0]!.headers['idempotency-key']);
  });

  it('end a reply that stops before its end', async () => {
    server.answer((response) => void response.writeHead(200).write('{"order'));
    expect((await errorOf(getOrder(client, { id: 'x' }, { timeoutMs: 50, retries: 0 }))).code).toBe(
      'TIMEOUT',
    );
  });

  it('abort a running request and its retries', async () => {
    server.answer(never);
    const controller = new AbortController();
    const call = errorOf(getOrder(client, { id: 'x' }, { signal: controller.signal }));
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort('enough');
    const error = await call;
    expect([error.code, error.cause, server.seen.length]).toEqual(['ABORTED', 'enough', 1]);
  });

  it('abort the wait before a retry', async () => {
    server.answer(failure(429, 'RATE_LIMIT_EXCEEDED', {}, { 'retry-after': '50' }));
    const controller = new AbortController();
    const call = errorOf(getOrder(client, { id: 'x' }, { signal: controller.signal }));
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect((await call).code).toBe('ABORTED');
  });

  it('send nothing with an aborted signal', async () => {
    server.answer(json({}));
    const error = await errorOf(getOrder(client, { id: 'x' }, { signal: AbortSignal.abort() }));
    expect([error.code, server.seen.length]).toEqual(['ABORTED', 0]);
  });

  it('remove their listener from a signal that is used for many calls', async () => {
    server.answer(json({}));
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    await getOrder(client, { id: 'x' }, { signal });
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
  });
});

describe('toResult', () => {
  it('returns the value of a success', async () => {
    server.answer(json({ storeName: 'x' }));
    expect(await toResult(replaceSettings(client, { settings: {} }))).toEqual({
      ok: true,
      value: { storeName: 'x' },
    });
  });

  it('throws errors that are not a TollbridgeError', async () => {
    await expect(toResult(Promise.reject(new RangeError('mine')) as never)).rejects.toThrow('mine');
  });
});
