import { DomainError, type BusClient, type Operation } from '@tollbridge/rpc';
import { SampleFront } from '../testing/sample-front';
import { addHookRoutes } from './hook-routes';

const asked: Record<string, any>[] = [];
let answer: () => unknown = () => ({ received: true });
const front = new SampleFront();
const call = async (_operation: unknown, input: Record<string, unknown>) => {
  asked.push(input);
  return answer();
};
addHookRoutes(front.server, { call } as unknown as Pick<BusClient, 'call'>, {
  admit: (...request) => front.admit(...request),
});
afterAll(() => front.server.close());
beforeEach(() => {
  asked.splice(0);
  answer = () => ({ received: true });
  front.admit = () => undefined;
});

const post = (url: string, payload: string | Buffer | undefined, headers: Record<string, string> = {}) =>
  front.server.inject({ method: 'POST', url, headers, ...(payload !== undefined && { payload }) });
const bodyOf = (index = 0): string => Buffer.from(asked[index]!['body'], 'base64').toString('latin1');

it.each([
  ['application/json', '{"a": 1,\n "a":2}'],
  ['application/x-www-form-urlencoded', 'To=%2B447400123456&Body=a+b'],
  ['text/plain', 'any\u00ff'],
])('passes a body of %s on as it came, with its signature and nothing else', async (type, body) => {
  const headers = { 'content-type': type, 'svix-id': 'msg_1', 'svix-signature': 'v1,abc', cookie: 'a=b' };
  const reply = await post('/hooks/resend', Buffer.from(body, 'latin1'), headers);
  expect([reply.statusCode, reply.json()]).toEqual([200, { received: true }]);
  expect(bodyOf()).toBe(body);
  expect(asked).toEqual([
    {
      ...{ provider: 'resend', body: expect.any(String) },
      headers: { 'svix-id': 'msg_1', 'svix-signature': 'v1,abc' },
    },
  ]);
});

it('passes on what stands behind the provider, and a request without a body', async () => {
  expect((await post('/hooks/sms-activate/abc-1_2', undefined)).statusCode).toBe(200);
  expect(asked).toEqual([{ provider: 'sms-activate', body: '', token: 'abc-1_2' }]);
});

it.each([
  ['UNAUTHORIZED', 401],
  ['NOT_FOUND', 404],
  // What the service cannot even read is not signed.
  ['VALIDATION_ERROR', 401],
] as const)('answers %s of the service by %d', async (code, status) => {
  answer = () => {
    throw new DomainError(code);
  };
  expect((await post('/hooks/reloadly', '{}')).statusCode).toBe(status);
});

it('asks nobody about what is no provider, a signature without end, or more than 64 KiB', async () => {
  expect((await post('/hooks/No-Such', '{}')).statusCode).toBe(404);
  expect((await post('/hooks/reloadly/a%20b', '{}')).statusCode).toBe(404);
  expect((await post('/hooks/reloadly', Buffer.alloc(64 * 1024 + 1))).statusCode).toBe(413);
  expect(asked).toEqual([]);
  expect((await post('/hooks/reloadly', Buffer.alloc(64 * 1024))).statusCode).toBe(200);
  await post('/hooks/reloadly', '{}', { 'x-reloadly-signature': 'a'.repeat(513) });
  expect(asked[1]).toEqual({ provider: 'reloadly', body: expect.any(String) });
});

it('is open to everybody, counted by itself, and refused before the body is read', async () => {
  const seen: Operation[] = [];
  front.admit = (operation) => {
    seen.push(operation);
    throw new DomainError('RATE_LIMIT_EXCEEDED');
  };
  expect((await post('/hooks/reloadly', '{}')).statusCode).toBe(429);
  expect(seen).toMatchObject([{ auth: 'public', callsPerMinute: 1_000 }]);
  expect(asked).toEqual([]);
  expect((await front.send('GET', '/hooks/reloadly')).statusCode).toBe(405);
});
