import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { DomainError, idempotencyKeyOf, keyPrincipal, type FirstAnswer } from '@tollbridge/rpc';
import { GatewayHarness } from '../testing/gateway-harness';

let harness: GatewayHarness;

beforeEach(async () => {
  harness = await GatewayHarness.open();
});
afterEach(() => harness.close());

const body = '{"name":"blue"}';
const send = (key: string | undefined, method = 'PUT', url = '/samples/1') =>
  harness.send(method, url, {
    ...(method !== 'GET' && method !== 'DELETE' && { body }),
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const keys = () => harness.calls.map(({ context }) => context.idempotencyKey);

describe('the Idempotency-Key', () => {
  it('reaches the service bound to its client, and not in plain text', async () => {
    const principals = [
      'public',
      keyPrincipal('key-1', '0xowner'),
      keyPrincipal('key-1', '0xowner', 'publishable'),
      keyPrincipal('key-2', '0xowner'),
      'wallet:0xowner',
    ];
    for (const principal of principals) {
      harness.admit = (_operation, { call }) => void (call.principal = principal);
      await send('order-1');
      await send('order-1', 'POST', '/v1/samples');
    }
    const callers = ['address:127.0.0.1', 'key:key-1', 'page-key:key-1', 'key:key-2', 'wallet:0xowner'];
    expect(keys()).toEqual(
      callers.flatMap((caller) => Array<string>(2).fill(idempotencyKeyOf(caller, 'order-1'))),
    );
    expect(JSON.stringify([harness.calls, harness.logged])).not.toContain('order-1');
  });

  it.each(['!', '~'.repeat(255), '"5f0c1a52-6f0e-4c0b-9d0a-0b7c6a3a2d11"', 'a,b'])(
    'accepts %s',
    async (key) => {
      expect((await send(key)).statusCode).toBe(200);
      expect(keys()).toEqual([idempotencyKeyOf('address:127.0.0.1', key)]);
    },
  );

  it.each([
    ['empty', ''],
    ['of 256 characters', 'x'.repeat(256)],
    ['of 300 characters', 'x'.repeat(300)],
    ['with a space', 'a b'],
    ['with a control character', 'a\tb'],
    ['with a character that is not ASCII', 'é'],
  ])('causes an error with the header name when it is %s', async (_case, key) => {
    const details = [
      { field: 'Idempotency-Key', message: 'must be sent once, as 1 to 255 visible ASCII characters' },
    ];
    const bare = await send(key);
    expect([bare.statusCode, JSON.parse(bare.body)]).toEqual([
      400,
      expect.objectContaining({ code: 'VALIDATION_ERROR', details }),
    ]);
    const enveloped = await send(key, 'POST', '/v1/samples');
    expect([enveloped.statusCode, JSON.parse(enveloped.body).error]).toEqual([
      400,
      expect.objectContaining({ code: 'VALIDATION_ERROR', details }),
    ]);
    expect(harness.calls).toEqual([]);
  });

  it.each([
    ['with different values', ['a', 'b']],
    ['with equal values', ['a', 'a']],
  ])('rejects the header when it is sent twice, %s', async (_case, twice) => {
    const url = await harness.server.listen({ host: '127.0.0.1', port: 0 });
    const headers = { 'idempotency-key': twice, 'content-type': 'application/json' };
    const sent = request(`${url}/samples/1`, { method: 'PUT', headers }).end(body);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    reply.resume();
    expect([reply.statusCode, harness.calls]).toEqual([400, []]);
  });

  it.each([
    ['GET', '/v1/samples/1'],
    ['DELETE', '/samples/1'],
  ])('ignores the header on %s', async (method, url) => {
    for (const key of ['order-1', 'x'.repeat(300)])
      expect((await send(key, method, url)).statusCode).toBe(200);
    expect(keys()).toEqual([undefined, undefined]);
  });

  it('accepts the header from a page of any origin, which can read idempotent-replayed', async () => {
    const preflight = await harness.send('OPTIONS', '/samples/1', {
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-type,idempotency-key',
      },
    });
    expect(preflight.headers['access-control-allow-headers']).toContain('idempotency-key');
    expect(preflight.headers['access-control-expose-headers']).toContain('idempotent-replayed');
  });
});

describe('a replay', () => {
  const answeredAtMs = Date.parse('2026-01-02T03:04:05.678Z');
  const marks = (isReplayed: boolean): FirstAnswer => ({ answeredAtMs, isReplayed });

  it.each([
    ['PUT', '/samples/1', '{"id":"1"}'],
    ['POST', '/v1/samples', '{"success":true,"data":{"id":"1"},"timestamp":"2026-01-02T03:04:05.678Z"}'],
    [
      'POST',
      '/v1/samples/1/buy',
      '{"success":true,"id":"1","data":{"id":"1"},"timestamp":"2026-01-02T03:04:05.678Z"}',
    ],
  ])('equals the first reply to %s %s byte for byte, and is marked', async (method, url, expected) => {
    harness.answer = async () => '{"id":"1"}';
    harness.first = marks(false);
    const first = await send('a', method, url);
    expect([first.body, first.headers['idempotent-replayed']]).toEqual([expected, undefined]);
    harness.first = marks(true);
    const second = await send('a', method, url);
    expect([second.body, second.headers['idempotent-replayed']]).toEqual([expected, 'true']);
  });

  it.each([
    ['PUT', '/samples/1'],
    ['POST', '/v1/samples'],
  ])('repeats a failure of %s %s', async (method, url) => {
    const reject = (isReplayed: boolean) => () =>
      Promise.reject(
        new DomainError('CONFLICT', 'Taken.', {
          details: { by: 'x' },
          first: { ...marks(isReplayed), requestId: 'request-1' },
        }),
      );
    harness.answer = reject(false);
    const first = await send('a', method, url);
    harness.answer = reject(true);
    const second = await send('a', method, url);
    expect([first.statusCode, second.statusCode, second.body]).toEqual([409, 409, first.body]);
    expect([first, second].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
    expect(second.body).toContain('"request_id":"request-1"');
    if (url.startsWith('/v1')) expect(second.body).toContain('2026-01-02T03:04:05.678Z');
  });
});

it('returns Retry-After while the first call is in progress', async () => {
  harness.answer = () => Promise.reject(new DomainError('IDEMPOTENCY_IN_PROGRESS'));
  const reply = await send('a');
  expect([reply.statusCode, reply.headers['retry-after'], JSON.parse(reply.body).retryAfter]).toEqual([
    409,
    '1',
    1,
  ]);
});
