import { DomainError, keyPrincipal } from '@tollbridge/rpc';
import { failureIds, GatewayHarness } from '../testing/gateway-harness';

let harness: GatewayHarness;

beforeEach(async () => {
  harness = await GatewayHarness.open();
});
afterEach(() => harness.close());

const input = (): unknown => JSON.parse(harness.calls[0]!.json);

async function expectRejected(
  reply: ReturnType<GatewayHarness['send']>,
  fields: Record<string, string>,
): Promise<void> {
  const { statusCode, body } = await reply;
  const { error, code = error.code, details = error.details } = JSON.parse(body);
  expect([statusCode, code]).toEqual([400, 'VALIDATION_ERROR']);
  const named = (details as { field: string; message: string }[]).map(({ field, message }) => [
    field,
    message,
  ]);
  expect(Object.fromEntries(named)).toEqual(fields);
  expect(harness.calls).toEqual([]);
}

describe('the input of the service', () => {
  it('equals the body byte for byte', async () => {
    const body = ' { "name" : "bl\\u0075e", "count": 1.0 }\n';
    await harness.send('POST', '/v1/samples', { body });
    expect(harness.calls[0]!.json).toBe(body);
    expect(harness.calls[0]!.operation.subject).toBe('op.samples.samples.create-sample');
  });

  it('joins the body and the path fields in one object', async () => {
    await harness.send('PUT', '/samples/7', { body: '{"name":"blue","count":2}' });
    expect(input()).toEqual({ name: 'blue', count: 2, id: '7' });
  });

  it('joins the query and the path fields in one object', async () => {
    await harness.send('GET', '/v1/samples/7?view=%C3%A9+x&other=');
    expect(input()).toEqual({ view: 'é x', other: '', id: '7' });
  });

  it('contains a list when the operation declares one', async () => {
    await harness.send('GET', '/samples?tag=a&tag=b&name=x');
    expect(input()).toEqual({ tag: ['a', 'b'], name: 'x' });
  });

  it('includes a field from its header or from the query', async () => {
    await harness.send('GET', '/v1/samples/7', { headers: { 'x-sample-token': 'abc' } });
    await harness.send('GET', '/v1/samples/7?token=abc');
    expect(harness.calls.map(({ json }) => JSON.parse(json))).toEqual([
      { token: 'abc', id: '7' },
      { token: 'abc', id: '7' },
    ]);
    await harness.send('PUT', '/samples/7', { body: '{"name":"x"}', headers: { 'x-sample-token': 'abc' } });
    expect(JSON.parse(harness.calls[2]!.json)).toEqual({ name: 'x', id: '7' });
  });

  it.each([undefined, '', '{}'])('equals an empty object for the body %j', async (body) => {
    await harness.send('POST', '/v1/samples', body === undefined ? {} : { body });
    expect(input()).toEqual({});
  });

  it('preserves unusual names', async () => {
    await harness.send('PUT', '/samples/7', { body: '{"__proto__":{"id":"8"},"constructor":1}' });
    expect(harness.calls[0]!.json).toBe('{"__proto__":{"id":"8"},"constructor":1,"id":"7"}');
    expect((await harness.send('GET', '/samples?__proto__=1&constructor=2')).statusCode).toBe(200);
    expect(harness.calls[1]!.json).toBe('{"__proto__":"1","constructor":"2"}');
  });
});

it('contains the body as one field when the operation declares it', async () => {
  const body = '{"id":"8","notes":{"a":[1,null]}}';
  await expectRejected(harness.send('PUT', '/samples/7/notes?x=1', { body }), {
    x: 'must be in the body, not in the query',
  });
  expect((await harness.send('PUT', '/samples/7/notes', { body })).statusCode).toBe(200);
  expect(JSON.parse(harness.calls[0]!.json)).toEqual({
    id: '7',
    notes: { id: '8', notes: { a: [1, null] } },
  });
});

