import { settingsApi, webhooksApi } from '@tollbridge/contracts';
import { transaction } from '@tollbridge/database';
import { eventually, type HttpReply, testIdentities } from '@tollbridge/testing';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { signaturesOf, WebhookHarness, type Shop } from '../testing/webhook-harness';
import { notifyMerchant } from './webhook-outbox';
import { WebhookQueueRepository } from './webhook-queue.repository';

const { rotateWebhookSecret, replayWebhook, testWebhook, getWebhookEndpoint } = webhooksApi.operations;
const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];
let harness: WebhookHarness;

beforeAll(async () => {
  harness = await WebhookHarness.start();
});
afterAll(() => harness?.close());

const attempted = (shop: Shop, count: number) =>
  eventually(async () => {
    const message = await shop.message();
    expect(message.attempts).toBe(count);
    return message;
  });
const delivered = (shop: Shop) =>
  eventually(async () => {
    const messages = await shop.messages();
    expect(messages.map(({ status }) => status)).toEqual(messages.map(() => 'delivered'));
    return messages;
  });
const endpointOf = (shop: Shop) => shop.call(getWebhookEndpoint, {});
const newSecret = async (shop: Shop, gracePeriodSeconds = 0): Promise<string> =>
  (await shop.call(rotateWebhookSecret, { gracePeriodSeconds })).secret;

describe('a webhook message', () => {
  it('contains the trace context of its change, and no header for a malformed one', async () => {
    harness.clock.set(Date.now());
    const shop = await harness.shop({ status: 204 });
    const known = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    for (const traceparent of [known, '', 'a\r\nx-injected: 1'])
      await transaction(harness.pool, (client) =>
        notifyMerchant(client, {
          wallet: shop.wallet,
          type: 'webhook.test',
          data: { wallet: shop.wallet, message: 'Trace' },
          nowMs: harness.clock.now(),
          traceparent,
        }),
      );
    expect(await delivered(shop)).toHaveLength(3);
    expect(shop.arrived.map(({ headers }) => headers['traceparent'])).toEqual([known, undefined, undefined]);
  });

  it('arrives once, with a signature that the Standard Webhooks library accepts', async () => {
    harness.clock.set(Date.now());
    const shop = await harness.shop({ status: 204 });
    const secret = await newSecret(shop);
    await shop.notify('webhook.test');
    const [message] = await delivered(shop);
    const [request, ...others] = shop.arrived;
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', path: '/hook' });
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Tollbridge-Webhooks/1.0',
      'webhook-id': message!.id,
    });
    const event = new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>);
    expect(event).toEqual({
      type: 'webhook.test',
      timestamp: message!.created_at.toISOString(),
      store_name: null,
      data: shop.sample('webhook.test'),
    });
    expect(() => new Webhook(secret).verify(`${request!.body} `, request!.headers as never)).toThrow(
      'signature',
    );
    expect(message).toMatchObject({ attempts: 1, log: [{ status: 204, error: null }] });
  });

  it('contains the name of the shop at the time of its creation', async () => {
    const shop = await harness.shop({ status: 204 });
    const { putSettings } = settingsApi.operations;
    const webhookUrl = `${shop.receiver.url}/hook`;
    await shop.call(putSettings, { settings: { webhookUrl, storeName: 'Corner \u202eCafé' } });
    await shop.notify('webhook.test');
    await delivered(shop);
    await shop.call(testWebhook, {});
    const names = shop.arrived.map(({ body }) => (JSON.parse(body) as { store_name: string }).store_name);
    expect(names).toEqual(['Corner Café', 'Corner Café']);
  });

  it('disappears when the transaction of its change is rolled back', async () => {
    const shop = await harness.shop();
    const change = transaction(harness.pool, async (client) => {
      const { wallet } = shop;
      await notifyMerchant(client, {
        wallet,
        type: 'webhook.test',
        data: shop.sample('webhook.test'),
        nowMs: harness.clock.now(),
      });
      throw new Error('rolled back');
    });
    await expect(change).rejects.toThrow('rolled back');
    expect(await shop.messages()).toEqual([]);
  });

  it('requires an endpoint of the wallet, and waits while the endpoint is removed', async () => {
    const shop = await harness.shop({ status: 500 });
    await shop.notify('webhook.test');
    await attempted(shop, 1);
    await shop.sync(null);
    await shop.notify('paylink.paid');
    harness.clock.advance(10 * secondMs);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await shop.messages()).toMatchObject([{ type: 'webhook.test', status: 'failing', attempts: 1 }]);
    shop.answer({});
    await shop.sync();
    await delivered(shop);
  });

  it('arrives once and in the order of creation, with several replicas', async () => {
    await harness.merchant.startApp();
    const shop = await harness.shop();
    for (let batch = 0; batch < 5; batch++) {
      for (let each = 0; each < 20; each++) await shop.notify('webhook.test');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const messages = await delivered(shop);
    expect(messages).toHaveLength(100);
    expect(shop.ids).toEqual(messages.map(({ id }) => id));
  });

  it('goes to the current URL of the settings, also when the URL changes during a delivery', async () => {
    const gate: (() => void)[] = [];
    const former = await harness.shop(
      () => new Promise<HttpReply>((resolve) => gate.push(() => resolve({}))),
    );
    const later = await harness.shop();
    for (let each = 0; each < 3; each++) await former.notify('webhook.test');
    await eventually(() => expect(gate).toHaveLength(1));
    await harness.sync(former.wallet, `${later.receiver.url}/new`);
    await eventually(() => expect(later.arrived).toHaveLength(3));
    gate.forEach((open) => open());
    await eventually(async () => expect((await former.messages())[0]!.attempts).toBe(2));
    const messages = await delivered(former);
    expect([former.arrived.length, later.arrived.map(({ path }) => path)]).toEqual([
      1,
      ['/new', '/new', '/new'],
    ]);
    expect(messages.map(({ attempts }) => attempts)).toEqual([2, 1, 1]);
  });
});

