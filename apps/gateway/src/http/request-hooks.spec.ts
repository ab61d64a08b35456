import { DomainError, errorCodes, type ErrorCode } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { failureIds, GatewayHarness } from '../testing/gateway-harness';

let harness: GatewayHarness;

beforeEach(async () => {
  harness = await GatewayHarness.open();
});
afterEach(() => harness.close());

const json = (text: string): unknown => JSON.parse(text);
const tooLarge = Buffer.from(JSON.stringify({ name: 'x'.repeat(256 * 1024) }));

describe('64 concurrent requests that fail', () => {
  it.each([
    ['SERVICE_UNAVAILABLE', 503],
    ['OUTCOME_UNKNOWN', 504],
  ] as const)('get Retry-After, and cause only one log line: %s', async (code, status) => {
    harness.answer = async () => {
      throw new DomainError(code, 'The budget cannot be read.', { cause: new Error('connection lost') });
    };
    const replies = await Promise.all(Array.from({ length: 64 }, () => harness.send('GET', '/samples')));
    for (const reply of replies) {
      expect([reply.statusCode, reply.headers['retry-after']]).toEqual([status, '1']);
      expect(json(reply.body)).toMatchObject({ code, retryAfter: 1 });
    }
    const lines = () => harness.logged.filter(({ msg }) => msg === 'requests not served');
    await eventually(() => expect(lines()).toHaveLength(1));
    const why = { route: '/samples', code, reason: 'The budget cannot be read.', count: 64 };
    expect(lines()).toEqual([expect.objectContaining(why)]);
    expect(JSON.stringify(lines())).toContain('connection lost');
  });

  it.each(Object.keys(errorCodes) as ErrorCode[])(
    'get Retry-After if a retry may succeed: %s',
    async (code) => {
      harness.answer = async () => {
        throw new DomainError(code);
      };
      const { statusCode, headers } = await harness.send('GET', '/samples');
      const mayHelp = [429, 503, 504].includes(statusCode) || code === 'IDEMPOTENCY_IN_PROGRESS';
      expect(headers['retry-after']).toBe(mayHelp ? '1' : undefined);
    },
  );
});

/** One request for every kind of reply that the server can send, with the expected status. */
const kinds: [string, number, Parameters<GatewayHarness['send']>][] = [
  ['a bare success', 200, ['GET', '/samples']],
  ['an enveloped success', 200, ['GET', '/v1/samples/1']],
  ['a preflight', 204, ['OPTIONS', '/samples']],
  ['a path that is not UTF-8', 400, ['GET', '/samples/%ff']],
  ['a body that is not JSON', 400, ['POST', '/v1/samples', { body: 'x' }]],
  ['an unknown route', 404, ['GET', '/nothing']],
  ['a wrong method', 405, ['DELETE', '/samples']],
  ['a body that is too large', 413, ['POST', '/v1/samples', { body: tooLarge }]],
  ['a path parameter that is too long', 414, ['DELETE', `/samples/${'x'.repeat(257)}`]],
  [
    'an unsupported content type',
    415,
    ['POST', '/v1/samples', { body: 'a=1', headers: { 'content-type': 'text/plain' } }],
  ],
  ['an internal error', 500, ['GET', '/samples?name=fails']],
  ['a silent service', 504, ['GET', '/samples?name=silent']],
];

