import { join } from 'node:path';
import { start as startGateway, type RunningGateway } from '@tollbridge/app-gateway';
import { migrations, start as startMerchant } from '@tollbridge/app-merchant';
import { BusConnection } from '@tollbridge/rpc';
import { migrate } from '@tollbridge/database';
import type { RunningService } from '@tollbridge/bootstrap';
import {
  eventually,
  freshDatabase,
  startNats,
  startRedis,
  type FreshDatabase,
  type NatsServer,
  type RedisServer,
  testIdentities,
  testConnections,
} from '@tollbridge/testing';
import { Wallet, type HDNodeWallet } from 'ethers';

// Gateways of an environment that requires wallet proofs, with the merchant app and real servers.

process.env['LOG_LEVEL'] ??= 'silent';

const publicUrl = 'https://shop.example';
let database: FreshDatabase;
let nats: NatsServer;
let redis: RedisServer;
let merchant: RunningService;
let gateways: RunningGateway[];

beforeAll(async () => {
  [database, nats, redis] = await Promise.all([
    freshDatabase('merchant', (url) => migrate({ app: 'merchant', url, migrations })),
    startNats(),
    startRedis(),
  ]);
  const identities = testIdentities('gateway', 'merchant');
  const shared = { TOLLBRIDGE_ENV: 'test', GATEWAY_PUBLIC_URL: publicUrl, ...identities };
  merchant = await startMerchant({
    ...shared,
    MERCHANT_NATS_URL: nats.url,
    MERCHANT_DATABASE_URL: database.runtimeUrl,
    MERCHANT_DATABASE_CONNECTIONS: testConnections,
    MERCHANT_MANAGEMENT_PORT_NUMBER: '0',
    MERCHANT_KEY_PEPPER: 'a-pepper-of-the-tests-0123456789abcdef',
    CHAINS_FILE: join(__dirname, '../../merchant/src/testing/no-chains.json'),
  });
  const openGateway = () =>
    startGateway({
      ...shared,
      GATEWAY_NATS_URL: nats.url,
      GATEWAY_REDIS_URL: redis.url,
      GATEWAY_REDIS_TIMEOUT_MS: '5000',
      PORT: '0',
      GATEWAY_MANAGEMENT_PORT_NUMBER: '0',
      STREAM_URL: 'http://127.0.0.1:9',
      // Allows each test to use its own address, and so its own rate-limit count.
      GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
    });
  gateways = await Promise.all([openGateway(), openGateway()]);
});
afterAll(async () => {
  await Promise.all((gateways ?? []).map((gateway) => gateway.close()));
  await merchant?.close();
  await redis?.remove();
  await nats?.remove();
  await database?.drop();
});

interface Call {
  method?: string;
  body?: object;
  token?: string;
  wallet?: string;
  from?: string;
  on?: RunningGateway;
}

async function call(
  path: string,
  { method = 'GET', body, token, wallet, from, on = gateways[0]! }: Call = {},
) {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(wallet && { 'x-wallet': wallet }),
    ...(from && { 'x-forwarded-for': from }),
    ...(body && { 'content-type': 'application/json' }),
  };
  // On a busy machine, the count of a request may time out. Such a request is neither served nor counted.
  return eventually(async () => {
    const reply = await fetch(on.url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(reply.status).not.toBe(503);
    return { status: reply.status, body: (await reply.json()) as Record<string, any> };
  });
}

const post = (path: string, body: object, options: Call = {}) =>
  call(path, { ...options, method: 'POST', body });
const outcomeOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body['details']?.reason];

async function proofOf(wallet: Wallet | HDNodeWallet, on?: RunningGateway) {
  const { body } = await post('/api/auth/challenge', { wallet: wallet.address }, on ? { on } : {});
  const message = String(body['message']);
  return {
    wallet: wallet.address,
    nonce: body['nonce'],
    message,
    signature: await wallet.signMessage(message),
  };
}

async function signIn(wallet: Wallet | HDNodeWallet): Promise<{ token: string; sessionId: string }> {
  const { status, body } = await post('/api/auth/verify', await proofOf(wallet));
  expect([status, body]).toMatchObject([200, { wallet: wallet.address }]);
  return body as { token: string; sessionId: string };
}

it('gateways authenticate a wallet by its session, and by nothing less', async () => {
  const wallet = Wallet.createRandom();
  const { token, sessionId } = await signIn(wallet);
  for (const on of gateways) {
    const named = { wallet: wallet.address.toLowerCase(), on };
    const own = await call('/api/auth/sessions', { token, ...named });
    expect([own.status, own.body['sessions'].map(({ id }: { id: string }) => id)]).toEqual([
      200,
      [sessionId],
    ]);
    expect(outcomeOf(await call('/api/auth/sessions', named))).toEqual([401, 'wallet_unproven']);
    expect(outcomeOf(await call('/api/auth/sessions', { token, on }))).toEqual([401, 'wallet_missing']);
    const other = { token, wallet: Wallet.createRandom().address, on };
    expect(outcomeOf(await call('/api/auth/sessions', other))).toEqual([401, 'wallet_mismatch']);
  }
});

