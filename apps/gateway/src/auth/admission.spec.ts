import { newKeyText } from '@tollbridge/api-keys';
import { DomainError, keyIdOf, makerOf, ownerOf, type Feature } from '@tollbridge/rpc';
import { smsApi, swapQuotesApi, type AuthenticateReply } from '@tollbridge/contracts';
import { CachedKeys } from './cached-keys';
import { CachedSessions } from './cached-sessions';
import { suspectLookups } from './suspect-lookups';
import { readProxies } from '../client-address/client-address';
import { FailedAttempts } from '../rate-limit/failed-attempts';
import type { Rate } from '../rate-limit/rate';
import type { Taken } from '../rate-limit/shared-counts';
import { failureIds, GatewayHarness } from '../testing/gateway-harness';
import { RateLimiter } from '../rate-limit/rate-limiter';
import { operationRoutes } from '../routes/gateway-routes';
import { SessionCookie } from './session-cookie';
import { Admission, type AdmissionOptions, type UnprovenWallet } from './admission';

const secret = newKeyText('test', 'secret');
const publishable = newKeyText('test', 'publishable');
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

let harness: GatewayHarness;
let known: AuthenticateReply | DomainError;
/** The reply of the rate limit bucket; undefined while Redis is unavailable. */
let taken: Partial<Taken> | undefined;
let takes: [bucket: string, rate: Rate][];
let failures: number | undefined;
let options: () => AdmissionOptions;
/** The reply of the merchant app to a session lookup. */
let session: { sessionId: string; wallet: string } | DomainError;
let unproven: UnprovenWallet[];

