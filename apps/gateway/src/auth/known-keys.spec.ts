import type { AuthenticateReply } from '@tollbridge/contracts';
import { digestOfKey, newKeyText } from '@tollbridge/api-keys';
import { callContext, DomainError, type BusClient } from '@tollbridge/rpc';
import { KnownKeys } from './known-keys';
import { lifetimeMs } from './remembered';

const context = callContext();
let asked: { digest: string; kind: string }[];
let answer: () => Promise<AuthenticateReply>;
let keys: KnownKeys;

const reply = (keyId = 'key-1'): AuthenticateReply => ({
  ...{ keyId, owner: '0xOwner', permissions: ['read'], plan: 'free', rate: { perMinute: 100, burst: 200 } },
});

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  asked = [];
  answer = async () => reply();
  const call = async (_operation: unknown, input: { digest: string; kind: string }) => {
    asked.push(input);
    return answer();
  };
  keys = new KnownKeys({ call: call as unknown as BusClient['call'] }, 'test');
});
afterEach(() => jest.useRealTimers());

const secret = newKeyText('test', 'secret');
const refusal = (text: string): Promise<unknown> =>
  Promise.resolve()
    .then(() => keys.find(text, context))
    .then(
      () => 'none',
      (error: DomainError) => (error.details as { reason: string } | undefined)?.reason ?? error.code,
    );

it('asks by the digest, once, and remembers', async () => {
  expect(await keys.find(secret, context)).toEqual({ ...reply(), kind: 'secret' });
  expect(keys.find(secret, context)).toEqual({ ...reply(), kind: 'secret' });
  expect(asked).toEqual([{ digest: digestOfKey(secret), kind: 'secret' }]);
  expect(JSON.stringify(asked)).not.toContain(secret);
});

it('asks once for all who present a key at the same time', async () => {
  const asking = Array.from({ length: 50 }, () => Promise.resolve(keys.find(secret, context)));
  const found = await Promise.all(asking);
  expect(new Set(found).size).toBe(1);
  expect(asked).toHaveLength(1);
});

it('asks again when the time is over', async () => {
  await keys.find(secret, context);
  jest.advanceTimersByTime(lifetimeMs - 1);
  await keys.find(secret, context);
  expect(asked).toHaveLength(1);
  jest.advanceTimersByTime(1);
  await keys.find(secret, context);
  expect(asked).toHaveLength(2);
});

it('forgets the key that changed, by either half, and no other', async () => {
  const [publishable, other] = [newKeyText('test', 'publishable'), newKeyText('test', 'secret')];
  await keys.find(secret, context);
  await keys.find(publishable, context);
  answer = async () => reply('key-2');
  await keys.find(other, context);
  keys.forget('key-1');
  expect(keys.size).toBe(1);
  expect(keys.find(other, context)).toMatchObject({ keyId: 'key-2' });
  keys.forgetAll();
  expect(keys.size).toBe(0);
});

it('does not remember what was asked before a change was told', async () => {
  let respond!: (known: AuthenticateReply) => void;
  answer = () => new Promise((resolve) => (respond = resolve));
  const found = keys.find(secret, context);
  await Promise.resolve();
  keys.forget('key-of-another');
  // Who comes now asks anew instead of waiting for the old answer.
  const again = keys.find(secret, context);
  expect(asked).toHaveLength(2);
  respond(reply());
  await again;
  keys.forgetAll();
  void Promise.resolve(found).catch(() => undefined);
  expect(keys.size).toBe(0);
});

it('remembers a bounded number of keys, the newest', async () => {
  for (let count = 0; count < 10_050; count++) await keys.find(newKeyText('test', 'secret'), context);
  expect(keys.size).toBe(10_000);
}, 60_000);

it.each([
  ['malformed', 'tb_test_sk_1'],
  ['malformed', `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`],
  ['malformed', 'ключ'],
  ['malformed', newKeyText('test', 'session')],
  ['malformed', newKeyText('live', 'secret').replace('live', 'test')],
  ['foreign_environment', newKeyText('live', 'secret')],
  ['foreign_environment', newKeyText('live', 'publishable')],
])('says %s without asking anybody: %s', async (reason, text) => {
  expect(await refusal(text)).toBe(reason);
  expect(asked).toEqual([]);
});

it.each(['unknown', 'disabled', 'deleted'])(
  'passes on that a key is %s, and does not remember it',
  async (reason) => {
    answer = async () => {
      throw new DomainError('UNAUTHORIZED', 'No.', { details: { reason } });
    };
    expect(await refusal(secret)).toBe(reason);
    expect(await refusal(secret)).toBe(reason);
    expect(asked).toHaveLength(2);
  },
);

it.each(['OUTCOME_UNKNOWN', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'] as const)(
  'lets nobody in while nobody can say, and invites to repeat: %s',
  async (code) => {
    answer = async () => {
      throw new DomainError(code);
    };
    expect(await refusal(secret)).toBe('SERVICE_UNAVAILABLE');
    answer = async () => reply();
    expect(await refusal(secret)).toBe('none');
  },
);
