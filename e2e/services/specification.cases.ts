import { eventually } from '@tollbridge/testing';
import { createTransport } from 'nodemailer';
import { Redis } from 'ioredis';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { ServicesHarness } from './services-harness';

// The requests of the tables "Service API" of the specification, sent by a client that uses no other information.

interface RawReply {
  status: number;
  body: any;
}

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;
const text = expect.any(String);
const number = expect.any(Number);
const anyObject = expect.any(Object);
const payee = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

/** Each request of the specification with its fields, and the specified response fields. */
export function specificationCases(it: ServicesHarness): void {
  const client = new SpecificationClient(it);
  describe('a client written from the specification', () => {
    giftRequests(client);
    mailRequests(client, it);
    smsRequests(client, it);
    cardRequests(client, it);
    catalogRequests(client);
    payoutRequests(client, it);
  });
}

class SpecificationClient {
  constructor(private readonly it: ServicesHarness) {}

  async send(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<RawReply> {
    const reply = await fetch(this.it.harness.gateway + path, {
      method,
      headers: {
        authorization: `Bearer ${this.it.sandbox.merchant.secret}`,
        ...more,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.json() };
  }

  async ok(method: string, path: string, body?: unknown, more?: Record<string, string>): Promise<any> {
    const reply = await this.send(method, path, body, more);
    expect({ path, ...reply }).toMatchObject({ path, status: 200 });
    return reply.body;
  }
}

function giftRequests(client: SpecificationClient): void {
  test('GET /gift/giftcards/products, without and with country', async () => {
    const products = await client.ok('GET', '/gift/giftcards/products');
    expect(products.map(({ countryCode }: any) => countryCode)).toEqual(products.map(() => 'US'));
    expect(await client.ok('GET', '/gift/giftcards/products?country=ES')).not.toEqual(products);
  });

  test('POST /gift/giftcards/order', async () => {
    const order = {
      productId: 1001,
      countryCode: 'US',
      quantity: 1,
      unitPrice: 25,
      customIdentifier: 'specification-1',
      senderName: 'Ada',
      recipientEmail: 'grace@example.com',
    };
    expect(await client.ok('POST', '/gift/giftcards/order', order)).toEqual(anyObject);
  });

  test('GET /gift/airtime/detect and POST /gift/airtime/topup', async () => {
    const found = await client.ok('GET', '/gift/airtime/detect?phone=08031234567&country=NG');
    const topup = {
      operatorId: found.operatorId,
      amount: 10,
      useLocalAmount: false,
      customIdentifier: 'specification-2',
      recipientPhone: { countryCode: 'NG', number: '08031234567' },
    };
    expect(await client.ok('POST', '/gift/airtime/topup', topup)).toEqual(anyObject);
  });

  test('GET /gift/utilities/billers, by country and by any type, and POST /gift/utilities/pay', async () => {
    const all = await client.ok('GET', '/gift/utilities/billers');
    expect(all.length).toBeGreaterThan(0);
    expect(await client.ok('GET', '/gift/utilities/billers?country=SN&type=ELECTRICITY')).toEqual([]);
    const pay = {
      subscriberAccountNumber: '04223568280',
      amount: 6_000,
      billerId: 5001,
      useLocalAmount: true,
    };
    expect(await client.ok('POST', '/gift/utilities/pay', pay)).toEqual(anyObject);
  });

  test('GET /gift/balance', async () => {
    expect(await client.ok('GET', '/gift/balance')).toMatchObject({
      balance: number,
      currencyCode: text,
      currencyName: text,
      updatedAt: expect.stringMatching(iso),
    });
  });
}

function mailRequests(client: SpecificationClient, it: ServicesHarness): void {
  const account = { address: text, password: text, token: text, id: text };
  const deliver = async (to: string): Promise<void> => {
    const transport = createTransport(it.sandbox.smtp, {});
    const letter = { from: 'shop@example.com', to, subject: 'Welcome', text: 'Your code is 730164' };
    await transport.sendMail(letter).finally(() => transport.close());
  };

  test('GET /email/domains, POST /email/account, and its messages by header and by query', async () => {
    expect(await client.ok('GET', '/email/domains')).toEqual(anyObject);
    expect(await client.ok('POST', '/email/account', {})).toMatchObject(account);
    const made = await client.ok('POST', '/email/account', { username: 'specification' });
    expect(made).toMatchObject({ ...account, address: expect.stringMatching(/^specification@/) });
    it.secrets.push(made.token, made.password);
    await deliver(made.address);
    const byHeader = await client.ok('GET', '/email/messages', undefined, { 'x-email-token': made.token });
    const byQuery = await client.ok('GET', `/email/messages?token=${made.token}`);
    expect(byQuery).toEqual(byHeader);
    const path = `/email/messages/${byHeader.messages[0].id}`;
    const message = await client.ok('GET', path, undefined, { 'x-email-token': made.token });
    expect(await client.ok('GET', `${path}?token=${made.token}`)).toEqual(message);
  });

  test('POST /email/account-and-wait', async () => {
    const waiting = client.ok('POST', '/email/account-and-wait', { username: 'specification-waits' });
    const domain = (await client.ok('GET', '/email/domains')).domains[0].domain;
    // The provider accepts mail when the account exists.
    await eventually(() => deliver(`specification-waits@${domain}`));
    const waited = await waiting;
    expect(waited).toMatchObject({
      address: text,
      password: text,
      token: text,
      code: '730164',
      message: { subject: 'Welcome', text: expect.stringContaining('730164') },
    });
    expect(waited.timeout).not.toBe(true);
    const late = await client.ok('POST', '/email/account-and-wait', { timeout: 1 });
    expect(late).toMatchObject({ message: null, code: null, timeout: true });
    it.secrets.push(waited.token, waited.password, late.token, late.password);
  });

  test('POST /agentmail/inboxes and /agentmail/send, /resend/send and /resend/agent-email', async () => {
    const inbox = await client.ok('POST', '/agentmail/inboxes', { name: 'Specification' });
    const letter = { to: 'grace@quickbox.test', subject: 'Hello', text: 'Hello' };
    const { inbox_id } = inbox;
    expect(await client.ok('POST', '/agentmail/send', { inbox_id, ...letter })).toEqual(anyObject);
    const html = '<p>Hello</p>';
    expect(await client.ok('POST', '/resend/send', { ...letter, html })).toEqual(anyObject);
    expect(await client.ok('POST', '/resend/agent-email', { agentId: 'agent-7' })).toMatchObject({
      address: text,
      domain: text,
    });
  });
}

function smsRequests(client: SpecificationClient, it: ServicesHarness): void {
  test.each([
    ['tg', 1, /^\+1\d{10}$/],
    ['wa', 86, /^\+86\d{11}$/],
  ])('POST /sms/number for %s in %d, and GET /sms/status/{id}', async (service, country, form) => {
    const rented = await client.ok('POST', '/sms/number', { service, country });
    expect(rented).toMatchObject({ id: text, number: expect.stringMatching(form) });
    const { code } = await eventually(async () => {
      const state = await client.ok('GET', `/sms/status/${rented.id}`);
      expect(state).toMatchObject({ status: 'received', code: expect.stringMatching(/^\d{6}$/) });
      return state;
    });
    it.secrets.push(code);
  });

  test('GET /sms/status/{id} before a code arrives', async () => {
    // The simulator never sends a code for this service.
    const { id } = await client.ok('POST', '/sms/number', { service: 'x1', country: 44 });
    expect(await client.ok('GET', `/sms/status/${id}`)).toMatchObject({ status: 'STATUS_WAIT_CODE' });
  });

  test('POST /sms/number-and-wait, with and without timeout', async () => {
    for (const more of [{}, { timeout: 600 }]) {
      const wish = { service: 'tg', country: 44, ...more };
      const awaited = await client.ok('POST', '/sms/number-and-wait', wish);
      expect(awaited).toMatchObject({ id: text, number: text, code: expect.stringMatching(/^\d{6}$/) });
      expect(awaited.timeout).not.toBe(true);
      it.secrets.push(awaited.code);
    }
    const none = { service: 'x1', country: 44, timeout: 1 };
    expect(await client.ok('POST', '/sms/number-and-wait', none)).toMatchObject({
      id: text,
      number: text,
      code: null,
      timeout: true,
    });
    expect((await client.send('POST', '/sms/number-and-wait', { ...none, timeout: 601 })).status).toBe(400);
  });

  test('POST /sms/send', async () => {
    const sent = await client.ok('POST', '/sms/send', { to: '+447400123456', body: 'Hello' });
    expect(sent).toMatchObject({ sid: text, status: 'queued' });
  });
}

function cardRequests(client: SpecificationClient, it: ServicesHarness): void {
  test('POST /card/get-card, GET /card/card-data and GET /card/my-cards', async () => {
    const { wallet } = it.sandbox.merchant;
    const headers = { 'idempotency-key': 'specification-card' };
    const card = await client.ok('POST', '/card/get-card', { wallet, amount: 25 }, headers);
    expect(card).toMatchObject({
      number: expect.stringMatching(/^\d{16}$/),
      cvv: expect.stringMatching(/^\d{3}$/),
      expMonth: expect.stringMatching(/^\d{2}$/),
      expYear: expect.stringMatching(/^20\d{2}$/),
    });
    it.secrets.push(card.number);
    // A replay reads the number again.
    expect(await client.ok('POST', '/card/get-card', { wallet, amount: 25 }, headers)).toEqual(card);
    expect(await client.ok('GET', `/card/card-data?card_id=${card.cardId}`)).toEqual(card);
    const { cards } = await client.ok('GET', `/card/my-cards?wallet=${wallet}`);
    const { number: whole, cvv, expMonth, expYear, ...record } = card;
    expect(cards).toContainEqual(record);
    expect([cvv, expMonth, expYear].every((value) => typeof value === 'string')).toBe(true);
    expect(await placesOf(it, whole)).toEqual([]);
    // A control: the search finds the id of the card.
    expect(await placesOf(it, card.cardId)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^service_api\.cards/), expect.stringMatching(/nats/)]),
    );
    expect((await client.send('GET', '/card/card-data')).status).toBe(400);
    expect((await client.send('GET', '/card/my-cards')).status).toBe(400);
  });
}

