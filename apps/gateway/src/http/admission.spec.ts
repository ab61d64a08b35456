import { newKeyText } from '@tollbridge/api-keys';
import { DomainError, keyIdOf, ownerOf } from '@tollbridge/bus';
import type { AuthenticateReply } from '@tollbridge/api';
import { KnownKeys } from '../auth/known-keys';
import { readProxies } from '../rate-limit/client-address';
import { FailedAttempts } from '../rate-limit/failed-attempts';
import type { Rate, Taken } from '../rate-limit/shared-counts';
import { SampleFront } from '../testing/sample-front';
import { admission } from './admission';

const secret = newKeyText('test', 'secret');
const publishable = newKeyText('test', 'publishable');
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

let front: SampleFront;
let known: AuthenticateReply | DomainError;
/** What a bucket answers; undefined while nobody can count. */
let taken: Partial<Taken> | undefined;
let takes: [bucket: string, rate: Rate][];
let failures: number | undefined;

beforeEach(() => {
  front = new SampleFront();
  known = {
    ...{ keyId: 'key-1', owner: '0xOwner', permissions: ['read', 'pay', 'write'], plan: 'free' },
    rate: { perMinute: 100, burst: 200 },
  } as AuthenticateReply;
  taken = {};
  takes = [];
  failures = 0;
  const full: Taken = { isAllowed: true, remaining: 199, waitMs: 0, untilFullMs: 600 };
  const counts = {
    take: async (bucket: string, rate: Rate) => {
      takes.push([bucket, rate]);
      return taken && { ...full, ...taken };
    },
    fail: async (_name: string, most: number) =>
      failures === undefined ? undefined : { isOver: ++failures > most, untilMs: 59_500 },
  };
  const call = async () => {
    if (known instanceof DomainError) throw known;
    return known;
  };
  front.admit = admission({
    keys: new KnownKeys({ call: call as never }, 'test'),
    counts,
    failures: new FailedAttempts(counts),
    addressRate: { perMinute: 1_000, burst: 2_000 },
    proxies: readProxies('')!,
  });
});
afterEach(() => front.server.close());

const refusedBy = (reason: string) => new DomainError('UNAUTHORIZED', 'No.', { details: { reason } });
const get = (path: string, headers = {}) => front.send('GET', path, { headers });
const price = (headers = {}) => get('/v1/samples/1/price', headers);
const buy = (headers = {}) => front.send('POST', '/v1/samples/1/buy', { body: '{"name":"x"}', headers });
const rename = (headers = {}) => front.send('PUT', '/samples/1/name', { body: '{"name":"x"}', headers });

