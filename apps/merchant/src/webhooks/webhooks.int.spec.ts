import {
  ListenToWebhooksReply,
  webhookExample,
  webhooksApi,
  WebhookDetails,
  WebhookEndpointReply,
  WebhookSecretReply,
  WebhooksReply,
  WebhookTestReply,
  WebhookTypesReply,
  webhookTypeNames,
  type WebhookAttempt,
} from '@tollbridge/contracts';
import { decode, walletPrincipal } from '@tollbridge/rpc';
import { eventually, missingCases } from '@tollbridge/testing';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { getAddress, hexlify, randomBytes } from 'ethers';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { signaturesOf, WebhookHarness, type Shop } from '../testing/webhook-harness';

const {
  listWebhooks,
  getWebhook,
  replayWebhook,
  listenToWebhooks,
  testWebhook,
  getWebhookEndpoint,
  resumeWebhooks,
  rotateWebhookSecret,
  listWebhookTypes,
} = webhooksApi.operations;
const unknownId = `msg_${'0'.repeat(32)}`;
const unknownField = { surprise: 1 } as never;
const stranger = walletPrincipal('0x00000000000000000000000000000000000000Ff');
let harness: WebhookHarness;

beforeAll(async () => {
  harness = await WebhookHarness.start();
});
afterAll(() => harness?.close());

async function shopWith(count: number, status = 200): Promise<Shop> {
  const shop = await harness.shop({ status });
  for (let each = 0; each < count; each++)
    await shop.notify(each % 2 === 0 ? 'paylink.paid' : 'webhook.test');
  await eventually(async () =>
    expect((await shop.messages()).every(({ attempts }) => attempts === 1)).toBe(true),
  );
  return shop;
}

describe('GET /api/webhooks', () => {
  it('200: returns messages of this merchant only, newest first, page by page', async () => {
    const shop = await shopWith(5);
    const ids = (await shop.messages()).map(({ id }) => id).reverse();
    const reply = await shop.call(listWebhooks, {});
    expect(decode(WebhooksReply, reply)).toMatchObject({ ok: true });
    expect(reply).toMatchObject({ count: 5, limit: 20, next_cursor: null, nextCursor: null });
    expect(reply.webhooks.map(({ id }) => id)).toEqual(ids);
    expect(reply.webhooks[0]).toMatchObject({
      type: 'paylink.paid',
      status: 'delivered',
      attempts: 1,
      lastStatus: 200,
      lastError: null,
      nextAttemptAt: null,
    });
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: WebhooksReply = await shop.call(listWebhooks, { limit: 2, ...(cursor && { cursor }) });
      seen.push(...page.webhooks.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
    expect(await harness.merchant.call(listWebhooks, {}, stranger)).toMatchObject({ webhooks: [], count: 0 });
  });

  it('200: filters by status and type', async () => {
    const shop = await shopWith(4, 500);
    const counted = async (query: object) => (await shop.call(listWebhooks, query)).count;
    expect(await counted({ status: 'failing' })).toBe(4);
    expect(await counted({ status: 'delivered' })).toBe(0);
    expect(await counted({ type: 'paylink.paid' })).toBe(2);
    expect(await counted({ type: 'webhook.test', status: 'failing' })).toBe(2);
    const [message] = (await shop.call(listWebhooks, { limit: 1 })).webhooks;
    expect(message).toMatchObject({ lastStatus: 500, lastError: 'The receiver answered 500.' });
    expect(Date.parse(message!.nextAttemptAt!)).toBeGreaterThan(harness.clock.now());
  });

  it('200: treats a limit above 100 as 100', async () => {
    const shop = await harness.shop();
    expect(await shop.call(listWebhooks, { limit: 1_000 })).toMatchObject({ limit: 100 });
  });

  it.each([
    [{ status: 'lost' }, 'status'],
    [{ type: 'order.stolen' }, 'type'],
    [{ limit: 0 }, 'limit'],
    [{ cursor: 'msg_1' }, 'cursor'],
    [{ cursor: "msg_' OR true --" }, 'cursor'],
    [unknownField, 'surprise'],
  ])('400 VALIDATION_ERROR: rejects %j', async (query: object, field) => {
    const shop = await harness.shop();
    await expect(shop.call(listWebhooks, query as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field }],
    });
  });
});