describe('every reply', () => {
  beforeEach(() => {
    harness.answer = async ({ json: input }) => {
      if (input.includes('fails')) throw new Error('connect ECONNREFUSED postgres://owner:hunter2@10.0.0.7');
      if (input.includes('silent')) throw new DomainError('OUTCOME_UNKNOWN');
      return '{"id":"sample-1"}';
    };
  });

  it.each(kinds)('contains the common headers and a request id: %s', async (_name, status, request) => {
    const reply = await harness.send(...request);
    expect(reply.statusCode).toBe(status);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('x-request-id'),
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-request-id': expect.stringMatching(/^req_[0-9a-f]{24}$/),
    });
    expect(reply.headers).not.toHaveProperty('x-powered-by');
    expect(reply.headers).not.toHaveProperty('server');
  });

  it.each(kinds)('causes one log line with its request id and status: %s', async (_name, status, request) => {
    const reply = await harness.send(...request);
    const lines = harness.logged.filter(({ msg }) => msg === 'request');
    expect(lines).toEqual([expect.objectContaining({ status, requestId: reply.headers['x-request-id'] })]);
  });

  it.each(kinds.filter(([, status]) => status >= 400))(
    'contains only an API error with code and request id: %s',
    async (_name, status, request) => {
      const [method, url, options] = request;
      const isEnvelope = url.startsWith('/v1/');
      const reply = await harness.send(method, url, options);
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
      const body = json(reply.body) as Record<string, any>;
      const error = isEnvelope ? body['error'] : body;
      expect(error.code).toMatch(/^[A-Z_]+$/);
      expect(isEnvelope ? error.message : error.error).toMatch(/^[A-Z].*[.]$/);
      expect(reply.body).not.toMatch(/stack|node_modules|\.ts\b|\.js\b|ECONNREFUSED|hunter2|postgres|FST_/);
      expect(reply.statusCode).toBe(status);
      expect(error).toMatchObject(failureIds(error.code));
      expect(error.request_id).toBe(reply.headers['x-request-id']);
    },
  );

  it.each(['/v1/nothing', '/v1/samples'])('has an envelope for failures below /v1/: %s', async (url) => {
    const reply = await harness.send('PATCH', url, { body: '{}' });
    expect(json(reply.body)).toEqual({
      success: false,
      data: null,
      error: {
        code: reply.statusCode === 404 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED',
        message: expect.any(String),
        details: {},
        ...failureIds(reply.statusCode === 404 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED'),
      },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });
});

describe('ids of requests and traces', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it('equal the ids of the client if these are well-formed', async () => {
    const reply = await harness.send('GET', '/samples', {
      headers: { 'x-request-id': 'my_request-1', traceparent },
    });
    expect(reply.headers['x-request-id']).toBe('my_request-1');
    expect(harness.calls[0]!.context).toEqual({
      requestId: 'my_request-1',
      traceparent,
      principal: 'public',
    });
  });

  it.each(['short', 'has space', 'x'.repeat(65), 'a\u00e9aaaaaaa', 'abc,defgh', ''])(
    'replace the malformed request id %j',
    async (given) => {
      const reply = await harness.send('GET', '/samples', { headers: { 'x-request-id': given } });
      expect(reply.headers['x-request-id']).toMatch(/^req_[0-9a-f]{24}$/);
      expect(harness.calls[0]!.context.requestId).toBe(reply.headers['x-request-id']);
    },
  );

  it.each([
    traceparent.toUpperCase(),
    traceparent.replace('00-', 'ff-'),
    `${traceparent}-01`,
    traceparent.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
    'x',
  ])('replace the malformed trace %s', async (given) => {
    await harness.send('GET', '/samples', { headers: { traceparent: given } });
    expect(harness.calls[0]!.context.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(harness.calls[0]!.context.traceparent).not.toContain('0af7651916cd43dd');
  });

  it('differ for each request', async () => {
    for (let call = 0; call < 500; call++) await harness.send('GET', '/samples');
    expect(new Set(harness.calls.map(({ context }) => context.requestId)).size).toBe(500);
    expect(new Set(harness.calls.map(({ context }) => context.traceparent.slice(3, 35))).size).toBe(500);
  });

  it('do not include a principal from the headers of the client', async () => {
    const headers = {
      'tb-principal': 'merchant:1',
      'tb-error': 'NOT_FOUND',
      'x-user-id': '1',
      'x-forwarded-for': '10.0.0.1',
      'nats-msg-id': '1',
      'x-principal': 'merchant:1',
    };
    await harness.send('GET', '/samples', { headers });
    expect(harness.calls[0]!.context.principal).toBe('public');
    expect(harness.calls[0]!.json).toBe('{}');
  });
});

describe('browsers', () => {
  it('may call every route from every site, with the headers they need', async () => {
    const headers = {
      origin: 'https://shop.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,idempotency-key,x-api-key',
    };
    const reply = await harness.send('OPTIONS', '/samples/1', { headers });
    expect(reply.statusCode).toBe(204);
    expect(reply.body).toBe('');
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': 'content-type,idempotency-key,x-api-key',
      'access-control-max-age': '86400',
      vary: 'Access-Control-Request-Headers',
      allow: 'DELETE, OPTIONS, PUT',
    });
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('get a successful preflight for an unknown path, so that they can read the 404', async () => {
    const reply = await harness.send('OPTIONS', '/nothing', { headers: { origin: 'https://shop.example' } });
    expect(reply.statusCode).toBe(204);
    expect(reply.headers).not.toHaveProperty('allow');
  });
});

describe('methods and paths', () => {
  it.each([
    ['POST', '/samples', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/samples/1', 'DELETE, OPTIONS, PUT'],
    ['GET', '/v1/samples', 'OPTIONS, POST'],
    ['DELETE', '/v1/samples/', 'OPTIONS, POST'],
    ['TRACE', '/samples', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/samples', 'GET, HEAD, OPTIONS'],
  ])('return 405 with Allow for %s %s', async (method, url, allow) => {
    const reply = await harness.send(method, url);
    expect([reply.statusCode, reply.headers['allow']]).toEqual([405, allow]);
  });

  it('reject an unknown path before the body is read', async () => {
    const body = { body: tooLarge, headers: { 'content-type': 'text/plain' } };
    expect((await harness.send('POST', '/nothing', body)).statusCode).toBe(404);
    expect((await harness.send('POST', '/samples', body)).statusCode).toBe(405);
    expect((await harness.send('POST', '/samples', { body: '{' })).statusCode).toBe(405);
  });

  it('answer HEAD like GET, but without a body', async () => {
    const reply = await harness.send('HEAD', '/samples');
    expect([reply.statusCode, reply.body, reply.headers['content-length']]).toEqual([200, '', '17']);
    expect((await harness.send('HEAD', '/nothing')).statusCode).toBe(404);
  });

  it.each(['/Samples', '//samples', '/samples;x', '/samples/1/2', '/%2fsamples', '/v1/samples/'])(
    'return 404 for GET %s',
    async (url) => {
      expect((await harness.send('GET', url)).statusCode).toBeGreaterThanOrEqual(404);
      expect(harness.calls).toEqual([]);
    },
  );

  it('accept a trailing slash', async () => {
    expect((await harness.send('GET', '/samples/')).statusCode).toBe(200);
  });

  it('decode a path parameter once', async () => {
    await harness.send('DELETE', '/samples/a%2Fb%2541%20%C3%A9');
    expect(harness.calls[0]!.json).toBe('{"id":"a/b%41 é"}');
  });

  it.each(['/samples/%', '/samples/%zz', '/samples/%ff', '/samples/%c0%af', '/samples/%e2%82'])(
    'reject the percent-encoding of %s',
    async (url) => {
      const reply = await harness.send('DELETE', url);
      expect([reply.statusCode, (json(reply.body) as { code: string }).code]).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      expect(harness.calls).toEqual([]);
    },
  );

  it('accept a path parameter of 256 characters, and reject a longer one', async () => {
    expect((await harness.send('DELETE', `/samples/${'x'.repeat(256)}`)).statusCode).toBe(200);
    const reply = await harness.send('GET', `/v1/samples/${'x'.repeat(257)}`);
    expect(json(reply.body)).toMatchObject({ success: false, error: { code: 'URI_TOO_LONG' } });
  });
});