beforeEach(async () => {
  harness = await GatewayHarness.open();
  known = {
    keyId: 'key-1',
    owner: '0xOwner',
    permissions: ['read', 'pay', 'write'],
    plan: 'free',
    rate: { perMinute: 100, burst: 200 },
  } as AuthenticateReply;
  taken = {};
  takes = [];
  failures = 0;
  const full: Taken = { isAllowed: true, remaining: 99, waitMs: 0, untilFullMs: 600 };
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
  session = { sessionId: 'session-1', wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' };
  unproven = [];
  const callSession = async () => {
    if (session instanceof DomainError) throw session;
    return session;
  };
  options = () => ({
    keys: new CachedKeys({ call: call as never }, 'test'),
    limiter: new RateLimiter(counts),
    failedKeys: new FailedAttempts(counts, 'keys'),
    failedProofs: new FailedAttempts(counts, 'proofs'),
    suspectLookup: suspectLookups(1, 1),
    sessions: new CachedSessions({ call: callSession as never }, 'test'),
    sessionCookie: new SessionCookie('http://127.0.0.1:3000'),
    environment: 'sandbox',
    onUnproven: (wallet) => unproven.push(wallet),
    addressRate: { perMinute: 1_000, burst: 2_000 },
    proxies: readProxies('')!,
  });
  admitBy(options());
});
afterEach(() => harness.close());

/** Replaces the admission of the harness by a real `Admission`. */
function admitBy(given: AdmissionOptions): void {
  const admission = new Admission(given);
  harness.admit = (...request) => admission.admit(...request);
}

const rejectedBy = (reason: string) => new DomainError('UNAUTHORIZED', 'No.', { details: { reason } });
const get = (path: string, headers = {}) => harness.send('GET', path, { headers });
const price = (headers = {}) => get('/v1/samples/1/price', headers);
const buy = (headers = {}) => harness.send('POST', '/v1/samples/1/buy', { body: '{"name":"x"}', headers });
const rename = (headers = {}) => harness.send('PUT', '/samples/1/name', { body: '{"name":"x"}', headers });

describe('a route that needs a wallet', () => {
  const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const own = (headers = {}) => get('/samples/own', headers);
  const storeNotes = (headers = {}) => harness.send('PUT', '/samples/1/notes', { body: '{"a":1}', headers });
  const outcomeOf = (reply: { statusCode: number; body: string }) => {
    const { details } = JSON.parse(reply.body) as { details?: { reason: string } };
    return [reply.statusCode, details?.reason];
  };

  it("accepts every spelling of the wallet's address, and sets the principal", async () => {
    for (const named of [wallet, wallet.toLowerCase()]) {
      expect((await own({ 'x-wallet': named })).statusCode).toBe(200);
      expect(harness.calls.pop()!.context.principal).toBe(`wallet:${wallet}`);
    }
    expect(takes.map(([bucket]) => bucket)).toEqual(['address:127.0.0.1', 'address:127.0.0.1']);
  });

  it.each([
    ['no wallet', {}, 'wallet_missing'],
    ['an empty wallet', { 'x-wallet': '' }, 'wallet_malformed'],
    ['two wallets', { 'x-wallet': `${wallet}, ${wallet}` }, 'wallet_malformed'],
    ['a lookalike wallet', { 'x-wallet': wallet.replace('C5', 'C6') }, 'wallet_malformed'],
  ])('returns 401 for %s', async (_name, headers, reason) => {
    expect(outcomeOf(await own(headers))).toEqual([401, reason]);
    expect(harness.calls).toEqual([]);
  });

  it('rejects a wallet without a proof outside the sandbox', async () => {
    await harness.close();
    harness = await GatewayHarness.open();
    admitBy({ ...options(), environment: 'test' });
    expect(outcomeOf(await own({ 'x-wallet': wallet }))).toEqual([401, 'wallet_unproven']);
    expect(outcomeOf(await storeNotes({ 'x-wallet': wallet }))).toEqual([401, 'wallet_unproven']);
    expect(harness.calls).toEqual([]);
  });

  it('rejects a key unless the route accepts both', async () => {
    known = { ...(known as AuthenticateReply), owner: wallet };
    expect(outcomeOf(await own(bearer(secret)))).toEqual([403, 'wallet_required']);
    expect((await storeNotes(bearer(secret))).statusCode).toBe(200);
    expect((await storeNotes({ ...bearer(secret), 'x-wallet': wallet })).statusCode).toBe(200);
    expect((await storeNotes({ 'x-wallet': wallet })).statusCode).toBe(200);
    expect(harness.calls.map(({ context }) => ownerOf(context))).toEqual([wallet, wallet, wallet]);
    expect(outcomeOf(await storeNotes())).toEqual([401, 'missing']);
    expect(outcomeOf(await storeNotes({ 'x-wallet': 'x' }))).toEqual([401, 'wallet_malformed']);
    expect(outcomeOf(await storeNotes(bearer(publishable)))).toEqual([403, 'secret_required']);
  });

  it('rejects a key with the wallet of another merchant in the header', async () => {
    expect(outcomeOf(await storeNotes({ ...bearer(secret), 'x-wallet': wallet }))).toEqual([
      401,
      'wallet_mismatch',
    ]);
    expect(outcomeOf(await storeNotes({ ...bearer(secret), 'x-wallet': 'x' }))).toEqual([
      401,
      'wallet_malformed',
    ]);
    expect(harness.calls).toEqual([]);
    // Each request counts for the key, and as a failed attempt of the address.
    expect([takes.map(([bucket]) => bucket), failures]).toEqual([['key:key-1', 'key:key-1'], 2]);
  });
});

describe('a wallet that has signed in', () => {
  const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
  const token = newKeyText('test', 'session');
  const signedIn = { ...bearer(token), 'x-wallet': wallet };
  const own = (headers = {}) => get('/samples/own', headers);
  const storeNotes = (headers = {}) => harness.send('PUT', '/samples/1/notes', { body: '{"a":1}', headers });
  const outcomeOf = (reply: { statusCode: number; body: string }) => {
    const { details, error } = JSON.parse(reply.body) as Record<string, any>;
    return [reply.statusCode, (details ?? error?.details)?.reason];
  };

  describe.each(['sandbox', 'test', 'production'] as const)('in %s', (environment) => {
    const mode = environment === 'production' ? 'live' : 'test';
    const here = newKeyText(mode, 'session');
    const present = (headers = {}) => ({ ...bearer(here), 'x-wallet': wallet, ...headers });
    beforeEach(async () => {
      await harness.close();
      harness = await GatewayHarness.open();
      const call = async () => {
        if (session instanceof DomainError) throw session;
        return session;
      };
      const sessions = new CachedSessions({ call: call as never }, mode);
      admitBy({ ...options(), sessions, environment });
    });

    it('accepts the session of the wallet in the header, in any spelling of its address', async () => {
      for (const named of [wallet, wallet.toLowerCase(), `0x${wallet.slice(2).toUpperCase()}`])
        for (const reply of [
          await own(present({ 'x-wallet': named })),
          await storeNotes(present({ 'x-wallet': named })),
        ])
          expect(reply.statusCode).toBe(200);
      const principals = harness.calls.map(({ context }) => context.principal);
      expect(new Set(principals)).toEqual(new Set([`wallet:${wallet}`]));
      expect(takes.every(([bucket]) => bucket === 'address:127.0.0.1')).toBe(true);
    });

    it.each([
      ['no wallet', {}, 'wallet_missing'],
      ['an empty wallet', { 'x-wallet': '' }, 'wallet_malformed'],
      ['another wallet', { 'x-wallet': other }, 'wallet_mismatch'],
      ['two wallets', { 'x-wallet': `${wallet}, ${other}` }, 'wallet_malformed'],
      ['a non-ASCII lookalike', { 'x-wallet': wallet.replace('C5', '\u00c75') }, 'wallet_malformed'],
      ['a wallet with a wrong checksum', { 'x-wallet': wallet.replace('C5', 'c5') }, 'wallet_malformed'],
    ])('rejects a session with %s in the header', async (_title, headers, reason) => {
      expect(outcomeOf(await own({ ...bearer(here), ...headers }))).toEqual([401, reason]);
      expect(outcomeOf(await storeNotes({ ...bearer(here), ...headers }))).toEqual([401, reason]);
      expect(harness.calls).toEqual([]);
    });

    it.each(['session_unknown', 'session_expired', 'session_revoked'])(
      'rejects a session and counts a failed attempt when the merchant app returns %s',
      async (reason) => {
        session = rejectedBy(reason);
        expect(outcomeOf(await own(present()))).toEqual([401, reason]);
        expect(failures).toBe(1);
      },
    );
  });

  it('authenticates the session on public routes too', async () => {
    expect((await get('/samples', bearer(token))).statusCode).toBe(200);
    expect((await get('/samples', signedIn)).statusCode).toBe(200);
    expect(harness.calls.map(({ context }) => context.principal)).toEqual([
      `wallet:${wallet}`,
      `wallet:${wallet}`,
    ]);
    expect(outcomeOf(await get('/samples', { ...signedIn, 'x-wallet': other }))).toEqual([
      401,
      'wallet_mismatch',
    ]);
  });

  it('rejects the session on a route that needs a key', async () => {
    expect(outcomeOf(await price(signedIn))).toEqual([403, 'key_required']);
    expect(outcomeOf(await buy(signedIn))).toEqual([403, 'key_required']);
    expect(harness.calls).toEqual([]);
  });

  it.each([
    ['a token of another environment', bearer(newKeyText('live', 'session')), 'foreign_environment'],
    ['a mistyped token', bearer(`${token.slice(0, -1)}!`), 'malformed'],
    [
      'a second, different token',
      { ...bearer(token), 'x-api-key': newKeyText('test', 'session') },
      'malformed',
    ],
  ])('rejects without a lookup: %s', async (_title, headers, reason) => {
    session = new DomainError('INTERNAL_ERROR');
    expect(outcomeOf(await own({ 'x-wallet': wallet, ...headers }))).toEqual([401, reason]);
    expect(failures).toBe(1);
  });

  it('returns 503 while sessions cannot be verified', async () => {
    session = new DomainError('OUTCOME_UNKNOWN');
    expect((await own(signedIn)).statusCode).toBe(503);
    expect(failures).toBe(0);
  });

  it('logs a request with a wallet but without a proof, with the request id', async () => {
    await own({ ...signedIn, 'x-wallet': other });
    await storeNotes({ ...bearer(secret), 'x-wallet': other });
    admitBy({ ...options(), environment: 'production' });
    const { headers } = await own({ 'x-wallet': wallet });
    await own({ 'x-wallet': 'x' });
    const caller = '127.0.0.0/24';
    expect(unproven).toEqual([
      {
        requestId: expect.any(String),
        operation: 'op.samples.samples.own-samples',
        wallet: other,
        caller,
        reason: 'wallet_mismatch',
      },
      {
        requestId: expect.any(String),
        operation: 'op.samples.samples.store-notes',
        wallet: other,
        caller,
        reason: 'wallet_mismatch',
      },
      {
        requestId: headers['x-request-id'],
        operation: 'op.samples.samples.own-samples',
        wallet,
        caller,
        reason: 'wallet_unproven',
      },
    ]);
    expect(JSON.stringify(unproven)).not.toContain(token.slice(11));
  });
});

describe('a request with a wallet and an API key', () => {
  const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
  const named = { 'x-wallet': wallet };
  const own = (headers = {}) => get('/samples/own', headers);
  const storeNotes = (headers = {}) => harness.send('PUT', '/samples/1/notes', { body: '{"a":1}', headers });
  const reasonOf = (reply: { statusCode: number; body: string }) => {
    const { details, error } = JSON.parse(reply.body) as Record<string, any>;
    return [reply.statusCode, (details ?? error?.details)?.reason];
  };
  const principals = () => harness.calls.map(({ context }) => context.principal);
  const asWallet = `wallet:${wallet}`;
  const asKey = `key:key-1:${wallet}`;
  beforeEach(() => {
    known = { ...(known as AuthenticateReply), owner: wallet };
  });

  describe('in the sandbox, where the header proves the wallet', () => {
    it.each([
      ['a secret in Authorization', bearer(secret)],
      ['a secret in X-API-Key', { 'x-api-key': secret }],
      ['a publishable key', bearer(publishable)],
    ])('authenticates as the wallet on a wallet route, even with %s', async (_title, headers) => {
      expect((await own({ ...headers, ...named })).statusCode).toBe(200);
      expect(principals()).toEqual([asWallet]);
    });

    it('authenticates as the key where the permissions of the key suffice, otherwise as the wallet', async () => {
      expect((await storeNotes({ ...bearer(secret), ...named })).statusCode).toBe(200);
      expect((await storeNotes({ ...bearer(publishable), ...named })).statusCode).toBe(200);
      admitBy(options());
      known = { ...(known as AuthenticateReply), permissions: ['read'] };
      expect((await storeNotes({ ...bearer(secret), ...named })).statusCode).toBe(200);
      expect(principals()).toEqual([asKey, asWallet, asWallet]);
    });

    it('adds no permission on a route that accepts only a key', async () => {
      known = { ...(known as AuthenticateReply), permissions: ['read'] };
      expect(reasonOf(await buy({ ...bearer(secret), ...named }))).toEqual([403, 'permission_missing']);
      expect(reasonOf(await buy({ ...bearer(publishable), ...named }))).toEqual([403, 'secret_required']);
      expect(harness.calls).toEqual([]);
    });
  });

  describe.each(['test', 'production'] as const)('in %s, where the wallet must sign in', (environment) => {
    const mode = environment === 'production' ? 'live' : 'test';
    const hereSecret = newKeyText(mode, 'secret');
    const herePublishable = newKeyText(mode, 'publishable');
    const signedIn = { ...bearer(newKeyText(mode, 'session')), ...named };
    let sessionLookups: number;
    beforeEach(async () => {
      await harness.close();
      harness = await GatewayHarness.open();
      sessionLookups = 0;
      const answer = (it: object | DomainError) => {
        if (it instanceof DomainError) throw it;
        return it;
      };
      const keys = new CachedKeys({ call: (async () => answer(known)) as never }, mode);
      const call = async () => {
        sessionLookups++;
        return answer(session);
      };
      const sessions = new CachedSessions({ call: call as never }, mode);
      admitBy({ ...options(), keys, sessions, environment });
    });

    it('authenticates as the wallet of the session on a wallet route, even with a key of the wallet', async () => {
      for (const key of [hereSecret, herePublishable])
        expect((await own({ ...signedIn, 'x-api-key': key })).statusCode).toBe(200);
      expect(principals()).toEqual([asWallet, asWallet]);
      expect(takes.map(([bucket]) => bucket)).toEqual(['key:key-1', 'key:key-1']);
    });

    it('authenticates as the key where the permissions of the key suffice, otherwise as the wallet', async () => {
      expect((await storeNotes({ ...signedIn, 'x-api-key': hereSecret })).statusCode).toBe(200);
      expect((await price({ ...signedIn, 'x-api-key': hereSecret })).statusCode).toBe(200);
      expect((await get('/samples', { ...signedIn, 'x-api-key': hereSecret })).statusCode).toBe(200);
      expect((await storeNotes({ ...signedIn, 'x-api-key': herePublishable })).statusCode).toBe(200);
      expect(principals()).toEqual([asKey, asKey, asKey, asWallet]);
    });

    it('rejects a key without a wallet, since a key must not manage keys', async () => {
      expect(reasonOf(await own({ ...bearer(hereSecret), ...named }))).toEqual([401, 'wallet_unproven']);
      expect(reasonOf(await own({ ...bearer(herePublishable), ...named }))).toEqual([401, 'wallet_unproven']);
      expect(reasonOf(await storeNotes({ ...bearer(herePublishable), ...named }))).toEqual([
        403,
        'secret_required',
      ]);
      expect(harness.calls).toEqual([]);
    });

    it('rejects a key of another merchant, and a session of another wallet', async () => {
      known = { ...(known as AuthenticateReply), owner: other };
      for (const send of [own, storeNotes, price, (headers: object) => get('/samples', headers)])
        expect(reasonOf(await send({ ...signedIn, 'x-api-key': hereSecret }))).toEqual([
          401,
          'wallet_mismatch',
        ]);
      expect(reasonOf(await own({ 'x-api-key': hereSecret, ...named }))).toEqual([401, 'wallet_mismatch']);
      expect(harness.calls).toEqual([]);
      expect(failures).toBe(5);
    });

    it('rejects an invalid key or session', async () => {
      known = rejectedBy('disabled');
      expect(reasonOf(await own({ ...signedIn, 'x-api-key': hereSecret }))).toEqual([401, 'disabled']);
      expect(sessionLookups).toBe(0);
      known = { keyId: 'key-1', owner: wallet, permissions: [], plan: 'free', rate: null };
      session = rejectedBy('session_revoked');
      expect(reasonOf(await own({ ...signedIn, 'x-api-key': hereSecret }))).toEqual([401, 'session_revoked']);
      expect(harness.calls).toEqual([]);
    });

    it('requires the wallet header with a session on a wallet route', async () => {
      const { 'x-wallet': _named, ...token } = signedIn;
      expect(reasonOf(await own({ ...token, 'x-api-key': hereSecret }))).toEqual([401, 'wallet_missing']);
      expect((await storeNotes({ ...token, 'x-api-key': hereSecret })).statusCode).toBe(200);
    });
  });

  it.each([
    ['the wallet of another merchant', { 'x-wallet': other }, 'wallet_mismatch'],
    ['a malformed wallet', { 'x-wallet': secret }, 'wallet_malformed'],
  ])('rejects the request and counts a failed attempt: %s', async (_title, header, reason) => {
    for (const send of [own, storeNotes])
      expect(reasonOf(await send({ ...bearer(secret), ...header }))).toEqual([401, reason]);
    expect(harness.calls).toEqual([]);
    expect(failures).toBe(2);
  });

  it('ignores the wallet on a route that accepts only a key', async () => {
    expect((await price({ ...bearer(secret), 'x-wallet': other })).statusCode).toBe(200);
    expect(principals()).toEqual([asKey]);
  });

  it('returns 403 for a key without a wallet on a wallet route, and counts no failed attempt', async () => {
    expect(reasonOf(await own(bearer(secret)))).toEqual([403, 'wallet_required']);
    expect(reasonOf(await own(bearer(publishable)))).toEqual([403, 'wallet_required']);
    expect(failures).toBe(0);
  });
});

describe('a sign-in route', () => {
  const signIn = () => harness.send('POST', '/samples/sign-in', { body: '{"name":"x"}' });

  it('sends the network of the client to the service, unlike other routes', async () => {
    await signIn();
    await get('/samples');
    expect(harness.calls.map(({ context }) => context.caller)).toEqual(['127.0.0.0/24', undefined]);
  });

  it('counts rejected proofs, and no other failures, as failed attempts', async () => {
    for (const code of ['VALIDATION_ERROR', 'UPSTREAM_UNAVAILABLE', 'INTERNAL_ERROR'] as const) {
      harness.answer = async () => {
        throw new DomainError(code);
      };
      await signIn();
    }
    expect(failures).toBe(0);
    harness.answer = async () => {
      throw rejectedBy('wrong_signature');
    };
    for (let attempt = 0; attempt < 60; attempt++) expect((await signIn()).statusCode).toBe(401);
    expect((await signIn()).statusCode).toBe(429);
    const callsBefore = harness.calls.length;
    harness.answer = async () => '{"id":"1"}';
    expect((await signIn()).statusCode).toBe(429);
    expect(harness.calls).toHaveLength(callsBefore);
    expect((await price(bearer(secret))).statusCode).toBe(200);
    // A request without a credential is not a failed attempt.
    expect((await get('/samples')).statusCode).toBe(200);
  });
});

describe('a route that needs a key', () => {
  it.each([
    ['no key', {}, 'missing'],
    ['a text that is not a key', bearer('hello'), 'malformed'],
    ['another scheme', { authorization: 'Basic aGVsbG8=' }, 'malformed'],
    ['a mistyped key', bearer(`${secret.slice(0, -1)}!`), 'malformed'],
    ['two different keys', { ...bearer(secret), 'x-api-key': publishable }, 'malformed'],
    ['a key of production', bearer(newKeyText('live', 'secret')), 'foreign_environment'],
    ['an empty header', { 'x-api-key': '' }, 'malformed'],
    ['a text with non-ASCII letters', { 'x-api-key': 'tb_test_sk_\u00e9' }, 'malformed'],
  ])('returns 401 without a lookup, in the error format of the route: %s', async (_name, headers, reason) => {
    known = new DomainError('INTERNAL_ERROR');
    const enveloped = await price(headers);
    expect([enveloped.statusCode, JSON.parse(enveloped.body)]).toEqual([
      401,
      {
        success: false,
        data: null,
        error: {
          code: 'UNAUTHORIZED',
          message: expect.any(String),
          details: { reason },
          ...failureIds('UNAUTHORIZED'),
        },
        timestamp: expect.any(String),
      },
    ]);
    expect(enveloped.headers['www-authenticate']).toBe('Bearer realm="tollbridge"');
    const bare = await rename(headers);
    expect([bare.statusCode, JSON.parse(bare.body)]).toEqual([
      401,
      { code: 'UNAUTHORIZED', error: expect.any(String), details: { reason }, ...failureIds('UNAUTHORIZED') },
    ]);
    expect(harness.calls).toEqual([]);
  });

  it.each(['unknown', 'disabled', 'deleted', 'foreign_environment'])(
    'returns 401 for a key that is %s',
    async (reason) => {
      known = rejectedBy(reason);
      const reply = await buy(bearer(secret));
      expect([reply.statusCode, JSON.parse(reply.body).error.details]).toEqual([401, { reason }]);
      expect(harness.calls).toEqual([]);
    },
  );

  it.each([
    ['Authorization', 'Bearer '],
    ['authorization', 'bearer '],
    ['X-API-Key', ''],
    ['x-api-key', ''],
  ])('accepts a valid key in %s: %s', async (name, scheme) => {
    expect((await buy({ [name]: scheme + secret })).statusCode).toBe(200);
    const [{ context }] = harness.calls as [(typeof harness.calls)[0]];
    expect([keyIdOf(context), ownerOf(context)]).toEqual(['key-1', '0xOwner']);
  });

  it('accepts the publishable key or the secret on a read route, and also the same key in both headers', async () => {
    expect((await price(bearer(publishable))).statusCode).toBe(200);
    expect((await price(bearer(secret))).statusCode).toBe(200);
    expect((await price({ ...bearer(secret), 'x-api-key': secret })).statusCode).toBe(200);
  });

  it('returns 403 for a publishable key on a route that needs the secret', async () => {
    const reply = await buy(bearer(publishable));
    expect([reply.statusCode, JSON.parse(reply.body).error]).toEqual([
      403,
      {
        code: 'FORBIDDEN',
        message: expect.any(String),
        details: { reason: 'secret_required' },
        ...failureIds('FORBIDDEN'),
      },
    ]);
    expect(harness.calls).toEqual([]);
  });

  it.each([
    ['read', 200, 403, 403],
    ['pay', 403, 200, 403],
    ['write', 403, 403, 200],
  ] as const)(
    'returns 403 for a key with only the permission %s on other routes',
    async (permission, ...statuses) => {
      known = { ...(known as AuthenticateReply), permissions: [permission] };
      const replies = [await price(bearer(secret)), await buy(bearer(secret)), await rename(bearer(secret))];
      expect(replies.map(({ statusCode }) => statusCode)).toEqual(statuses);
      const rejected = replies.find(({ statusCode }) => statusCode === 403)!;
      expect(rejected.body).toContain('"reason":"permission_missing"');
    },
  );

  it('rejects a request before its body is read', async () => {
    const body = 'x'.repeat(300 * 1024);
    const reply = await harness.send('POST', '/v1/samples/1/buy', { body });
    expect(reply.statusCode).toBe(401);
  });

  it('returns 503 while keys cannot be verified', async () => {
    known = new DomainError('OUTCOME_UNKNOWN');
    const reply = await price(bearer(secret));
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1']);
    known = rejectedBy('unknown');
    expect(failures).toBe(0);
  });
});

describe('a public route', () => {
  it('requires no key, but rejects an invalid one', async () => {
    expect((await get('/samples')).statusCode).toBe(200);
    expect((await get('/samples', bearer('hello'))).statusCode).toBe(401);
    known = rejectedBy('deleted');
    expect((await get('/samples', bearer(secret))).statusCode).toBe(401);
    expect(harness.calls).toHaveLength(1);
    expect(harness.calls[0]!.context.principal).toBe('public');
  });

  it('authenticates a given key, but requires no permission', async () => {
    known = { ...(known as AuthenticateReply), permissions: [] };
    expect((await get('/samples', bearer(publishable))).statusCode).toBe(200);
    expect(harness.calls[0]!.context.principal).toBe('page-key:key-1:0xOwner');
    expect(makerOf(harness.calls[0]!.context)).toBeUndefined();
    expect(harness.logged.at(-1)).toMatchObject({ key: 'key-1' });
  });

  it('ignores headers that state a principal', async () => {
    await get('/samples', { ...bearer(secret), 'tb-principal': 'key:2:0xOther' });
    expect(harness.calls[0]!.context.principal).toBe('key:key-1:0xOwner');
  });
});

describe('a credential', () => {
  it('appears in no log, reply or bus message', async () => {
    const texts: string[] = [];
    const good = known;
    for (const text of [
      secret,
      publishable,
      newKeyText('live', 'secret'),
      'tb_test_sk_hello',
      'p@ssw0rd-x',
    ]) {
      for (const answer of [good, rejectedBy('unknown'), new DomainError('INTERNAL_ERROR')]) {
        known = answer;
        for (const headers of [bearer(text), { 'x-api-key': text }, { ...bearer(text), 'x-api-key': secret }])
          texts.push((await get('/samples', headers)).body, JSON.stringify((await buy(headers)).headers));
      }
    }
    const all = JSON.stringify([
      texts,
      harness.logged,
      harness.calls,
      await harness.metrics.registry.metrics(),
    ]);
    for (const part of [secret.slice(11), publishable.slice(11), 'hello', 'p@ssw0rd'])
      expect(all).not.toContain(part);
  });
});

describe('a rate limit', () => {
  it('applies the rate of the key, with RateLimit headers', async () => {
    const reply = await get('/samples', bearer(secret));
    expect(takes).toEqual([['key:key-1', { perMinute: 100, burst: 200 }]]);
    expect(reply.headers).toMatchObject({
      'ratelimit-policy': '"free";q=100;w=60',
      ratelimit: '"free";r=99;t=1',
    });
  });

  it('applies the rate of the address to a request without a key', async () => {
    const reply = await get('/samples');
    expect(takes).toEqual([['address:127.0.0.1', { perMinute: 1_000, burst: 2_000 }]]);
    expect(reply.headers['ratelimit-policy']).toBe('"address";q=1000;w=60');
  });

  it('does not count requests of a key without a limit', async () => {
    known = { ...(known as AuthenticateReply), plan: 'enterprise', rate: null };
    const reply = await get('/samples', bearer(secret));
    expect([reply.statusCode, takes]).toEqual([200, []]);
    expect(reply.headers).not.toHaveProperty('ratelimit');
  });

  it.each([
    [() => get('/samples'), false],
    [() => buy(bearer(secret)), true],
  ])('returns 429 with Retry-After in the error format of the route', async (send, isEnvelope) => {
    taken = { isAllowed: false, remaining: 0, waitMs: 1_200.5, untilFullMs: 60_000 };
    const reply = await send();
    const body = JSON.parse(reply.body);
    expect([reply.statusCode, reply.headers['retry-after'], body.retryAfter]).toEqual([429, '2', 2]);
    expect((isEnvelope ? body.error : body).code).toBe('RATE_LIMIT_EXCEEDED');
    expect(reply.headers['ratelimit']).toMatch(/^"(free|address)";r=0;t=60$/);
    expect(harness.calls).toEqual([]);
  });

  it('counts requests without permission and requests without a key', async () => {
    await buy(bearer(publishable));
    await buy();
    expect(takes).toHaveLength(2);
  });

  it('serves reads, but returns 503 for expensive routes, while requests cannot be counted', async () => {
    taken = undefined;
    expect((await get('/samples')).statusCode).toBe(200);
    expect((await price(bearer(secret))).statusCode).toBe(200);
    for (const reply of [await buy(bearer(secret)), await harness.send('DELETE', '/samples/1')])
      expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1']);
    // The declaration of this operation states that a call is cheap.
    expect((await rename(bearer(secret))).statusCode).toBe(200);
    known = { ...(known as AuthenticateReply), rate: null };
    harness.calls.length = 0;
    expect((await buy(bearer(newKeyText('test', 'secret')))).statusCode).toBe(200);
  });

  it('does not count a preflight, an unknown path or a wrong method', async () => {
    await harness.send('OPTIONS', '/samples');
    await get('/nothing', bearer('hello'));
    await harness.send('DELETE', '/samples');
    expect([takes, failures]).toEqual([[], 0]);
  });
});

describe('the limit of failed authentications', () => {
  /** Sends as many invalid keys as one address may send in a minute. */
  const exhaust = async () => {
    for (let attempt = 0; attempt < 60; attempt++)
      expect((await price(bearer('hello'))).statusCode).toBe(401);
  };

  it('allows 60 failures per minute for one address, then returns 429', async () => {
    await exhaust();
    known = rejectedBy('unknown');
    for (const headers of [bearer('hello'), bearer(secret), { 'x-api-key': publishable }]) {
      const reply = await price(headers);
      expect([reply.statusCode, JSON.parse(reply.body).retryAfter]).toEqual([429, 60]);
      expect(reply.headers).toMatchObject({
        'retry-after': '60',
        'ratelimit-policy': '"failed-keys";q=60;w=60',
        ratelimit: '"failed-keys";r=0;t=60',
      });
    }
    // Attempts above the limit are not counted, and requests without a credential are not limited.
    expect(failures).toBe(61);
    expect((await get('/samples')).statusCode).toBe(200);
  });

  it('does not block valid keys and sessions of the address, whether cached or not', async () => {
    await price(bearer(secret));
    await exhaust();
    expect((await price(bearer('hello'))).statusCode).toBe(429);
    expect((await price(bearer(secret))).statusCode).toBe(200);
    expect((await price({ 'x-api-key': publishable })).statusCode).toBe(200);
    expect((await get('/samples/own', bearer(newKeyText('test', 'session')))).statusCode).toBe(401);
    const wallet = { 'x-wallet': '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' };
    const signedIn = { ...bearer(newKeyText('test', 'session')), ...wallet };
    expect((await get('/samples/own', signedIn)).statusCode).toBe(200);
  });

  it('does not block wallets of the address from signing in', async () => {
    await exhaust();
    expect((await price(bearer('hello'))).statusCode).toBe(429);
    const signIn = await harness.send('POST', '/samples/sign-in', { body: '{"name":"x"}' });
    expect(signIn.statusCode).toBe(200);
  });

  it('returns 503 above the limit of concurrent lookups for other keys of the address', async () => {
    await exhaust();
    await price(bearer('hello'));
    const sent = Array.from({ length: 5 }, () => price(bearer(newKeyText('test', 'secret'))));
    const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode);
    expect(statuses.sort()).toEqual([200, 200, 503, 503, 503]);
  });

  it('does not count requests without a key or without permission', async () => {
    await buy();
    await buy(bearer(publishable));
    expect(failures).toBe(0);
  });

  it('returns 401 while Redis is unavailable', async () => {
    failures = undefined;
    for (let attempt = 0; attempt < 70; attempt++)
      expect((await price(bearer('hello'))).statusCode).toBe(401);
  });
});

