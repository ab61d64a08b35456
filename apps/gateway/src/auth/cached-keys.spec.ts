import type { AuthenticateReply } from '@tollbridge/contracts';
import { digestOfKey, newKeyText } from '@tollbridge/api-keys';
import { callContext, DomainError, type BusClient } from '@tollbridge/rpc';
import { CachedKeys } from './cached-keys';
import { lifetimeMs } from './credential-cache';

const context = callContext();
let asked: { digest: string; kind: string }[];
let answer: () => Promise<AuthenticateReply>;
let keys: CachedKeys;

const reply = (keyId = 'key-1'): AuthenticateReply => ({
  keyId,
  owner: '0xOwner',
  permissions: ['read'],
  plan: 'free',
  rate: { perMinute: 100, burst: 200 },
});

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  // An entry that is created at time 0 never expires in lru-cache.
  jest.advanceTimersByTime(1);
  asked = [];
  answer = async () => reply();
  const call = async (_operation: unknown, input: { digest: string; kind: string }) => {
    asked.push(input);
    return answer();
  };
  keys = new CachedKeys({ call: call as unknown as BusClient['call'] }, 'test');
});
afterEach(() => jest.useRealTimers());

const secret = newKeyText('test', 'secret');
const reasonOf = (text: string): Promise<unknown> =>
  Promise.resolve()
    .then(() => keys.find(text, context))
    .then(
      () => 'none',
      (error: DomainError) => (error.details as { reason: string } | undefined)?.reason ?? error.code,
    );

/** Advances the timers past the delays between attempts. */
async function afterRetries<T>(work: Promise<T>): Promise<T> {
  await jest.advanceTimersByTimeAsync(4_000);
  return work;
}