describe('a route that needs a key', () => {
  it.each([
    ['no key', {}, 'missing'],
    ['what is none', bearer('hello'), 'malformed'],
    ['another scheme', { authorization: 'Basic aGVsbG8=' }, 'malformed'],
    ['a typing mistake', bearer(`${secret.slice(0, -1)}!`), 'malformed'],
    ['two different keys', { ...bearer(secret), 'x-api-key': publishable }, 'malformed'],
    ['a key of production', bearer(newKeyText('live', 'secret')), 'foreign_environment'],
    ['an empty header', { 'x-api-key': '' }, 'malformed'],
    ['a text of other letters', { 'x-api-key': 'tb_test_sk_\u00e9' }, 'malformed'],
  ])('answers %s by 401, in its style, and asks nobody', async (_name, headers, reason) => {
    known = new DomainError('INTERNAL_ERROR');
    const enveloped = await price(headers);
    expect([enveloped.statusCode, JSON.parse(enveloped.body)]).toEqual([
      401,
      {
        success: false,
        data: null,
        error: { code: 'UNAUTHORIZED', message: expect.any(String), details: { reason } },
        timestamp: expect.any(String),
      },
    ]);
    expect(enveloped.headers['www-authenticate']).toBe('Bearer realm="tollbridge"');
    const bare = await rename(headers);
    expect([bare.statusCode, JSON.parse(bare.body)]).toEqual([
      401,
      { code: 'UNAUTHORIZED', error: expect.any(String), details: { reason } },
    ]);
    expect(front.calls).toEqual([]);
  });

  it.each(['unknown', 'disabled', 'deleted', 'foreign_environment'])(
    'answers 401 when the key is %s',
    async (reason) => {
      known = refusedBy(reason);
      const reply = await buy(bearer(secret));
      expect([reply.statusCode, JSON.parse(reply.body).error.details]).toEqual([401, { reason }]);
      expect(front.calls).toEqual([]);
    },
  );

  it.each([
    ['Authorization', 'Bearer '],
    ['authorization', 'bearer '],
    ['X-API-Key', ''],
    ['x-api-key', ''],
  ])('lets a good one in by %s: %s', async (name, scheme) => {
    expect((await buy({ [name]: scheme + secret })).statusCode).toBe(200);
    const [{ context }] = front.calls as [(typeof front.calls)[0]];
    expect([keyIdOf(context), ownerOf(context)]).toEqual(['key-1', '0xOwner']);
  });

  it('takes either half where the publishable one will do, and both at once when they are the same', async () => {
    expect((await price(bearer(publishable))).statusCode).toBe(200);
    expect((await price(bearer(secret))).statusCode).toBe(200);
    expect((await price({ ...bearer(secret), 'x-api-key': secret })).statusCode).toBe(200);
  });

  it('answers the publishable half by 403 where the secret is needed', async () => {
    const reply = await buy(bearer(publishable));
    expect([reply.statusCode, JSON.parse(reply.body).error]).toEqual([
      403,
      { code: 'FORBIDDEN', message: expect.any(String), details: { reason: 'secret_required' } },
    ]);
    expect(front.calls).toEqual([]);
  });

  it.each([
    ['read', 200, 403, 403],
    ['pay', 403, 200, 403],
    ['write', 403, 403, 200],
  ] as const)('answers a key that may only %s by its permissions', async (permission, ...statuses) => {
    known = { ...(known as AuthenticateReply), permissions: [permission] };
    const replies = [await price(bearer(secret)), await buy(bearer(secret)), await rename(bearer(secret))];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(statuses);
    const refused = replies.find(({ statusCode }) => statusCode === 403)!;
    expect(refused.body).toContain('"reason":"permission_missing"');
  });

  it('answers before it reads a body', async () => {
    const body = 'x'.repeat(300 * 1024);
    const reply = await front.send('POST', '/v1/samples/1/buy', { body });
    expect(reply.statusCode).toBe(401);
  });

  it('answers 503, and lets nobody in, while keys cannot be checked', async () => {
    known = new DomainError('OUTCOME_UNKNOWN');
    const reply = await price(bearer(secret));
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1']);
    known = refusedBy('unknown');
    expect(failures).toBe(0);
  });
});

describe('a public route', () => {
  it('needs no key, but takes none that is not good', async () => {
    expect((await get('/samples')).statusCode).toBe(200);
    expect((await get('/samples', bearer('hello'))).statusCode).toBe(401);
    known = refusedBy('deleted');
    expect((await get('/samples', bearer(secret))).statusCode).toBe(401);
    expect(front.calls).toHaveLength(1);
    expect(front.calls[0]!.context.principal).toBe('public');
  });

  it('knows who calls when a key is presented, and asks for no permission', async () => {
    known = { ...(known as AuthenticateReply), permissions: [] };
    expect((await get('/samples', bearer(publishable))).statusCode).toBe(200);
    expect(front.calls[0]!.context.principal).toBe('key:key-1:0xOwner');
    expect(front.logged.at(-1)).toMatchObject({ key: 'key-1' });
  });

  it('believes no header about who calls', async () => {
    await get('/samples', { ...bearer(secret), 'tb-principal': 'key:2:0xOther' });
    expect(front.calls[0]!.context.principal).toBe('key:key-1:0xOwner');
  });
});

describe('what was presented', () => {
  it('stands in no log, no reply, and in nothing that leaves this process', async () => {
    const texts: string[] = [];
    const good = known;
    for (const text of [
      secret,
      publishable,
      newKeyText('live', 'secret'),
      'tb_test_sk_hello',
      'p@ssw0rd-x',
    ]) {
      for (const answer of [good, refusedBy('unknown'), new DomainError('INTERNAL_ERROR')]) {
        known = answer;
        for (const headers of [bearer(text), { 'x-api-key': text }, { ...bearer(text), 'x-api-key': secret }])
          texts.push((await get('/samples', headers)).body, JSON.stringify((await buy(headers)).headers));
      }
    }
    const all = JSON.stringify([texts, front.logged, front.calls, await front.metrics.registry.metrics()]);
    for (const part of [secret.slice(11), publishable.slice(11), 'hello', 'p@ssw0rd'])
      expect(all).not.toContain(part);
  });
});

