import { DomainError, keyPrincipal } from '@tollbridge/rpc';
import { failureIds, SampleFront } from '../testing/sample-front';

let front: SampleFront;

beforeEach(() => {
  front = new SampleFront();
});
afterEach(() => front.server.close());

const input = (): unknown => JSON.parse(front.calls[0]!.json);

async function refused(
  reply: ReturnType<SampleFront['send']>,
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
  expect(front.calls).toEqual([]);
}

describe('what reaches the service', () => {
  it('is a body byte for byte', async () => {
    const body = ' { "name" : "bl\\u0075e", "count": 1.0 }\n';
    await front.send('POST', '/v1/samples', { body });
    expect(front.calls[0]!.json).toBe(body);
    expect(front.calls[0]!.operation.subject).toBe('op.samples.samples.create-sample');
  });

  it('is a body and the path fields in one object', async () => {
    await front.send('PUT', '/samples/7', { body: '{"name":"blue","count":2}' });
    expect(input()).toEqual({ name: 'blue', count: 2, id: '7' });
  });

  it('is the query and the path fields in one object', async () => {
    await front.send('GET', '/v1/samples/7?view=%C3%A9+x&other=');
    expect(input()).toEqual({ view: 'é x', other: '', id: '7' });
  });

  it('is a list where the operation takes one', async () => {
    await front.send('GET', '/samples?tag=a&tag=b&name=x');
    expect(input()).toEqual({ tag: ['a', 'b'], name: 'x' });
  });

  it('is a field that stands in its header, or in the query', async () => {
    await front.send('GET', '/v1/samples/7', { headers: { 'x-sample-token': 'abc' } });
    await front.send('GET', '/v1/samples/7?token=abc');
    expect(front.calls.map(({ json }) => JSON.parse(json))).toEqual([
      { token: 'abc', id: '7' },
      { token: 'abc', id: '7' },
    ]);
    await front.send('PUT', '/samples/7', { body: '{"name":"x"}', headers: { 'x-sample-token': 'abc' } });
    expect(JSON.parse(front.calls[2]!.json)).toEqual({ name: 'x', id: '7' });
  });

  it.each([undefined, '', '{}'])('is an empty object for the body %j', async (body) => {
    await front.send('POST', '/v1/samples', body === undefined ? {} : { body });
    expect(input()).toEqual({});
  });

  it('keeps strange names what they are', async () => {
    await front.send('PUT', '/samples/7', { body: '{"__proto__":{"id":"8"},"constructor":1}' });
    expect(front.calls[0]!.json).toBe('{"__proto__":{"id":"8"},"constructor":1,"id":"7"}');
    expect((await front.send('GET', '/samples?__proto__=1&constructor=2')).statusCode).toBe(200);
    expect(front.calls[1]!.json).toBe('{"__proto__":"1","constructor":"2"}');
  });
});

it('hands a body on as one field where the operation says so, whatever its own fields are called', async () => {
  const body = '{"id":"8","notes":{"a":[1,null]}}';
  await refused(front.send('PUT', '/samples/7/notes?x=1', { body }), {
    x: 'must be in the body, not in the query',
  });
  expect((await front.send('PUT', '/samples/7/notes', { body })).statusCode).toBe(200);
  expect(JSON.parse(front.calls[0]!.json)).toEqual({ id: '7', notes: { id: '8', notes: { a: [1, null] } } });
});