it('the sign-in message contains the public domain, and a gateway accepts a proof for a challenge of another gateway', async () => {
  const proof = await proofOf(Wallet.createRandom(), gateways[0]!);
  expect(proof.message).toMatch(/^shop\.example wants you to sign in [^]*\nURI: https:\/\/shop\.example\n/);
  expect((await post('/api/auth/verify', proof, { on: gateways[1]! })).status).toBe(200);
  expect(outcomeOf(await post('/api/auth/verify', proof))).toEqual([401, 'nonce_used']);
});

it.each([
  ['one session', (id: string) => `/api/auth/sessions/${id}`],
  ['all sessions', () => '/api/auth/sessions'],
])('gateways reject a revoked session within a second: %s', async (_title, pathOf) => {
  // Retries on a busy machine. Without the event it takes five seconds every time, so the test fails anyway.
  await eventually(async () => expect(await timeToRevoke(pathOf)).toBeLessThan(1_000));
});

/** The milliseconds until both gateways reject a session that they have cached. */
async function timeToRevoke(pathOf: (id: string) => string): Promise<number> {
  const wallet = Wallet.createRandom();
  const { token, sessionId } = await signIn(wallet);
  const outcomes = () =>
    Promise.all(
      gateways.map(async (on) =>
        outcomeOf(await call('/api/auth/sessions', { token, wallet: wallet.address, on })),
      ),
    );
  expect(await outcomes()).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  const startMs = performance.now();
  const options = { method: 'DELETE', token, wallet: wallet.address };
  expect((await call(pathOf(sessionId), options)).body).toEqual({ ok: true });
  await eventually(
    async () =>
      expect(await outcomes()).toEqual([
        [401, 'session_revoked'],
        [401, 'session_revoked'],
      ]),
    { everyMs: 20 },
  );
  return performance.now() - startMs;
}

it('gateways reject deleting the settings of another wallet with a forged header', async () => {
  const wallet = Wallet.createRandom();
  const [own, strangers] = [await signIn(wallet), await signIn(Wallet.createRandom())];
  const named = { wallet: wallet.address };
  const put = { method: 'PUT', body: { theme: 'dark' }, token: own.token, ...named };
  expect((await call('/api/settings', put)).status).toBe(200);
  const remove = { method: 'DELETE', ...named };
  expect(outcomeOf(await call('/api/settings/all', remove))).toEqual([401, 'wallet_unproven']);
  const forged = { ...remove, token: strangers.token };
  expect(outcomeOf(await call('/api/settings/all', forged))).toEqual([401, 'wallet_mismatch']);
  expect((await call('/api/settings', { token: own.token, ...named })).body).toEqual({ theme: 'dark' });
  expect((await call('/api/settings/all', { ...remove, token: own.token })).status).toBe(200);
  expect((await call('/api/settings', { token: own.token, ...named })).body).toEqual({});
});

it('gateways count rejected proofs by address together, and record their origin', async () => {
  const wallet = Wallet.createRandom();
  const proof = await proofOf(wallet);
  const wrong = { ...proof, message: proof.message.replace('shop', 'evil') };
  const from = '198.51.100.7';
  for (let attempt = 0; attempt < 60; attempt++) {
    const reply = await post('/api/auth/verify', wrong, { from, on: gateways[attempt % 2]! });
    expect(outcomeOf(reply)).toEqual([401, 'wrong_domain']);
  }
  for (const on of gateways) {
    expect((await post('/api/auth/verify', wrong, { from, on })).status).toBe(429);
    // A valid proof counts too, because otherwise only wrong guesses would be limited.
    expect((await post('/api/auth/verify', proof, { from, on })).status).toBe(429);
  }
  const [record] = await database.query(
    // Unknown wallets share one row.
    `SELECT caller, count FROM sign_in_records WHERE wallet = '' AND reason = $1 AND caller = $2`,
    ['wrong_domain', '198.51.100.0/24'],
  );
  expect(record).toMatchObject({ caller: '198.51.100.0/24' });
  expect(Number(record!['count'])).toBeGreaterThanOrEqual(60);
  expect((await post('/api/auth/verify', proof, { from: '198.51.100.8' })).status).toBe(200);
});

it('gateways never send tokens over the bus, except in the reply that contains a new token', async () => {
  const wallet = Wallet.createRandom();
  const { token } = await signIn(wallet);
  const received: string[] = [];
  const bus = await BusConnection.open({ app: 'operator', url: nats.url });
  bus.nats.subscribe('>', {
    callback: (_error, message) => received.push(`${message.headers?.toString() ?? ''}${message.string()}`),
  });
  await bus.nats.flush();
  for (const on of gateways) await call('/api/auth/sessions', { token, wallet: wallet.address, on });
  await call('/api/auth/sessions', { method: 'DELETE', token, wallet: wallet.address });
  await eventually(() => expect(received.join()).toContain('session-revoked'));
  expect(received.join()).toContain(`tb-principal: wallet:${wallet.address}`);
  expect(received.join()).not.toContain(token.slice(11));
  await bus.close();
});