describe('GET /api/webhooks/{id}', () => {
  it('200: returns the message with its payload and its last 20 attempts', async () => {
    const shop = await shopWith(1, 500);
    const { id } = await shop.message();
    for (let attempt = 2; attempt <= 22; attempt++) {
      await shop.call(replayWebhook, { id });
      await eventually(async () => expect((await shop.message()).attempts).toBe(attempt));
      harness.clock.advance(1_000);
    }
    const reply = await shop.call(getWebhook, { id });
    expect(decode(WebhookDetails, reply)).toMatchObject({ ok: true });
    expect(reply).toMatchObject({ id, status: 'failing', attempts: 22, lastStatus: 500 });
    expect(reply.payload).toEqual(JSON.parse(shop.arrived[0]!.body));
    expect(reply.log).toHaveLength(20);
    const times = reply.log.map(({ at }: WebhookAttempt) => Date.parse(at));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(reply.log[0]).toMatchObject({ status: 500, error: 'The receiver answered 500.' });
  });

  it('400 VALIDATION_ERROR: rejects an id that is too long, and an unknown field', async () => {
    const shop = await harness.shop();
    await expect(shop.call(getWebhook, { id: 'm'.repeat(65) })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    const input = { id: unknownId, ...(unknownField as object) };
    await expect(shop.call(getWebhook, input)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('NOT_FOUND: returns the same error for a missing message and a message of another merchant', async () => {
    const shop = await shopWith(1);
    const failureOf = (id: string, principal: string) =>
      harness.merchant
        .call(getWebhook, { id }, principal)
        .catch(({ code, message, details }) => ({ code, message, details }));
    const unknown = await failureOf(unknownId, walletPrincipal(shop.wallet));
    expect(unknown).toMatchObject({ code: 'NOT_FOUND' });
    expect(await failureOf((await shop.message()).id, stranger)).toEqual(unknown);
    expect(await failureOf('nonsense', stranger)).toEqual(unknown);
  });
});

describe('POST /api/webhooks/{id}/replay', () => {
  it('200: sends the message again with the same id, also after a successful delivery', async () => {
    const shop = await shopWith(1);
    const { id } = await shop.message();
    const reply = await shop.call(replayWebhook, { id });
    expect(reply).toMatchObject({ id, status: 'pending', attempts: 1, lastStatus: 200 });
    await eventually(() => expect(shop.ids).toEqual([id, id]));
    expect(shop.arrived[0]!.body).toBe(shop.arrived[1]!.body);
  });

  it('200: sends immediately, also while the endpoint is paused', async () => {
    const shop = await shopWith(1, 410);
    expect(await shop.call(getWebhookEndpoint, {})).toMatchObject({ enabled: false });
    await shop.call(replayWebhook, { id: (await shop.message()).id });
    await eventually(() => expect(shop.arrived).toHaveLength(2));
  });

  it('200: sends once for one Idempotency-Key, even if the call is repeated', async () => {
    const shop = await shopWith(1);
    const { id } = await shop.message();
    const principal = walletPrincipal(shop.wallet);
    const keyed = `replay-${shop.wallet}`;
    const replies = [];
    for (let each = 0; each < 3; each++)
      replies.push(await harness.merchant.call(replayWebhook, { id }, principal, keyed));
    expect(replies).toEqual([replies[0], replies[0], replies[0]]);
    const [row] = await harness.merchant.database.query(
      'SELECT replays FROM webhook_messages WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ replays: 1 });
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    const shop = await harness.shop();
    const input = { id: unknownId, ...(unknownField as object) };
    await expect(shop.call(replayWebhook, input)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('NOT_FOUND: rejects a missing message and a message of another merchant', async () => {
    const shop = await shopWith(1);
    const { id } = await shop.message();
    await expect(shop.call(replayWebhook, { id: unknownId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(harness.merchant.call(replayWebhook, { id }, stranger)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(shop.arrived).toHaveLength(1);
  });

  it('CONFLICT: rejects a replay when the settings have no URL', async () => {
    const shop = await shopWith(1);
    await shop.sync(null);
    const { id } = await shop.message();
    await expect(shop.call(replayWebhook, { id })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await shop.message()).toMatchObject({ status: 'delivered' });
  });
});

describe('POST /api/webhooks/listen', () => {
  const listening = async (seconds?: number) => {
    const shop = await harness.shop();
    await shop.sync(null);
    const reply = await shop.call(listenToWebhooks, seconds === undefined ? {} : { seconds });
    return { shop, reply };
  };

  it('200: records messages without an endpoint until the time has passed', async () => {
    harness.clock.set(Date.now());
    const { shop, reply } = await listening(30);
    expect(decode(ListenToWebhooksReply, reply)).toMatchObject({ ok: true });
    expect(reply).toEqual({ until: new Date(harness.clock.now() + 30_000).toISOString(), url: null });
    await shop.notify('paylink.paid');
    const [message] = (await shop.call(listWebhooks, {})).webhooks;
    expect(message).toMatchObject({ type: 'paylink.paid', status: 'parked', nextAttemptAt: null });
    expect((await shop.call(getWebhook, { id: message!.id })).payload).toMatchObject({
      type: 'paylink.paid',
    });
    harness.clock.advance(30_001);
    await shop.notify('paylink.paid');
    expect((await shop.call(listWebhooks, {})).count).toBe(1);
    expect(shop.arrived).toEqual([]);
  });

  it('200: records messages for a wallet that never had an endpoint', async () => {
    const wallet = getAddress(hexlify(randomBytes(20)));
    const principal = walletPrincipal(wallet);
    const repeated = 'listen-once';
    const call = () => harness.merchant.call(listenToWebhooks, {}, principal, repeated);
    expect(await call()).toEqual(await call());
    await harness.notify(wallet, 'paylink.paid', { name: 'Espresso' } as never);
    expect(await harness.merchant.call(listWebhooks, {}, principal)).toMatchObject({ count: 1 });
  });

  it('200: does not shorten an earlier listener, and does not change deliveries', async () => {
    const shop = await harness.shop();
    const { until } = await shop.call(listenToWebhooks, { seconds: 300 });
    const reply = await shop.call(listenToWebhooks, { seconds: 10 });
    expect(reply).toEqual({ until, url: `${shop.receiver.url}/hook` });
    await shop.notify('paylink.paid');
    await eventually(() => expect(shop.arrived).toHaveLength(1));
  });

  it('200: allows a replay of a recorded message once there is an endpoint', async () => {
    const { shop } = await listening();
    await shop.notify('paylink.paid');
    const { id } = await shop.message();
    await shop.sync();
    await shop.call(replayWebhook, { id });
    await eventually(() => expect(shop.ids).toEqual([id]));
  });

  it('200: neither records nor sends a message of another wallet', async () => {
    const { shop } = await listening();
    const { shop: thief } = await listening();
    await thief.sync();
    await shop.notify('paylink.paid');
    const { id } = await shop.message();
    expect(await thief.call(listWebhooks, {})).toMatchObject({ count: 0 });
    for (const operation of [getWebhook, replayWebhook])
      await expect(thief.call(operation as typeof getWebhook, { id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    expect(await shop.message()).toMatchObject({ status: 'parked' });
    expect(thief.arrived).toEqual([]);
  });

  it('200: listens at most for the maximum time, even if it is called repeatedly', async () => {
    harness.clock.set(Date.now());
    const { shop } = await listening(300);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => shop.call(listenToWebhooks, { seconds: 300 })),
    );
    const until = new Date(harness.clock.now() + 300_000).toISOString();
    expect(new Set(replies.map((reply) => reply.until))).toEqual(new Set([until]));
    harness.clock.advance(300_001);
    await shop.notify('paylink.paid');
    expect(await shop.call(listWebhooks, {})).toMatchObject({ count: 0 });
  });

  it.each([{ seconds: 9 }, { seconds: 301 }, { seconds: 1.5 }, unknownField])(
    '400 VALIDATION_ERROR: rejects %j',
    async (input: object) => {
      const shop = await harness.shop();
      await expect(shop.call(listenToWebhooks, input)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    },
  );
});

describe('POST /api/webhooks/test', () => {
  it('200: sends the example of a type', async () => {
    const shop = await harness.shop();
    const reply = await shop.call(testWebhook, { type: 'order.reorged' });
    expect(reply).toMatchObject({ delivered: true });
    expect(JSON.parse(shop.arrived[0]!.body)).toMatchObject({
      type: 'order.reorged',
      data: webhookExample('order.reorged')['data'],
    });
  });

  it('200: records the message for a listener without an endpoint', async () => {
    const shop = await harness.shop();
    await shop.sync(null);
    await shop.call(listenToWebhooks, {});
    const reply = await shop.call(testWebhook, { type: 'payout.updated' });
    expect(decode(WebhookTestReply, reply)).toMatchObject({ ok: true });
    expect(reply).toMatchObject({ delivered: false, status: null });
    expect(await shop.call(getWebhook, { id: reply.id })).toMatchObject({
      type: 'payout.updated',
      status: 'parked',
    });
    expect(shop.arrived).toEqual([]);
  });

  it('200: returns the outcome of a successful test', async () => {
    harness.clock.set(Date.now());
    const shop = await harness.shop({ status: 202 });
    const { secret } = await shop.call(rotateWebhookSecret, {});
    const reply = await shop.call(testWebhook, {});
    expect(decode(WebhookTestReply, reply)).toMatchObject({ ok: true });
    expect(reply).toMatchObject({ delivered: true, status: 202, error: null });
    const [request, ...others] = shop.arrived;
    expect(others).toEqual([]);
    const received = new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>);
    expect(received).toMatchObject({ type: 'webhook.test', data: { wallet: shop.wallet } });
    expect(await shop.call(getWebhook, { id: reply.id })).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('200: returns the outcome of a failed test, and does not retry it', async () => {
    const shop = await harness.shop({ status: 404 });
    const reply = await shop.call(testWebhook, {});
    expect(reply).toMatchObject({ delivered: false, status: 404, error: 'The receiver answered 404.' });
    expect(await shop.call(getWebhook, { id: reply.id })).toMatchObject({
      status: 'parked',
      nextAttemptAt: null,
    });
  });

  it('200: resumes all waiting messages after a successful test', async () => {
    const shop = await harness.shop({ status: 410 });
    for (let each = 0; each < 6; each++) await shop.notify('paylink.paid');
    await eventually(async () => expect((await shop.messages())[0]!.attempts).toBe(1));
    expect(await shop.call(getWebhookEndpoint, {})).toMatchObject({ enabled: false, circuit: 'open' });
    shop.answer({});
    expect(await shop.call(testWebhook, {})).toMatchObject({ delivered: true });
    await eventually(async () =>
      expect((await shop.call(listWebhooks, { status: 'delivered' })).count).toBe(7),
    );
    expect(await shop.call(getWebhookEndpoint, {})).toMatchObject({ enabled: true, circuit: 'closed' });
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    const shop = await harness.shop();
    await expect(shop.call(testWebhook, unknownField)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('CONFLICT: rejects a test when the settings have no URL', async () => {
    await expect(harness.merchant.call(testWebhook, {}, stranger)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('SERVICE_UNAVAILABLE: rejects more than 4 concurrent tests of one merchant, and more than 32 in total', async () => {
    const gate: (() => void)[] = [];
    const hanging = () => harness.shop(() => new Promise((resolve) => gate.push(() => resolve({}))));
    const shops = await Promise.all(Array.from({ length: 8 }, hanging));
    const four = (shop: Shop) => Array.from({ length: 4 }, () => shop.call(testWebhook, {}));
    const tests = four(shops[0]!);
    await eventually(() => expect(gate).toHaveLength(4));
    await expect(shops[0]!.call(testWebhook, {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    tests.push(...shops.slice(1).flatMap(four));
    await eventually(() => expect(gate).toHaveLength(32));
    const another = await harness.shop();
    await expect(another.call(testWebhook, {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    gate.forEach((open) => open());
    expect((await Promise.all(tests)).every(({ delivered }) => delivered)).toBe(true);
  });
});

describe('GET /api/webhooks/endpoint', () => {
  it('200: returns the health of the endpoint', async () => {
    const shop = await harness.shop();
    const reply = await shop.call(getWebhookEndpoint, {});
    expect(decode(WebhookEndpointReply, reply)).toMatchObject({ ok: true });
    const url = `${shop.receiver.url}/hook`;
    expect(reply).toMatchObject({
      url,
      enabled: true,
      circuit: 'closed',
      pausedUntil: null,
      previousSecretUntil: null,
    });
    await shop.sync(null);
    expect(await shop.call(getWebhookEndpoint, {})).toEqual({ ...reply, url: null, enabled: false });
  });

  it('200: returns an empty endpoint for a wallet without one', async () => {
    expect(await harness.merchant.call(getWebhookEndpoint, {}, stranger)).toEqual({
      url: null,
      enabled: false,
      circuit: 'closed',
      pausedUntil: null,
      secretCreatedAt: null,
      previousSecretUntil: null,
    });
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    const shop = await harness.shop();
    await expect(shop.call(getWebhookEndpoint, unknownField)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('POST /api/webhooks/endpoint/resume', () => {
  it('200: ends the pause of an endpoint, and sends its waiting messages immediately', async () => {
    const shop = await harness.shop({ status: 410 });
    await shop.notify('order.settled');
    await eventually(async () =>
      expect(await shop.call(getWebhookEndpoint, {})).toMatchObject({ enabled: false, circuit: 'open' }),
    );
    const { pausedUntil } = await shop.call(getWebhookEndpoint, {});
    await shop.notify('order.settled');
    // No message has a next attempt before the end of the pause.
    for (const { nextAttemptAt } of (await shop.call(listWebhooks, {})).webhooks)
      expect(nextAttemptAt! >= pausedUntil!).toBe(true);
    shop.answer({});
    expect(await shop.call(resumeWebhooks, {})).toMatchObject({
      enabled: true,
      circuit: 'closed',
      pausedUntil: null,
    });
    await eventually(async () =>
      expect((await shop.messages()).map(({ status }) => status)).toEqual(['delivered', 'delivered']),
    );
    expect(await shop.call(resumeWebhooks, {})).toMatchObject({ circuit: 'closed', pausedUntil: null });
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    const shop = await harness.shop();
    await expect(shop.call(resumeWebhooks, unknownField)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('CONFLICT: rejects a call when the settings have no URL', async () => {
    const shop = await harness.shop();
    await shop.sync(null);
    await expect(shop.call(resumeWebhooks, {})).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('POST /api/webhooks/secret', () => {
  it('200: returns a new secret only once', async () => {
    const shop = await harness.shop();
    const reply = await shop.call(rotateWebhookSecret, {});
    expect(decode(WebhookSecretReply, reply)).toMatchObject({ ok: true });
    expect(reply.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Date.parse(reply.previousSecretUntil!) - Date.parse(reply.createdAt)).toBe(24 * 3_600_000);
    const endpoint = await shop.call(getWebhookEndpoint, {});
    expect(endpoint).toMatchObject({
      secretCreatedAt: reply.createdAt,
      previousSecretUntil: reply.previousSecretUntil,
    });
    expect(JSON.stringify(endpoint)).not.toContain('whsec');
    expect(await shop.call(rotateWebhookSecret, { gracePeriodSeconds: 0 })).toMatchObject({
      previousSecretUntil: null,
    });
  });

  it('200: signs with the last stored secret and at most one former secret after concurrent calls', async () => {
    const shop = await harness.shop({ status: 500 });
    const secrets = await Promise.all(Array.from({ length: 10 }, () => shop.call(rotateWebhookSecret, {})));
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(10);
    await shop.notify('webhook.test');
    const [request] = await eventually(() => {
      expect(shop.arrived).toHaveLength(1);
      return shop.arrived;
    });
    const counts = secrets.map(({ secret }) => signaturesOf(request!, secret));
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(2);
  });

  it('200: replays the secret for the same Idempotency-Key, and stores it only in encrypted form', async () => {
    const shop = await harness.shop();
    const keyed = `rotate-${shop.wallet}`;
    const rotate = () => harness.merchant.call(rotateWebhookSecret, {}, walletPrincipal(shop.wallet), keyed);
    const reply = await rotate();
    expect(await rotate()).toEqual(reply);
    const stored = await harness.merchant.database.query<{ reply: Buffer }>(
      'SELECT reply FROM idempotency_keys',
    );
    expect(stored.filter((row) => row.reply.includes(reply.secret))).toEqual([]);
  });

  it('400 VALIDATION_ERROR: rejects a grace period below 0, above a week, or of another type than number', async () => {
    const shop = await harness.shop();
    for (const gracePeriodSeconds of [-1, 7 * 86_400 + 1, 1.5, '60'])
      await expect(
        shop.call(rotateWebhookSecret, { gracePeriodSeconds } as { gracePeriodSeconds: number }),
      ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'gracePeriodSeconds' }] });
  });

  it('CONFLICT: rejects a new secret when the settings never had a URL', async () => {
    await expect(harness.merchant.call(rotateWebhookSecret, {}, stranger)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });
});

describe('GET /api/webhooks/types', () => {
  it('200: returns every type with an example that matches its schema', async () => {
    const reply = await harness.merchant.call(listWebhookTypes, {});
    expect(decode(WebhookTypesReply, reply)).toMatchObject({ ok: true });
    expect(reply.types.map(({ name }) => name)).toEqual(webhookTypeNames);
    expect(reply.types.length).toBeGreaterThanOrEqual(12);
    const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
    for (const { name, description, schema, example } of reply.types) {
      expect(description).toMatch(/^[A-Z].*[^.]$/);
      expect(JSON.stringify(schema)).not.toContain('$ref');
      const isValid = ajv.compile(schema);
      expect([name, isValid(example), isValid.errors]).toEqual([name, true, null]);
      expect(isValid({ ...example, type: 'order.stolen' })).toBe(false);
      expect(isValid({ ...example, data: {} })).toBe(false);
    }
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    await expect(harness.merchant.call(listWebhookTypes, unknownField)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('webhooks of an order', () => {
  it('reach the shop once for each event, even if the event arrives repeatedly', async () => {
    const shop = await harness.shop();
    const changes = { merchant_address: shop.wallet, merchant_id: shop.wallet, created_by: shop.wallet };
    const created = await harness.merchant.publishOrder('order-created', {
      ...changes,
      status: 'waiting_payment',
      version: 1,
    });
    const order_id = created.order_id;
    await harness.merchant.publishOrder('order-settled', { ...changes, order_id, version: 3 });
    await eventually(() => expect(shop.arrived).toHaveLength(2));
    const received = shop.arrived.map(
      ({ body }) => JSON.parse(body) as { type: string; data: { order_id: string } },
    );
    expect(received.map(({ type, data }) => [type, data.order_id]).sort()).toEqual([
      ['order.created', order_id],
      ['order.settled', order_id],
    ]);
    expect(received.find(({ type }) => type === 'order.settled')!.data).toMatchObject({
      ...changes,
      version: 3,
    });
  });

  it('start with the payment when another client created the order', async () => {
    const shop = await harness.shop();
    const changes = { merchant_address: shop.wallet, merchant_id: shop.wallet, created_by: null };
    const stages = ['order-created', 'order-settling', 'order-failed', 'order-expired'] as const;
    const { order_id } = await harness.merchant.publishOrder('order-created', { ...changes, version: 1 });
    for (const [at, type] of stages.entries())
      await harness.merchant.publishOrder(type, { ...changes, order_id, version: at + 2 });
    await harness.merchant.publishOrder('order-settled', { ...changes, order_id, version: 6 });
    await harness.merchant.publishOrder('order-reorged', { ...changes, order_id, version: 7 });
    await eventually(() => expect(shop.arrived).toHaveLength(2));
    const types = shop.arrived.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect(types.sort()).toEqual(['order.reorged', 'order.settled']);
  });
});

it('covers each operation and declared error', () => {
  expect(missingCases(Object.values(webhooksApi.operations), readFileSync(__filename, 'utf8'))).toEqual([]);
});