describe('delivery to a receiver', () => {
  const first = async (answer: HttpReply) => {
    const shop = await harness.shop(answer);
    const startMs = harness.clock.now();
    await shop.notify('webhook.test');
    const message = await attempted(shop, 1);
    const nextMs = message.next_attempt_at && message.next_attempt_at.getTime() - startMs;
    return { shop, message, nextMs, last: message.log[0]! };
  };

  it('delivers once to a receiver that returns 200', async () => {
    const { shop, message, last } = await first({ status: 200, body: 'x'.repeat(200_000) });
    expect([message.status, message.next_attempt_at, last]).toMatchObject([
      'delivered',
      null,
      { status: 200, error: null },
    ]);
    harness.clock.advance(hourMs);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(shop.arrived).toHaveLength(1);
  });

  it('retries after five seconds when the receiver returns 500, with the same id and a new timestamp', async () => {
    const { shop, message, nextMs, last } = await first({
      status: 500,
      body: 'whsec_secret of the receiver',
    });
    expect([message.status, last]).toMatchObject([
      'failing',
      { status: 500, error: 'The receiver answered 500.' },
    ]);
    expect(nextMs).toBeGreaterThanOrEqual(5 * secondMs);
    expect(nextMs).toBeLessThanOrEqual(6 * secondMs);
    shop.answer({});
    harness.clock.advance(6 * secondMs);
    await delivered(shop);
    expect(shop.ids).toEqual([message.id, message.id]);
    const times = shop.arrived.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times[1]! - times[0]!).toBe(6);
    expect(shop.arrived[0]!.body).toBe(shop.arrived[1]!.body);
  });

  it('does not follow a redirect of the receiver', async () => {
    const inside = await harness.shop();
    const { message, last } = await first({ status: 301, headers: { location: inside.receiver.url } });
    expect([message.status, last.status]).toEqual(['failing', 301]);
    expect(last.error).toBe(
      'The receiver answered 301. Redirects are not followed. Configure the final URL.',
    );
    expect(inside.arrived).toEqual([]);
  });

  it('disables an endpoint that returns 410, retries once an hour, and enables it after the first success', async () => {
    const { shop, last } = await first({ status: 410 });
    expect(last.error).toBe('The receiver answered 410 Gone.');
    expect(await endpointOf(shop)).toMatchObject({ enabled: false, circuit: 'open' });
    // Messages that are created meanwhile are stored.
    for (let each = 0; each < 3; each++) await shop.notify('webhook.test');
    harness.clock.advance(50 * minuteMs);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(shop.arrived).toHaveLength(1);
    harness.clock.advance(25 * minuteMs);
    await eventually(() => expect(shop.arrived).toHaveLength(2));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(shop.arrived).toHaveLength(2);
    shop.answer({});
    harness.clock.advance(75 * minuteMs);
    await delivered(shop);
    expect(await endpointOf(shop)).toMatchObject({ enabled: true, circuit: 'closed', pausedUntil: null });
  });

  it('retries immediately after a new URL or a replay when the receiver returned 410', async () => {
    const { shop, message } = await first({ status: 410 });
    await shop.call(replayWebhook, { id: message.id });
    await attempted(shop, 2);
    shop.answer({});
    await shop.sync();
    harness.clock.advance(6 * secondMs);
    await delivered(shop);
    expect(await endpointOf(shop)).toMatchObject({ enabled: true, circuit: 'closed' });
  });

  it.each([
    ['429 with seconds', 429, () => '120', 120],
    ['503 with a date', 503, () => new Date(harness.clock.now() + 300_000).toUTCString(), 299],
    ['429 with a year, limited to a day', 429, () => '31536000', 86_400],
  ])('waits as long as the receiver requests with %s', async (_name, status, header, seconds) => {
    const { shop, nextMs } = await first({ status, headers: { 'retry-after': header() } });
    expect(nextMs).toBeGreaterThanOrEqual(seconds * secondMs);
    expect(nextMs).toBeLessThanOrEqual((seconds + 1) * secondMs);
    await shop.notify('webhook.test');
    harness.clock.advance((seconds - 1) * secondMs);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(shop.arrived).toHaveLength(1);
    shop.answer({});
    harness.clock.advance(3 * secondMs);
    await delivered(shop);
    expect(shop.arrived).toHaveLength(3);
  });

  it('ignores Retry-After of a receiver that returns 500', async () => {
    const { nextMs } = await first({ status: 500, headers: { 'retry-after': '9999' } });
    expect(nextMs).toBeLessThanOrEqual(6 * secondMs);
  });

  it('fails when the receiver closes the connection early, and succeeds when it closes after the status', async () => {
    const server = createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.destroy()),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const shop = await harness.shop();
    await shop.sync(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await shop.notify('webhook.test');
    const message = await attempted(shop, 1);
    expect([message.status, message.log]).toMatchObject([
      'failing',
      [{ status: null, error: 'The connection was closed before an answer.' }],
    ]);
    await once(server.close(), 'close');
    harness.clock.advance(6 * secondMs);
    expect((await attempted(shop, 2)).log.at(-1)!.error).toBe('No connection could be made.');
    expect((await first({ half: 'o' })).message.status).toBe('delivered');
  });

  it('times out after 15 seconds for a receiver that hangs, and does not delay 99 others', async () => {
    const hanging = await harness.shop({ silent: true });
    const others: Shop[] = [];
    while (others.length < 99) others.push(await harness.shop());
    // All messages are created in one transaction, so the measured time is that of the deliveries.
    await transaction(harness.pool, async (client) => {
      const [type, nowMs] = ['webhook.test' as const, harness.clock.now()];
      for (let each = 0; each < 3; each++)
        for (const { wallet } of [hanging, ...others])
          await notifyMerchant(client, { wallet, type, data: hanging.sample(type), nowMs });
    });
    const startedMs = performance.now();
    await eventually(() => expect(others.every(({ arrived }) => arrived.length === 3)).toBe(true));
    // This is before the time-out of the hanging delivery.
    expect(performance.now() - startedMs).toBeLessThan(14_000);
    expect(hanging.arrived).toHaveLength(1);
    const [message] = await eventually(async () => {
      const found = await hanging.messages();
      expect(found[0]!.attempts).toBe(1);
      return found;
    });
    expect(message!.log).toMatchObject([{ status: null, error: 'There was no answer in time.' }]);
    expect(message!.log[0]!.tookMs).toBeGreaterThanOrEqual(15_000);
    expect(message!.log[0]!.tookMs).toBeLessThan(30_000);
    // Ends the hanging replies, so that the test file does not wait for them.
    hanging.answer({});
    await hanging.sync(null);
  });
});