describe('the input of a request', () => {
  it('rejects a path field that is repeated in the body or query', async () => {
    await expectRejected(harness.send('PUT', '/samples/7', { body: '{"id":"8","name":"x"}' }), {
      id: 'must be in the path only',
    });
    await expectRejected(harness.send('GET', '/v1/samples/7?id=7'), { id: 'must be in the path only' });
  });

  it('rejects a query on an operation with a body', async () => {
    await expectRejected(harness.send('POST', '/v1/samples?api_key=1&name=x', { body: '{"name":"x"}' }), {
      api_key: 'must be in the body, not in the query',
      name: 'must be in the body, not in the query',
    });
  });

  it('rejects a body on an operation without one', async () => {
    await expectRejected(harness.send('DELETE', '/samples/7', { body: '{"view":"x"}' }), {
      view: 'must be in the query, not in the body',
    });
    expect((await harness.send('DELETE', '/samples/7', { body: '{}' })).statusCode).toBe(200);
    expect((await harness.send('DELETE', '/samples/7', { body: '' })).statusCode).toBe(200);
  });

  it('rejects a field that differs between its header and the query', async () => {
    const headers = { 'x-sample-token': 'abc' };
    await expectRejected(harness.send('GET', '/v1/samples/7?token=abd', { headers }), {
      token: 'must not differ between the header and the query: send one of the two',
    });
    expect((await harness.send('GET', '/v1/samples/7?token=abc', { headers })).statusCode).toBe(200);
  });

  it('accepts a query that equals its header except for an unencoded plus', async () => {
    const headers = { 'x-sample-token': 'a+c' };
    expect((await harness.send('GET', '/v1/samples/7?token=a+c', { headers })).statusCode).toBe(200);
    expect(JSON.parse(harness.calls[0]!.json)).toEqual({ token: 'a+c', id: '7' });
  });

  it('rejects a repeated query parameter', async () => {
    await expectRejected(harness.send('GET', '/samples?name=a&name=a'), { name: 'must not be repeated' });
    await expectRejected(harness.send('GET', '/samples?n%61me=a&name=b'), { name: 'must not be repeated' });
  });

  it('reports at most 20 errors', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `${'n'.repeat(100)}${index}=1`);
    const { details } = JSON.parse((await harness.send('POST', `/v1/samples?${names.join('&')}`)).body).error;
    expect(details).toHaveLength(20);
    expect(details[0].field).toHaveLength(64);
  });

  it.each(['?name=%', '?name=%zz', '?name=%ff', '?%c0%af=1', '?name=a%e2%82'])(
    'rejects a query that is not percent-encoded UTF-8: %s',
    async (query) => {
      const reply = await harness.send('GET', `/samples${query}`);
      expect([reply.statusCode, JSON.parse(reply.body).error]).toEqual([
        400,
        'The query is not percent-encoded UTF-8. Encode its values with encodeURIComponent or the like.',
      ]);
      expect(harness.calls).toEqual([]);
    },
  );

  it.each(['{"name":1,"name":2}', '{"name":1e999}', '["name"]', '{"name":"\\ud800"}'])(
    'rejects the body %s',
    async (body) => {
      expect((await harness.send('POST', '/v1/samples', { body })).statusCode).toBe(400);
      expect((await harness.send('PUT', '/samples/1', { body })).statusCode).toBe(400);
      expect(harness.calls).toEqual([]);
    },
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json-patch+json',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset="latin1"',
    'json',
    '',
  ])('rejects a body of type %j', async (type) => {
    const reply = await harness.send('POST', '/v1/samples', {
      body: '{}',
      headers: { 'content-type': type },
    });
    expect([reply.statusCode, JSON.parse(reply.body).error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(harness.calls).toEqual([]);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
  ])('accepts a body of type %j', async (type) => {
    const reply = await harness.send('POST', '/v1/samples', {
      body: '{}',
      headers: { 'content-type': type },
    });
    expect(reply.statusCode).toBe(200);
  });

  it('rejects a compressed body', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const reply = await harness.send('POST', '/v1/samples', { body: '{}', headers });
    expect([reply.statusCode, JSON.parse(reply.body).error.message]).toEqual([
      415,
      'Content-Encoding is not supported. Send the body unencoded.',
    ]);
  });

  it('rejects a body above 256 KiB, and accepts one of exactly 256 KiB', async () => {
    harness.admit = (_operation, { call }) => void (call.principal = keyPrincipal('key-1', '0xOwner'));
    const limit = 256 * 1024;
    const body = (length: number) => JSON.stringify({ name: 'x'.repeat(length - '{"name":""}'.length) });
    expect((await harness.send('POST', '/v1/samples', { body: body(limit) })).statusCode).toBe(200);
    const reply = await harness.send('POST', '/v1/samples', { body: body(limit + 1) });
    expect([reply.statusCode, JSON.parse(reply.body).error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(harness.calls).toHaveLength(1);
  });
});

describe('the reply', () => {
  // Unusual spacing, which would change if the text were parsed and written again.
  const odd = '{ "id" : "s\\u0061mple","amount":9007199254740993 , "price":1.50}';

  it('equals the reply of the service byte for byte in the bare style', async () => {
    harness.answer = async () => odd;
    const reply = await harness.send('GET', '/samples');
    expect(reply.body).toBe(odd);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.headers['content-length']).toBe(String(odd.length));
  });

  it('wraps the reply of the service in an envelope', async () => {
    harness.answer = async () => odd;
    const { body } = await harness.send('GET', '/v1/samples/1');
    expect(body).toContain(`"data":${odd},`);
    expect(JSON.parse(body)).toEqual({
      success: true,
      data: JSON.parse(odd),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('contains the failure of the service with its details, in both styles', async () => {
    const details = [{ field: 'name', message: 'is missing' }];
    harness.answer = async () => {
      throw new DomainError('NOT_FOUND', 'There is no such sample.', { details });
    };
    const bare = await harness.send('DELETE', '/samples/1');
    expect([bare.statusCode, JSON.parse(bare.body)]).toEqual([
      404,
      { error: 'There is no such sample.', code: 'NOT_FOUND', details, ...failureIds('NOT_FOUND') },
    ]);
    const envelope = await harness.send('GET', '/v1/samples/1');
    expect([envelope.statusCode, JSON.parse(envelope.body)]).toEqual([
      404,
      {
        success: false,
        data: null,
        error: {
          code: 'NOT_FOUND',
          message: 'There is no such sample.',
          details,
          ...failureIds('NOT_FOUND'),
        },
        timestamp: expect.any(String),
      },
    ]);
  });

  it('contains empty details in an envelope, and no details in the bare style', async () => {
    harness.answer = async () => {
      throw new DomainError('NOT_FOUND', 'There is no such sample.');
    };
    expect(JSON.parse((await harness.send('GET', '/v1/samples/1')).body)).toEqual({
      success: false,
      data: null,
      error: {
        code: 'NOT_FOUND',
        message: 'There is no such sample.',
        details: {},
        ...failureIds('NOT_FOUND'),
      },
      timestamp: expect.any(String),
    });
    const bare = JSON.parse((await harness.send('DELETE', '/samples/1')).body);
    expect(bare).toEqual({
      error: 'There is no such sample.',
      code: 'NOT_FOUND',
      ...failureIds('NOT_FOUND'),
    });
  });

  it.each(['SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED'] as const)(
    'contains retryAfter in header and body for %s',
    async (code) => {
      harness.answer = async () => {
        throw new DomainError(code);
      };
      const bare = await harness.send('GET', '/samples');
      expect([bare.headers['retry-after'], JSON.parse(bare.body)]).toEqual([
        '1',
        { error: expect.any(String), code, retryAfter: 1, ...failureIds(code) },
      ]);
      const envelope = await harness.send('GET', '/v1/samples/1');
      expect([envelope.headers['retry-after'], JSON.parse(envelope.body).retryAfter]).toEqual(['1', 1]);
    },
  );

  it('contains Retry-After for an unknown outcome, and explains how to retry safely', async () => {
    harness.answer = async () => {
      throw new DomainError('OUTCOME_UNKNOWN');
    };
    const reply = await harness.send('PUT', '/samples/1', { body: '{"name":"x"}' });
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([504, '1']);
    expect(JSON.parse(reply.body)).toEqual({
      code: 'OUTCOME_UNKNOWN',
      error: expect.stringMatching(/the outcome is unknown.*repeat it with the same Idempotency-Key/),
      retryAfter: 1,
      ...failureIds('OUTCOME_UNKNOWN'),
    });
  });

  it('omits the cause of an internal error, and logs the cause', async () => {
    harness.answer = async () => {
      throw new Error('the inner reason');
    };
    const reply = await harness.send('GET', '/samples');
    expect(JSON.parse(reply.body)).toEqual({
      code: 'INTERNAL_ERROR',
      error: expect.stringContaining('request_id'),
      ...failureIds('INTERNAL_ERROR'),
    });
    const line = harness.logged.find(({ msg }) => msg === 'request failed');
    expect(line).toMatchObject({ level: 50, requestId: reply.headers['x-request-id'] });
    expect(JSON.stringify(line)).toContain('the inner reason');
  });
});

describe('the log and the metrics', () => {
  it('contain the route instead of the path with its ids', async () => {
    await harness.send('DELETE', '/samples/secret-id?view=secret-view');
    expect(harness.logged).toEqual([
      expect.objectContaining({
        method: 'DELETE',
        route: '/samples/:id',
        status: 200,
        ms: expect.any(Number),
      }),
    ]);
    expect(JSON.stringify(harness.logged)).not.toContain('secret');
    const text = await harness.metrics.registry.metrics();
    expect(text).toMatch(
      /http_server_request_duration_seconds_count\{.*http_request_method="DELETE",http_route="\/samples\/:id",http_response_status_code="200".*\} 1/,
    );
  });

  it('use one name for all unknown paths', async () => {
    for (let call = 0; call < 20; call++) await harness.send('GET', `/scan/${call}`);
    const text = await harness.metrics.registry.metrics();
    const name = 'http_server_request_duration_seconds_count';
    const counts = text.split('\n').filter((line) => line.startsWith(name));
    expect(counts).toEqual([
      expect.stringMatching(/http_route="none",http_response_status_code="404".* 20$/),
    ]);
  });

  it('contain the code of a failure', async () => {
    await harness.send('PUT', '/samples/1?x=1');
    expect(harness.logged[0]).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    await harness.send('GET', '/samples');
    expect(harness.logged[1]).not.toHaveProperty('code');
  });
});