/** The places of a text: tables of all apps, Redis, files of streams, logs. Excludes the issuer's own tables. */
async function placesOf(it: ServicesHarness, wanted: string): Promise<string[]> {
  const { urls } = it.harness.state;
  const places: string[] = [];
  const database = new Client({ connectionString: urls.postgres.replace(/\/postgres$/, '/tollbridge') });
  await database.connect();
  try {
    const { rows: tables } = await database.query<{ name: string }>(
      `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
       WHERE table_schema NOT IN ('pg_catalog', 'information_schema', 'sandbox') AND table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(30);
    for (const { name } of tables) {
      // PostgreSQL prints bytes in hexadecimal.
      const { rowCount } = await database.query(
        `SELECT 1 FROM ${name} t WHERE t::text LIKE '%' || $1 || '%' OR t::text LIKE '%' || $2 || '%' LIMIT 1`,
        [wanted, Buffer.from(wanted).toString('hex')],
      );
      if (rowCount !== 0) places.push(name);
    }
  } finally {
    await database.end();
  }
  return [...places, ...(await keysOf(urls.redis, wanted)), ...filesOf(it.harness.directory, wanted)];
}

async function keysOf(url: string, wanted: string): Promise<string[]> {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys('*');
    const dumps = await Promise.all(keys.map(async (key) => [key, await redis.dumpBuffer(key)] as const));
    return dumps
      .filter(([key, dump]) => key.includes(wanted) || dump?.includes(wanted))
      .map(([key]) => `redis ${key}`);
  } finally {
    redis.disconnect();
  }
}

/** Lists the files of streams and logs; the files of the database are read as tables. */
function filesOf(directory: string, wanted: string): string[] {
  return ['nats', 'logs', 'redis'].flatMap((folder) =>
    readdirSync(join(directory, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(wanted)),
  );
}

function catalogRequests(client: SpecificationClient): void {
  test('GET /catalog, /catalog/search and /catalog/{id}', async () => {
    const { services } = await client.ok('GET', '/catalog');
    expect(services).toHaveLength(22);
    expect((await client.ok('GET', '/catalog/search?q=sms')).services.length).toBeGreaterThan(0);
    const found = await client.ok('GET', '/catalog/search?q=sms&category=sms');
    expect(found.services.length).toBeGreaterThan(0);
    for (const { id } of services) expect(await client.ok('GET', `/catalog/${id}`)).toMatchObject({ id });
    const missing = await client.send('GET', '/catalog/nothing');
    expect(missing).toMatchObject({ status: 404, body: { error: text } });
  });
}

function payoutRequests(client: SpecificationClient, it: ServicesHarness): void {
  test.each(['/payout/preview', '/payout/batch'])(
    'POST %s, with a list and with its JSON text',
    async (path) => {
      const { wallet } = it.sandbox.merchant;
      const recipients = [{ address: payee, amount: 12.5 }];
      for (const given of [recipients, JSON.stringify(recipients)]) {
        const body = { wallet, chain: 'base', token: 'USDC', recipients: given };
        const reply = await client.ok('POST', path, body);
        expect(reply).toMatchObject({
          wallet,
          chain: text,
          token: 'USDC',
          recipientCount: 1,
          totalAmount: 12.5,
          fee: 0.0625,
          estimatedGas: expect.stringMatching(/^\d+$/),
        });
        if (path === '/payout/batch') expect(reply).toMatchObject({ status: 'pending', message: text });
      }
    },
  );
}