describe('delivery to an endpoint', () => {
  it('retries for 72 hours, then exhausts the message, and a replay is still possible', async () => {
    const shop = await harness.shop({ status: 503 });
    const startMs = harness.clock.now();
    await shop.notify('webhook.test');
    for (let attempt = 1; ; attempt++) {
      const message = await attempted(shop, attempt);
      if (message.status === 'parked') break;
      harness.clock.set(message.next_attempt_at!.getTime());
    }
    const exhausted = await shop.message();
    expect(exhausted.log.at(-1)!.atMs - startMs).toBeGreaterThanOrEqual(72 * hourMs);
    expect(exhausted).toMatchObject({ attempts: 10, next_attempt_at: null });
    expect(new Set(shop.ids)).toEqual(new Set([exhausted.id]));
    harness.clock.advance(400 * 24 * hourMs);
    shop.answer({});
    expect(await shop.call(replayWebhook, { id: exhausted.id })).toMatchObject({
      status: 'pending',
      attempts: 10,
    });
    await delivered(shop);
    expect(shop.ids).toEqual(Array.from({ length: 11 }, () => exhausted.id));
  });

  it('sends all messages in order without any action when the endpoint recovers', async () => {
    const shop = await harness.shop({ status: 500 });
    for (let each = 0; each < 8; each++) await shop.notify('webhook.test');
    await eventually(async () =>
      expect(await endpointOf(shop)).toMatchObject({ enabled: true, circuit: 'open' }),
    );
    expect(shop.arrived).toHaveLength(5);
    // The circuit is open, so one message at a time probes the endpoint.
    harness.clock.advance(2 * hourMs);
    await eventually(() => expect(shop.arrived).toHaveLength(6));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(shop.arrived).toHaveLength(6);
    shop.answer({});
    await shop.notify('webhook.test');
    harness.clock.advance(hourMs);
    const messages = await delivered(shop);
    expect(messages).toHaveLength(9);
    expect(await endpointOf(shop)).toMatchObject({ circuit: 'closed', pausedUntil: null });
    // Failed messages do not wait for their own later time.
    expect(new Set(shop.ids.slice(6)).size).toBe(9);
  });

  it('continues when the endpoint rejects one message, and the circuit stays closed', async () => {
    const shop = await harness.shop(({ headers }) => ({
      status: headers['webhook-id'] === poison ? 500 : 200,
    }));
    let poison = '';
    await shop.notify('webhook.test');
    [poison] = (await delivered(shop)).map(({ id }) => id) as [string];
    await shop.call(replayWebhook, { id: poison });
    for (let each = 0; each < 10; each++) await shop.notify('webhook.test');
    await eventually(async () =>
      expect((await shop.messages()).map(({ status }) => status)).toEqual([
        'failing',
        ...Array.from({ length: 10 }, () => 'delivered'),
      ]),
    );
    expect(await endpointOf(shop)).toMatchObject({ circuit: 'closed' });
  });

  it('exhausts the waiting messages of an endpoint that is removed for four days', async () => {
    const shop = await harness.shop({ status: 500 });
    await shop.notify('webhook.test');
    await attempted(shop, 1);
    await shop.sync(null);
    const queue = harness.merchant.apps[0]!.context.get(WebhookQueueRepository, { strict: false });
    const startMs = (await shop.message()).created_at.getTime();
    await queue.exhaustOld(startMs + 95 * hourMs, 500);
    expect((await shop.message()).status).toBe('failing');
    await queue.exhaustOld(startMs + 96 * hourMs, 500);
    expect(await shop.message()).toMatchObject({ status: 'parked', next_attempt_at: null });
  });
});