describe('CachedKeys', () => {
  it('looks up a key by its digest, and caches it', async () => {
    expect(await keys.find(secret, context)).toEqual({ ...reply(), kind: 'secret' });
    expect(keys.find(secret, context)).toEqual({ ...reply(), kind: 'secret' });
    expect(asked).toEqual([{ digest: digestOfKey(secret), kind: 'secret' }]);
    expect(JSON.stringify(asked)).not.toContain(secret);
  });

  it('shares one lookup between concurrent requests', async () => {
    const lookups = Array.from({ length: 50 }, () => Promise.resolve(keys.find(secret, context)));
    const found = await Promise.all(lookups);
    expect(new Set(found).size).toBe(1);
    expect(asked).toHaveLength(1);
  });

  it('looks up a key again after its entry has expired', async () => {
    await keys.find(secret, context);
    jest.advanceTimersByTime(lifetimeMs);
    expect(keys.find(secret, context)).toBeInstanceOf(Promise);
    expect(asked).toHaveLength(2);
  });

  it('refreshes a key in use before its entry expires, without delaying a request', async () => {
    await keys.find(secret, context);
    for (let elapsedMs = 0; elapsedMs < 10 * lifetimeMs; elapsedMs += 1_000) {
      await jest.advanceTimersByTimeAsync(1_000);
      expect(keys.find(secret, context)).toMatchObject({ keyId: 'key-1' });
    }
    expect(asked.length).toBeLessThan(30);
  });

  it('serves a cached key until its entry expires while it cannot be refreshed', async () => {
    await keys.find(secret, context);
    answer = async () => {
      throw new DomainError('SERVICE_UNAVAILABLE');
    };
    await jest.advanceTimersByTimeAsync(lifetimeMs - 1);
    expect(keys.find(secret, context)).toMatchObject({ keyId: 'key-1' });
    await jest.advanceTimersByTimeAsync(1);
    expect(await afterRetries(reasonOf(secret))).toBe('SERVICE_UNAVAILABLE');
  });

  it('drops a key when its refresh returns that it is disabled', async () => {
    await keys.find(secret, context);
    answer = async () => {
      throw new DomainError('UNAUTHORIZED', 'No.', { details: { reason: 'disabled' } });
    };
    await jest.advanceTimersByTimeAsync(lifetimeMs - 1);
    void keys.find(secret, context);
    await jest.advanceTimersByTimeAsync(0);
    expect(await reasonOf(secret)).toBe('disabled');
  });

  it.each(['OUTCOME_UNKNOWN', 'SERVICE_UNAVAILABLE'] as const)(
    'serves all 64 requests that wait for one lookup when its first call ends with %s',
    async (code) => {
      const answers = [Promise.reject(new DomainError(code)), Promise.resolve(reply())];
      answer = () => answers.shift()!;
      const found = Promise.all(Array.from({ length: 64 }, () => reasonOf(secret)));
      expect(new Set(await afterRetries(found))).toEqual(new Set(['none']));
      expect(asked).toHaveLength(2);
    },
  );

  it('invalidates both halves of a changed key, but no other key', async () => {
    const [publishable, other] = [newKeyText('test', 'publishable'), newKeyText('test', 'secret')];
    await keys.find(secret, context);
    await keys.find(publishable, context);
    answer = async () => reply('key-2');
    await keys.find(other, context);
    keys.invalidate('key-1');
    expect(keys.size).toBe(1);
    expect(keys.find(other, context)).toMatchObject({ keyId: 'key-2' });
    keys.invalidateAll();
    expect(keys.size).toBe(0);
  });

  it('does not cache a reply to a lookup that began before a change', async () => {
    const replies: ((reply: AuthenticateReply) => void)[] = [];
    answer = () => new Promise((resolve) => replies.push(resolve));
    const outdated = Promise.resolve(keys.find(secret, context));
    await Promise.resolve();
    keys.invalidate('key-of-another');
    replies[0]!(reply());
    await outdated;
    expect(keys.size).toBe(0);
    const current = Promise.resolve(keys.find(secret, context));
    await Promise.resolve();
    expect(asked).toHaveLength(2);
    replies[1]!(reply());
    await current;
    expect(keys.size).toBe(1);
  });

  it('starts a new lookup after a change instead of waiting for the outdated one', async () => {
    answer = () => new Promise(() => undefined);
    void keys.find(secret, context);
    await Promise.resolve();
    keys.invalidate('key-of-another');
    answer = async () => reply();
    await expect(keys.find(secret, context)).resolves.toMatchObject({ keyId: 'key-1' });
    expect(asked).toHaveLength(2);
  });

  it('limits the number of cached keys', async () => {
    for (let count = 0; count < 10_050; count++) await keys.find(newKeyText('test', 'secret'), context);
    expect(keys.size).toBe(10_000);
  });

  it.each([
    ['malformed', 'tb_test_sk_1'],
    ['malformed', `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`],
    ['malformed', 'ключ'],
    ['malformed', newKeyText('test', 'session')],
    ['malformed', newKeyText('live', 'secret').replace('live', 'test')],
    ['foreign_environment', newKeyText('live', 'secret')],
    ['foreign_environment', newKeyText('live', 'publishable')],
  ])('rejects as %s without a lookup: %s', async (reason, text) => {
    expect(await reasonOf(text)).toBe(reason);
    expect(asked).toEqual([]);
  });

  it.each(['unknown', 'disabled', 'deleted'])(
    'returns that a key is %s, and does not cache the reply',
    async (reason) => {
      answer = async () => {
        throw new DomainError('UNAUTHORIZED', 'No.', { details: { reason } });
      };
      expect(await reasonOf(secret)).toBe(reason);
      expect(await reasonOf(secret)).toBe(reason);
      expect(asked).toHaveLength(2);
    },
  );

  it.each(['OUTCOME_UNKNOWN', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'] as const)(
    'returns 503 while the lookup fails with %s, and recovers',
    async (code) => {
      answer = async () => {
        throw new DomainError(code);
      };
      expect(await afterRetries(reasonOf(secret))).toBe('SERVICE_UNAVAILABLE');
      answer = async () => reply();
      expect(await reasonOf(secret)).toBe('none');
    },
  );
});