describe('what does not reach the service', () => {
  it('is a field that stands in the path and in the body or query too', async () => {
    await refused(front.send('PUT', '/samples/7', { body: '{"id":"8","name":"x"}' }), {
      id: 'must be in the path only',
    });
    await refused(front.send('GET', '/v1/samples/7?id=7'), { id: 'must be in the path only' });
  });

  it('is a query on an operation with a body', async () => {
    await refused(front.send('POST', '/v1/samples?api_key=1&name=x', { body: '{"name":"x"}' }), {
      api_key: 'must be in the body, not in the query',
      name: 'must be in the body, not in the query',
    });
  });

  it('is a body on an operation without one', async () => {
    await refused(front.send('DELETE', '/samples/7', { body: '{"view":"x"}' }), {
      view: 'must be in the query, not in the body',
    });
    expect((await front.send('DELETE', '/samples/7', { body: '{}' })).statusCode).toBe(200);
    expect((await front.send('DELETE', '/samples/7', { body: '' })).statusCode).toBe(200);
  });

  it('is a field that stands in its header and in the query', async () => {
    const headers = { 'x-sample-token': 'abc' };
    await refused(front.send('GET', '/v1/samples/7?token=abd', { headers }), {
      token: 'must be in the header or in the query, not in both',
    });
  });

  it('is a query parameter that stands twice', async () => {
    await refused(front.send('GET', '/samples?name=a&name=a'), { name: 'must not be repeated' });
    await refused(front.send('GET', '/samples?n%61me=a&name=b'), { name: 'must not be repeated' });
  });

  it('is a list of mistakes longer than anybody reads', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `${'n'.repeat(100)}${index}=1`);
    const { details } = JSON.parse((await front.send('POST', `/v1/samples?${names.join('&')}`)).body).error;
    expect(details).toHaveLength(20);
    expect(details[0].field).toHaveLength(64);
  });

  it.each(['?name=%', '?name=%zz', '?name=%ff', '?%c0%af=1', '?name=a%e2%82'])(
    'is a query that is no percent-encoded UTF-8: %s',
    async (query) => {
      const reply = await front.send('GET', `/samples${query}`);
      expect([reply.statusCode, JSON.parse(reply.body).error]).toEqual([
        400,
        'The query is not percent-encoded UTF-8. Encode its values with encodeURIComponent or the like.',
      ]);
      expect(front.calls).toEqual([]);
    },
  );

  it.each(['{"name":1,"name":2}', '{"name":1e999}', '["name"]', '{"name":"\\ud800"}'])(
    'is the body %s',
    async (body) => {
      expect((await front.send('POST', '/v1/samples', { body })).statusCode).toBe(400);
      expect((await front.send('PUT', '/samples/1', { body })).statusCode).toBe(400);
      expect(front.calls).toEqual([]);
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
  ])('is a body of type %j', async (type) => {
    const reply = await front.send('POST', '/v1/samples', { body: '{}', headers: { 'content-type': type } });
    expect([reply.statusCode, JSON.parse(reply.body).error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(front.calls).toEqual([]);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
  ])('is not a body of type %j', async (type) => {
    const reply = await front.send('POST', '/v1/samples', { body: '{}', headers: { 'content-type': type } });
    expect(reply.statusCode).toBe(200);
  });

  it('is a compressed body', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const reply = await front.send('POST', '/v1/samples', { body: '{}', headers });
    expect([reply.statusCode, JSON.parse(reply.body).error.message]).toEqual([
      415,
      'Content-Encoding is not supported. Send the body unencoded.',
    ]);
  });

  it('is a body over 256 KiB; one of exactly 256 KiB does', async () => {
    front.admit = (_operation, { call }) => void (call.principal = keyPrincipal('key-1', '0xOwner'));
    const limit = 256 * 1024;
    const body = (length: number) => JSON.stringify({ name: 'x'.repeat(length - '{"name":""}'.length) });
    expect((await front.send('POST', '/v1/samples', { body: body(limit) })).statusCode).toBe(200);
    const reply = await front.send('POST', '/v1/samples', { body: body(limit + 1) });
    expect([reply.statusCode, JSON.parse(reply.body).error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(front.calls).toHaveLength(1);
  });
});

describe('what the service answers', () => {
  // Not how any of our writers would put it, so a reader and writer in between would show.
  const odd = '{ "id" : "s\\u0061mple","amount":9007199254740993 , "price":1.50}';

  it('passes a bare reply through byte for byte', async () => {
    front.answer = async () => odd;
    const reply = await front.send('GET', '/samples');
    expect(reply.body).toBe(odd);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.headers['content-length']).toBe(String(odd.length));
  });

  it('puts an enveloped reply between the ends of an envelope, unread', async () => {
    front.answer = async () => odd;
    const { body } = await front.send('GET', '/v1/samples/1');
    expect(body).toContain(`"data":${odd},`);
    expect(JSON.parse(body)).toEqual({
      success: true,
      data: JSON.parse(odd),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('passes a failure on, with its details, in both styles', async () => {
    const details = [{ field: 'name', message: 'is missing' }];
    front.answer = async () => {
      throw new DomainError('NOT_FOUND', 'There is no such sample.', { details });
    };
    const bare = await front.send('DELETE', '/samples/1');
    expect([bare.statusCode, JSON.parse(bare.body)]).toEqual([
      404,
      { error: 'There is no such sample.', code: 'NOT_FOUND', details, ...failureIds('NOT_FOUND') },
    ]);
    const envelope = await front.send('GET', '/v1/samples/1');
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

  it('answers a failure without details with an empty object in an envelope, and without any elsewhere', async () => {
    front.answer = async () => {
      throw new DomainError('NOT_FOUND', 'There is no such sample.');
    };
    expect(JSON.parse((await front.send('GET', '/v1/samples/1')).body)).toEqual({
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
    const bare = JSON.parse((await front.send('DELETE', '/samples/1')).body);
    expect(bare).toEqual({
      error: 'There is no such sample.',
      code: 'NOT_FOUND',
      ...failureIds('NOT_FOUND'),
    });
  });

  it.each(['SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED'] as const)(
    'says when to try again after %s, in header and body',
    async (code) => {
      front.answer = async () => {
        throw new DomainError(code);
      };
      const bare = await front.send('GET', '/samples');
      expect([bare.headers['retry-after'], JSON.parse(bare.body)]).toEqual([
        '1',
        { error: expect.any(String), code, retryAfter: 1, ...failureIds(code) },
      ]);
      const envelope = await front.send('GET', '/v1/samples/1');
      expect([envelope.headers['retry-after'], JSON.parse(envelope.body).retryAfter]).toEqual(['1', 1]);
    },
  );

  it('does not invite to repeat what may have happened', async () => {
    front.answer = async () => {
      throw new DomainError('OUTCOME_UNKNOWN');
    };
    const reply = await front.send('PUT', '/samples/1', { body: '{"name":"x"}' });
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([504, undefined]);
    expect(JSON.parse(reply.body)).toEqual({
      code: 'OUTCOME_UNKNOWN',
      error: expect.stringContaining('the outcome is unknown'),
      ...failureIds('OUTCOME_UNKNOWN'),
    });
  });

  it('logs the cause of a failure of ours, and tells nobody', async () => {
    front.answer = async () => {
      throw new Error('the inner reason');
    };
    const reply = await front.send('GET', '/samples');
    expect(JSON.parse(reply.body)).toEqual({
      code: 'INTERNAL_ERROR',
      error: expect.stringContaining('request_id'),
      ...failureIds('INTERNAL_ERROR'),
    });
    const line = front.logged.find(({ msg }) => msg === 'a request failed');
    expect(line).toMatchObject({ level: 50, requestId: reply.headers['x-request-id'] });
    expect(JSON.stringify(line)).toContain('the inner reason');
  });
});

describe('the log and the metrics', () => {
  it('name the route, not the path with its ids', async () => {
    await front.send('DELETE', '/samples/secret-id?view=secret-view');
    expect(front.logged).toEqual([
      expect.objectContaining({
        method: 'DELETE',
        route: '/samples/:id',
        status: 200,
        ms: expect.any(Number),
      }),
    ]);
    expect(JSON.stringify(front.logged)).not.toContain('secret');
    const text = await front.metrics.registry.metrics();
    expect(text).toMatch(
      /tollbridge_http_seconds_count\{.*method="DELETE",route="\/samples\/:id",status="200".*\} 1/,
    );
  });

  it('give unknown paths one name', async () => {
    for (let call = 0; call < 20; call++) await front.send('GET', `/scan/${call}`);
    const text = await front.metrics.registry.metrics();
    const counts = text.split('\n').filter((line) => line.startsWith('tollbridge_http_seconds_count'));
    expect(counts).toEqual([expect.stringMatching(/route="none",status="404".* 20$/)]);
  });

  it('tell the code of a failure', async () => {
    await front.send('PUT', '/samples/1?x=1');
    expect(front.logged[0]).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    await front.send('GET', '/samples');
    expect(front.logged[1]).not.toHaveProperty('code');
  });
});