describe('a failing or slow sender', () => {
  it('leaves its message to another sender when it dies after the POST, and the id stays the same', async () => {
    const shop = await harness.shop();
    // Every replica fails to record the outcome.
    const queues = harness.merchant.apps.map(({ context }) =>
      context.get(WebhookQueueRepository, { strict: false }),
    );
    const dying = queues.map((queue) =>
      jest.spyOn(queue, 'record').mockRejectedValueOnce(new Error('killed')),
    );
    await shop.notify('webhook.test');
    await eventually(() => expect(shop.arrived).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([(await shop.message()).attempts, shop.arrived.length]).toEqual([0, 1]);
    dying.forEach((each) => each.mockRestore());
    // The lease of the dead sender expires.
    harness.clock.advance(2 * minuteMs);
    const [message] = await delivered(shop);
    expect(shop.ids).toEqual([message!.id, message!.id]);
  });

  it('does not overwrite a replay that is requested during its delivery', async () => {
    const gate: ((reply: HttpReply) => void)[] = [];
    const shop = await harness.shop(() => new Promise<HttpReply>((resolve) => gate.push(resolve)));
    await shop.notify('webhook.test');
    await eventually(() => expect(gate).toHaveLength(1));
    const { id } = await shop.message();
    await shop.call(replayWebhook, { id });
    gate[0]!({});
    await eventually(() => expect(gate).toHaveLength(2));
    expect(await shop.message()).toMatchObject({ status: 'pending', attempts: 1 });
    gate[1]!({});
    await delivered(shop);
    expect(shop.ids).toEqual([id, id]);
  });
});

describe('a signing secret', () => {
  it('signs together with the new secret until its grace period ends', async () => {
    const shop = await harness.shop({ status: 500 });
    const former = await newSecret(shop);
    await shop.notify('webhook.test');
    await attempted(shop, 1);
    const secret = await newSecret(shop, 3600);
    harness.clock.advance(6 * secondMs);
    await attempted(shop, 2);
    harness.clock.advance(hourMs);
    await attempted(shop, 3);
    const signatures = shop.arrived.map((request) => [
      signaturesOf(request, former),
      signaturesOf(request, secret),
    ]);
    expect(signatures).toEqual([
      [1, 0],
      [1, 1],
      [0, 1],
    ]);
  });

  it('does not sign after it was replaced without a grace period', async () => {
    const shop = await harness.shop({ status: 500 });
    const former = await newSecret(shop);
    const secret = await newSecret(shop, 0);
    await shop.notify('webhook.test');
    await attempted(shop, 1);
    const [request] = shop.arrived;
    expect([signaturesOf(request!, former), signaturesOf(request!, secret)]).toEqual([0, 1]);
    expect(String(request!.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('prevents the delivery when it cannot be decrypted, and the attempt records the reason', async () => {
    const shop = await harness.shop();
    await harness.merchant.database.query(`UPDATE webhook_endpoints SET secret = '\\x00' WHERE wallet = $1`, [
      shop.wallet,
    ]);
    await shop.notify('webhook.test');
    const { log } = await attempted(shop, 1);
    expect(log).toMatchObject([
      {
        status: null,
        error: 'The signing secret cannot be read. Create a new one with POST /api/webhooks/secret.',
      },
    ]);
    expect(shop.arrived).toEqual([]);
  });

  it('appears in plain text in no table, also during the grace period', async () => {
    const shop = await harness.shop({ status: 500 });
    const secrets = [await newSecret(shop), await newSecret(shop, 3600)];
    await shop.notify('webhook.test');
    await attempted(shop, 1);
    const dump = await harness.merchant.database.query<{ text: string }>(
      `SELECT e::text AS text FROM webhook_endpoints e UNION ALL SELECT m::text FROM webhook_messages m
       UNION ALL SELECT i::text FROM idempotency_keys i UNION ALL SELECT o::text FROM outbox o`,
    );
    expect(dump.length).toBeGreaterThan(2);
    for (const secret of secrets) {
      const bytes = Buffer.from(secret.slice(6), 'base64').toString('hex');
      expect(dump.filter(({ text }) => text.includes(secret.slice(6)) || text.includes(bytes))).toEqual([]);
    }
  });
});

describe('outside the sandbox', () => {
  it('delivers no webhook to a local address, even if earlier settings contain its URL', async () => {
    const strict = await WebhookHarness.start({ TOLLBRIDGE_ENV: 'test', ...testIdentities('merchant') });
    try {
      const shop = await strict.shop();
      const { port } = new URL(shop.receiver.url);
      const urls = [
        [`http://127.0.0.1:${port}/`, 'The URL must begin with https://.'],
        [`https://127.0.0.1:${port}/`, 'The URL must have the port 443 or 8443.'],
        ['https://[::ffff:127.0.0.1]/', 'The URL must not lead to a loopback address.'],
        ['https://localhost./', 'The URL must not lead to a name of a local network.'],
        ['https://169.254.169.254/latest/meta-data', 'The URL must not lead to a metadata address.'],
      ] as const;
      for (const [url, error] of urls) {
        await shop.sync(url);
        await shop.notify('webhook.test');
        expect((await attempted(shop, 1)).log).toMatchObject([{ status: null, error }]);
        expect(await shop.call(testWebhook, {})).toMatchObject({ delivered: false, status: null, error });
      }
      await expect(shop.call(testWebhook, { type: 'order.settled' })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'Examples of order.settled are sent in the sandbox only.',
      });
      expect(shop.arrived).toEqual([]);
    } finally {
      await strict.close();
    }
  });
});
