import { AnyCaller, apiKeysApi, internalKeysApi } from '@tollbridge/contracts';
import { newKeyText } from '@tollbridge/api-keys';
import { migrations, start as startMerchant } from '@tollbridge/app-merchant';
import { start as startGateway, type RunningGateway } from '@tollbridge/app-gateway';
import { BusClient, BusConnection, callContext, errorCodes, walletPrincipal } from '@tollbridge/rpc';
import { migrate } from '@tollbridge/database';
import type { RunningService } from '@tollbridge/bootstrap';
import {
  eventually,
  freshDatabase,
  openTcpLink,
  startNats,
  startRedis,
  type FreshDatabase,
  type NatsServer,
  type RedisServer,
  type TcpLink,
  testConnections,
} from '@tollbridge/testing';
import { Redis } from 'ioredis';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

// Tests gateways, the merchant app and real servers together, for behaviour that no single app can show.

process.env['LOG_LEVEL'] ??= 'silent';

const { authenticate } = internalKeysApi.operations;
const { toggleKey, deleteKey } = apiKeysApi.operations;
const folder = mkdtempSync(join(tmpdir(), 'tollbridge-keys-'));
const stateFile = join(folder, 'world.json');
const demo = {
  wallet: '0xDemo',
  key: newKeyText('test', 'publishable'),
  secret: newKeyText('test', 'secret'),
};

let database: FreshDatabase;
let nats: NatsServer;
let redis: RedisServer;
let link: TcpLink;
let merchant: RunningService;
let gateways: RunningGateway[];
let bus: BusConnection;
let client: BusClient;
let demoId: string;

beforeAll(async () => {
  writeFileSync(stateFile, JSON.stringify({ merchant: demo }));
  [database, nats, redis] = await Promise.all([
    freshDatabase('merchant', (url) => migrate({ app: 'merchant', url, migrations })),
    startNats(),
    startRedis(),
  ]);
  link = await openTcpLink(redis.url.replace('redis:', 'http:'));
  bus = await BusConnection.open({ app: 'operator', url: nats.url });
  client = new BusClient(bus, new AnyCaller());
  merchant = await restartMerchant();
  gateways = await Promise.all([openGateway(), openGateway()]);
  const [row] = await database.query<{ id: string }>('SELECT id FROM api_keys');
  demoId = row!.id;
});
afterAll(async () => {
  await Promise.all((gateways ?? []).map((gateway) => gateway.close()));
  await merchant?.close();
  client?.close();
  await bus?.close();
  await link?.close();
  await redis?.remove();
  await nats?.remove();
  await database?.drop();
  rmSync(folder, { recursive: true });
});

/** Starts the merchant app, which restores the demo key. */
async function restartMerchant(): Promise<RunningService> {
  await merchant?.close();
  return startMerchant({
    TOLLBRIDGE_ENV: 'sandbox',
    MERCHANT_NATS_URL: nats.url,
    MERCHANT_DATABASE_URL: database.runtimeUrl,
    MERCHANT_DATABASE_CONNECTIONS: testConnections,
    MERCHANT_MANAGEMENT_PORT_NUMBER: '0',
    MERCHANT_KEY_PEPPER: 'a-pepper-of-the-tests-0123456789abcdef',
    MERCHANT_SANDBOX_WORLD_FILE: stateFile,
  });
}

function openGateway(): Promise<RunningGateway> {
  const GATEWAY_REDIS_URL = link.url.replace('http:', 'redis:');
  return startGateway({
    TOLLBRIDGE_ENV: 'sandbox',
    GATEWAY_NATS_URL: nats.url,
    GATEWAY_REDIS_URL,
    // Other processes share the machine during tests, so a slow count must not be treated as a Redis failure.
    GATEWAY_REDIS_TIMEOUT_MS: '2000',
    PORT: '0',
    GATEWAY_MANAGEMENT_PORT_NUMBER: '0',
    // Allows each test to use its own address, and so its own rate-limit count.
    GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
  });
}

interface Call {
  key?: string;
  from?: string;
  method?: string;
  path?: string;
}

const asOwner = () => callContext({ principal: walletPrincipal(demo.wallet) });