describe('a limit', () => {
  it('is that of the key, told in headers', async () => {
    const reply = await get('/samples', bearer(secret));
    expect(takes).toEqual([['key:key-1', { perMinute: 100, burst: 200 }]]);
    expect(reply.headers).toMatchObject({
      'ratelimit-policy': '"free";q=200;w=120',
      ratelimit: '"free";r=199;t=1',
    });
  });

  it('is that of the address without a key', async () => {
    const reply = await get('/samples');
    expect(takes).toEqual([['address:127.0.0.1', { perMinute: 1_000, burst: 2_000 }]]);
    expect(reply.headers['ratelimit-policy']).toBe('"address";q=2000;w=120');
  });

  it('is not asked for where there is none', async () => {
    known = { ...(known as AuthenticateReply), plan: 'enterprise', rate: null };
    const reply = await get('/samples', bearer(secret));
    expect([reply.statusCode, takes]).toEqual([200, []]);
    expect(reply.headers).not.toHaveProperty('ratelimit');
  });

  it.each([
    [() => get('/samples'), false],
    [() => buy(bearer(secret)), true],
  ])('that is reached is 429 in the style of the route, and says when', async (send, isEnvelope) => {
    taken = { isAllowed: false, remaining: 0, waitMs: 1_200.5, untilFullMs: 120_000 };
    const reply = await send();
    const body = JSON.parse(reply.body);
    expect([reply.statusCode, reply.headers['retry-after'], body.retryAfter]).toEqual([429, '2', 2]);
    expect((isEnvelope ? body.error : body).code).toBe('RATE_LIMIT_EXCEEDED');
    expect(reply.headers['ratelimit']).toMatch(/^"(free|address)";r=0;t=120$/);
    expect(front.calls).toEqual([]);
  });

  it('counts what is forbidden or lacks a key too', async () => {
    await buy(bearer(publishable));
    await buy();
    expect(takes).toHaveLength(2);
  });

  it('that nobody can count lets reading pass, and what costs wait', async () => {
    taken = undefined;
    expect((await get('/samples')).statusCode).toBe(200);
    expect((await price(bearer(secret))).statusCode).toBe(200);
    for (const reply of [await buy(bearer(secret)), await front.send('DELETE', '/samples/1')])
      expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1']);
    // It says of itself that it costs little.
    expect((await rename(bearer(secret))).statusCode).toBe(200);
    known = { ...(known as AuthenticateReply), rate: null };
    front.calls.length = 0;
    expect((await buy(bearer(newKeyText('test', 'secret')))).statusCode).toBe(200);
  });

  it('is for routes of operations only: a preflight, an unknown path and a wrong method are not counted', async () => {
    await front.send('OPTIONS', '/samples');
    await get('/nothing', bearer('hello'));
    await front.send('DELETE', '/samples');
    expect([takes, failures]).toEqual([[], 0]);
  });
});

describe('failed authentications', () => {
  it('are 60 a minute of one address, then 429, whatever is presented', async () => {
    for (let attempt = 0; attempt < 60; attempt++)
      expect((await price(bearer('hello'))).statusCode).toBe(401);
    for (const headers of [bearer('hello'), bearer(secret), { 'x-api-key': publishable }]) {
      const reply = await price(headers);
      expect([reply.statusCode, JSON.parse(reply.body).retryAfter]).toEqual([429, 60]);
      expect(reply.headers).toMatchObject({
        'retry-after': '60',
        'ratelimit-policy': '"failed-keys";q=60;w=60',
        ratelimit: '"failed-keys";r=0;t=60',
      });
    }
    // Nobody is asked for them any more, and who presents nothing is not meant.
    expect(failures).toBe(61);
    expect((await get('/samples')).statusCode).toBe(200);
  });

  it('are not what lacks a key, nor what is forbidden', async () => {
    await buy();
    await buy(bearer(publishable));
    expect(failures).toBe(0);
  });

  it('are answered as such while nobody can count', async () => {
    failures = undefined;
    for (let attempt = 0; attempt < 70; attempt++)
      expect((await price(bearer('hello'))).statusCode).toBe(401);
  });
});

describe('a field that stands beside data', () => {
  it('is there in the envelope too, and data stays as it came', async () => {
    front.answer = async () => '{ "id" : "s\\u0061mple \\"1\\"", "amount":9007199254740993}';
    const { body } = await buy(bearer(secret));
    expect(body).toMatch(
      /^\{"success":true,"id":"sample \\"1\\"","data":\{ "id" : "s\\u0061mple .*\},"error":null,"timestamp":"/,
    );
    expect(Object.keys(JSON.parse(body))).toEqual(['success', 'id', 'data', 'error', 'timestamp']);
    front.answer = async () => '{}';
    expect(JSON.parse((await buy(bearer(secret))).body)).toMatchObject({ id: null, data: {} });
    expect(JSON.parse((await price(bearer(secret))).body)).not.toHaveProperty('id');
  });
});
