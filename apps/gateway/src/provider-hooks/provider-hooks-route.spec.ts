import { DomainError } from '@tollbridge/rpc';
import type { AdmissionRule } from '../routes/admission-rule';
import { GatewayHarness } from '../testing/gateway-harness';
import { ProviderHooksModule } from './provider-hooks.module';
import { providerHookRoutes } from './provider-hooks.routes';

const asked: Record<string, any>[] = [];
let answer: () => unknown = () => ({ received: true });
let harness: GatewayHarness;
const call = async (_operation: unknown, input: Record<string, unknown>) => {
  asked.push(input);
  return answer();
};

beforeAll(async () => {
  harness = await GatewayHarness.open({ imports: [ProviderHooksModule], routes: providerHookRoutes, call });
});
afterAll(() => harness.close());
beforeEach(() => {
  asked.splice(0);
  answer = () => ({ received: true });
  harness.admit = () => undefined;
});

const post = (url: string, payload: string | Buffer | undefined, headers: Record<string, string> = {}) =>
  harness.server.inject({ method: 'POST', url, headers, ...(payload !== undefined && { payload }) });
const bodyOf = (index = 0): string => Buffer.from(asked[index]!['body'], 'base64').toString('latin1');

it.each([
  ['application/json', '{"a": 1,\n "a":2}'],
  ['application/x-www-form-urlencoded', 'To=%2B447400123456&Body=a+b'],
  ['text/plain', 'any\u00ff'],
])('forwards a body of %s unchanged, with only its signature headers', async (type, body) => {
  const headers = { 'content-type': type, 'svix-id': 'msg_1', 'svix-signature': 'v1,abc', cookie: 'a=b' };
  const reply = await post('/hooks/resend', Buffer.from(body, 'latin1'), headers);
  expect([reply.statusCode, reply.json()]).toEqual([200, { received: true }]);
  expect(bodyOf()).toBe(body);
  expect(asked).toEqual([
    {
      provider: 'resend',
      body: expect.any(String),
      headers: { 'svix-id': 'msg_1', 'svix-signature': 'v1,abc' },
    },
  ]);
});

it('forwards the token of the path, and a request without a body', async () => {
  expect((await post('/hooks/sms-activate/abc-1_2', undefined)).statusCode).toBe(200);
  expect(asked).toEqual([{ provider: 'sms-activate', body: '', token: 'abc-1_2' }]);
});

it.each([
  ['UNAUTHORIZED', 401],
  ['NOT_FOUND', 404],
  // A body that the service cannot read gets the same reply as an unsigned one.
  ['VALIDATION_ERROR', 401],
] as const)('returns for %s of the service the status %d', async (code, status) => {
  answer = () => {
    throw new DomainError(code);
  };
  expect((await post('/hooks/reloadly', '{}')).statusCode).toBe(status);
});

it('rejects an invalid provider, a long signature and more than 64 KiB without a call', async () => {
  expect((await post('/hooks/No-Such', '{}')).statusCode).toBe(404);
  expect((await post('/hooks/reloadly/a%20b', '{}')).statusCode).toBe(404);
  expect((await post('/hooks/reloadly', Buffer.alloc(64 * 1024 + 1))).statusCode).toBe(413);
  expect(asked).toEqual([]);
  expect((await post('/hooks/reloadly', Buffer.alloc(64 * 1024))).statusCode).toBe(200);
  await post('/hooks/reloadly', '{}', { 'x-reloadly-signature': 'a'.repeat(513) });
  expect(asked[1]).toEqual({ provider: 'reloadly', body: expect.any(String) });
});

it('admits any client up to its own limit, and rejects before the body is read', async () => {
  const seen: AdmissionRule[] = [];
  harness.admit = (operation) => {
    seen.push(operation);
    throw new DomainError('RATE_LIMIT_EXCEEDED');
  };
  expect((await post('/hooks/reloadly', '{}')).statusCode).toBe(429);
  expect(seen).toMatchObject([{ auth: 'public', callsPerMinute: 1_000 }]);
  expect(asked).toEqual([]);
  expect((await harness.send('GET', '/hooks/reloadly')).statusCode).toBe(405);
});