/** No app handles orders here, so an authorised request returns 503. */
async function call(
  gateway: RunningGateway,
  { key, from, method = 'GET', path }: Call = {},
): Promise<Response> {
  const headers = {
    ...(key && { authorization: `Bearer ${key}` }),
    ...(from && { 'x-forwarded-for': from }),
  };
  const body =
    method === 'POST'
      ? { body: '{}', headers: { ...headers, 'content-type': 'application/json' } }
      : { headers };
  return fetch(gateway.url + (path ?? '/api/v1/pay/chains'), { method, ...body });
}

const statuses = (of: Call) => Promise.all(gateways.map(async (gateway) => (await call(gateway, of)).status));
const letIn = 503;

async function untilRejected(key: string): Promise<number> {
  const startMs = performance.now();
  await eventually(async () => expect(await statuses({ key, from: '192.0.2.1' })).toEqual([401, 401]), {
    everyMs: 50,
  });
  return performance.now() - startMs;
}

describe('Change of a key', () => {
  async function restoreKey(): Promise<void> {
    merchant = await restartMerchant();
    await eventually(async () => {
      expect(await statuses({ key: demo.secret })).toEqual([letIn, letIn]);
      expect(await statuses({ key: demo.key })).toEqual([letIn, letIn]);
    });
    await forgetCounts();
  }
  beforeEach(restoreKey);

  it.each([
    ['disabled', () => client.call(toggleKey, { id: demoId, enabled: false }, asOwner())],
    ['deleted', () => client.call(deleteKey, { id: demoId }, asOwner())],
  ])('rejects both halves of the key in both gateways within a second: %s', async (reason, change) => {
    let isRestored = true;
    // Retries on a busy machine. Without the event it takes five seconds every time, so the test fails anyway.
    await eventually(async () => {
      if (!isRestored) await restoreKey();
      isRestored = false;
      await change();
      const tookMs = [await untilRejected(demo.secret), await untilRejected(demo.key)];
      expect(Math.max(...tookMs)).toBeLessThan(1_000);
    });
    const reply = await call(gateways[0]!, { key: demo.secret, from: '192.0.2.1' });
    expect(await reply.json()).toMatchObject({ code: 'UNAUTHORIZED', details: { reason } });
  });

  it('rejects the key after five seconds when no event is published', async () => {
    await database.query('UPDATE api_keys SET enabled = false');
    expect(await statuses({ key: demo.secret })).toEqual([letIn, letIn]);
    expect(await untilRejected(demo.secret)).toBeLessThan(10_000);
  });

  it('rejects the key immediately in a gateway that was disconnected from the bus during the event', async () => {
    await nats.stop('SIGKILL');
    await database.query('UPDATE api_keys SET enabled = false');
    await nats.start();
    await eventually(async () => {
      const digest = '0'.repeat(64);
      await expect(client.call(authenticate, { digest, kind: 'secret' })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
    });
    const startMs = performance.now();
    await eventually(async () => expect(await statuses({ key: demo.secret })).toEqual([401, 401]));
    // The caches were filled half a second before, so without an invalidation they would last longer.
    expect(performance.now() - startMs).toBeLessThan(4_000);
  });
});

describe('64 requests with one key', () => {
  beforeEach(async () => {
    merchant = await restartMerchant();
    await forgetCounts();
  });

  it('succeed when the lookup that they wait for gets no reply in time', async () => {
    const key = await limitedKey(60_000, 120_000);
    const owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query('BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    const replies = Array.from({ length: 64 }, async () => (await call(gateways[0]!, { key })).json());
    // Longer than the time-out of the lookup, so that its first call is not answered.
    await sleep(authenticate.timeoutMs + 800);
    await owner.query('COMMIT');
    await owner.end();
    const errors = (await Promise.all(replies)).map((reply) => (reply as { error: string }).error);
    expect(new Set(errors)).toEqual(new Set([errorCodes.SERVICE_UNAVAILABLE[1]]));
  });
});

describe('rate-limit counts', () => {
  beforeEach(async () => {
    merchant = await restartMerchant();
    await forgetCounts();
  });

  it('share a bucket between two gateways, which admit exactly its size of 50 concurrent requests', async () => {
    const askAtOnce = async (): Promise<Response[]> => {
      const key = await limitedKey(1, 21);
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, at) => call(gateways[at % 2]!, { key, from: '192.0.2.2' })),
      );
      const passed = replies.filter(({ status }) => status === letIn);
      const rejected = replies.filter(({ status }) => status === 429);
      expect([passed.length, rejected.length]).toEqual([20, 30]);
      return rejected;
    };
    // A gateway counts locally for a while after Redis was silent for two seconds, which happens on a busy machine.
    const rejected = await eventually(askAtOnce, { everyMs: 500 });
    for (const reply of rejected) {
      expect(reply.headers.get('ratelimit-policy')).toBe('"enterprise";q=20;w=1200');
      const { retryAfter } = (await reply.json()) as { retryAfter: number };
      expect(Number(reply.headers.get('retry-after'))).toBe(retryAfter);
      expect(retryAfter).toBeGreaterThan(50);
    }
  });

  it('share counts of failed keys by address, and admit valid keys of that address', async () => {
    let last = 30;
    const countTogether = async () => {
      const wrong = { key: newKeyText('test', 'secret'), from: `192.0.2.${++last}` };
      for (let attempt = 0; attempt < 60; attempt++)
        expect((await call(gateways[attempt % 2]!, wrong)).status).toBe(401);
      expect(await statuses(wrong)).toEqual([429, 429]);
    };
    // A gateway that counts locally has only half of the failures, so this is retried too.
    await eventually(countTogether, { everyMs: 500 });
    const from = `192.0.2.${last}`;
    expect(await statuses({ key: demo.secret, from })).toEqual([letIn, letIn]);
    expect(await statuses({ key: demo.secret, from: '192.0.2.4' })).toEqual([letIn, letIn]);
    expect(await statuses({ key: demo.secret, from: `${from}, 192.0.2.4` })).toEqual([letIn, letIn]);
  });

  it('admit reads and the demo key while Redis is unavailable, and count again afterwards', async () => {
    await link.cut();
    const post = { method: 'POST', path: '/api/v1/pay/quote', from: '192.0.2.5' };
    const bodies = async (of: Call) => (await call(gateways[0]!, of)).text();
    await eventually(async () => expect(await bodies(post)).toContain('cannot be counted'));
    expect(await bodies({ from: '192.0.2.5' })).toContain('not reachable');
    expect(await bodies({ ...post, key: demo.secret })).toContain('not reachable');
    await link.mend();
    await eventually(async () => expect(await bodies(post)).toContain('not reachable'));
  });
});