describe('a hoisted field', () => {
  it('repeats the field in the envelope, and leaves data unchanged', async () => {
    harness.answer = async () => '{ "id" : "s\\u0061mple \\"1\\"", "amount":9007199254740993}';
    const { body } = await buy(bearer(secret));
    expect(body).toMatch(
      /^\{"success":true,"id":"sample \\"1\\"","data":\{ "id" : "s\\u0061mple .*\},"timestamp":"/,
    );
    expect(Object.keys(JSON.parse(body))).toEqual(['success', 'id', 'data', 'timestamp']);
    harness.answer = async () => '{}';
    expect(JSON.parse((await buy(bearer(secret))).body)).toMatchObject({ id: null, data: {} });
    expect(JSON.parse((await price(bearer(secret))).body)).not.toHaveProperty('id');
  });
});

describe('a sold operation', () => {
  const rent = (headers = {}) => harness.send('POST', '/sms/number', { body: '{}', headers });
  const status = (headers = {}) => get('/sms/status/0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d', headers);
  const open = async (sells: boolean, feature: Feature<any> = smsApi): Promise<void> => {
    await harness.close();
    const call = async () => ({ accepts: [{}], priceUsd: '1', isFrom: false, refundPolicy: {}, output: {} });
    harness = await GatewayHarness.open({ routes: operationRoutes(feature), call: call as never });
    admitBy({ ...options(), sells });
  };

  it('sells to a client without credentials, and counts the client by address', async () => {
    await open(true);
    expect((await rent()).statusCode).toBe(402);
    expect(takes.map(([bucket]) => bucket)).toEqual(['address:127.0.0.1']);
    expect((await status({ 'purchase-token': 'token' })).statusCode).toBe(200);
    expect(harness.calls).toEqual([]);
  });

  it('returns 401 for an invalid credential, and for a read without a token', async () => {
    await open(true);
    known = rejectedBy('unknown');
    expect((await rent(bearer(secret))).statusCode).toBe(401);
    expect((await rent({ authorization: 'Basic eA==' })).statusCode).toBe(401);
    expect((await status()).statusCode).toBe(401);
  });

  it('returns the specified 401 on the original path, with a Link to the path where it is sold', async () => {
    await open(true, swapQuotesApi);
    const own = await harness.send('POST', '/v1/quote', { body: '{}' });
    expect([own.statusCode, JSON.parse(own.body)]).toMatchObject([
      401,
      { success: false, data: null, error: { code: 'UNAUTHORIZED', details: { reason: 'missing' } } },
    ]);
    expect(own.headers['link']).toBe('</x402/v1/quote>; rel="payment"');
    expect((await harness.send('POST', '/x402/v1/quote', { body: '{}' })).statusCode).toBe(402);
    // A payment is a credential on both paths.
    const headers = { authorization: 'Payment eyJ9' };
    for (const path of ['/v1/quote', '/x402/v1/quote'])
      expect((await harness.send('POST', path, { body: '{}', headers })).statusCode).toBe(402);
    await open(false, swapQuotesApi);
    const unsold = await harness.send('POST', '/x402/v1/quote', { body: '{}' });
    expect([unsold.statusCode, unsold.headers['link']]).toEqual([401, undefined]);
  });

  it('calls the service with a key, and returns 401 when the deployment does not sell operations', async () => {
    await open(true);
    const headers = { ...bearer(secret), 'payment-signature': 'e30=' };
    known = { ...(known as AuthenticateReply), permissions: ['write'] };
    expect((await rent(headers)).statusCode).toBe(200);
    expect(harness.calls.map(({ operation }) => operation.name)).toEqual(['rentNumber']);
    await open(false);
    expect((await rent({ 'payment-signature': 'e30=' })).statusCode).toBe(401);
    expect((await status({ 'purchase-token': 'token' })).statusCode).toBe(401);
  });
});

describe('a payment in Authorization', () => {
  const payment = { authorization: 'Payment eyJ9' };
  const accepts = [{ scheme: 'ton-nanopay', network: 'tvm:-239' }];
  const quote = { accepts, priceUsd: '0.66', isFrom: false, refundPolicy: {} };
  const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
  const rent = (headers: Record<string, string>) =>
    harness.send('POST', '/sms/number', { body: '{"service":"tg","country":44}', headers });

  beforeEach(async () => {
    await harness.close();
    harness = await GatewayHarness.open({
      routes: operationRoutes(smsApi),
      call: (async () => quote) as never,
    });
    admitBy({ ...options(), sells: true });
  });

  it.each(['Payment eyJ9', 'Payment'])(
    'validates the payment when the operation is sold: %s',
    async (authorization) => {
      const reply = await rent({ authorization });
      expect([reply.statusCode, JSON.parse(reply.body).code]).toEqual([402, 'malformed_credential']);
    },
  );

  it('returns 401 for other operations, and when the deployment does not sell operations', async () => {
    expect((await get(`/sms/status/${id}`, payment)).statusCode).toBe(401);
    admitBy(options());
    expect((await rent(payment)).statusCode).toBe(401);
  });

  it('returns 401 when the request also has an invalid key', async () => {
    expect((await rent({ ...payment, 'x-api-key': 'wrong' })).statusCode).toBe(401);
    expect((await rent({ authorization: 'Bearer wrong' })).statusCode).toBe(401);
  });
});