it('gateways never send presented credentials over the bus', async () => {
  const received: string[] = [];
  bus.nats.subscribe('>', {
    callback: (_error, message) => {
      received.push(`${message.headers?.toString() ?? ''}${message.string()}`);
      // The subscriber counts as a responder, so it must reply.
      if (message.subject.startsWith('op.pay-orders.')) message.respond('{}');
    },
  });
  await bus.nats.flush();
  merchant = await restartMerchant();
  const unknown = newKeyText('test', 'secret');
  for (const key of [demo.secret, demo.key, unknown, 'hello-hello'])
    await call(gateways[0]!, { key, from: '192.0.2.6' });
  await eventually(() => expect(received.join()).toContain('tb-principal: key:'));
  for (const part of [demo.secret, demo.key, unknown, 'hello-hello'])
    expect(received.join()).not.toContain(part.slice(-30));
});

/** Creates a key with its own limits. */
async function limitedKey(perMinute: number, burst: number): Promise<string> {
  const key = newKeyText('test', 'publishable');
  await database.query(
    `INSERT INTO api_keys (id, owner, label, key, key_digest, secret_hash, permissions, plan, per_minute, burst, environment, created_at, updated_at)
     VALUES (gen_random_uuid(), '0xDemo', 'limited', $1::text, sha256($1::text::bytea), sha256(gen_random_uuid()::text::bytea), '{read}', 'enterprise', $2, $3, 'sandbox', now(), now())`,
    [key, perMinute, burst],
  );
  return key;
}

async function forgetCounts(): Promise<void> {
  const server = new Redis(redis.url);
  await server.flushall();
  server.disconnect();
}
