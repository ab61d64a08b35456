import { internalStorefrontsApi, settingsApi, webhooksApi } from '@tollbridge/contracts';
import { walletPrincipal, type DomainError } from '@tollbridge/rpc';
import { migrate } from '@tollbridge/database';
import { freshDatabase, ManualClock, missingCases } from '@tollbridge/testing';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { v7 as uuid } from 'uuid';
import { migrations } from '../migrations';
import { Merchant } from '../testing/merchant';

const { getSettings, putSettings, deleteSettings } = settingsApi.operations;
const { readStoreLogo } = internalStorefrontsApi.operations;
const { getWebhookEndpoint } = webhooksApi.operations;
const clock = new ManualClock();
let merchant: Merchant;
beforeAll(async () => {
  merchant = await Merchant.start({ clock });
  // A second replica of the merchant app answers as well.
  await merchant.startApp();
});
afterAll(() => merchant?.close());

let wallet: string;
beforeEach(() => (wallet = `wallet-${uuid()}`));

const read = (of = wallet) => merchant.call(getSettings, {}, walletPrincipal(of));
const put = (settings: unknown, of = wallet) =>
  merchant.call(putSettings, { settings } as never, walletPrincipal(of));
const remove = (of = wallet) => merchant.call(deleteSettings, {}, walletPrincipal(of));
const changes = () =>
  merchant.database.query('SELECT change, changed_at FROM settings_changes WHERE wallet = $1 ORDER BY seq', [
    wallet,
  ]);
const rejection = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    ({ code, details }: DomainError) => [code, (details as { field: string }[]).map(({ field }) => field)],
  );

describe('GET /api/settings', () => {
  it('200: returns {} without stored settings', async () => {
    expect(await read()).toEqual({});
  });

  it('200: returns the settings of this wallet only', async () => {
    await put({ storeName: 'Mine' });
    expect(await read()).toEqual({ storeName: 'Mine' });
    expect(await read(`${wallet}-2`)).toEqual({});
  });

  it('400 VALIDATION_ERROR: rejects unknown fields', async () => {
    const call = merchant.call(getSettings, { wallet: 'other' } as never, walletPrincipal(wallet));
    expect(await rejection(call)).toEqual(['VALIDATION_ERROR', ['wallet']]);
  });

  it('rejects every principal except a merchant', async () => {
    await expect(merchant.call(getSettings, {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('PUT /api/settings', () => {
  it('200: stores the settings unchanged, including field order, nesting, numbers and all characters', async () => {
    const whole = JSON.parse(
      '{"z":1,"a":{"b":[null,true,1e21,0.1,{"":"\\u0000 \\ud83d\\ude00"}]},"__proto__":{"x":1},"constructor":2}',
    ) as object;
    expect(JSON.stringify(await put(whole))).toBe(JSON.stringify(whole));
    expect(JSON.stringify(await read())).toBe(JSON.stringify(whole));
  });

  it('200: replays the reply for the same idempotency key without another change', async () => {
    const keyed = (storeName: string, key = wallet) =>
      merchant.call(putSettings, { settings: { storeName } } as never, walletPrincipal(wallet), key);
    const first = await keyed('A');
    await put({ storeName: 'B' });
    expect(await keyed('A')).toEqual(first);
    expect(await read()).toEqual({ storeName: 'B' });
    expect(await changes()).toHaveLength(2);
    await expect(keyed('C')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await keyed('C', `${wallet}-2`);
    expect(await read()).toEqual({ storeName: 'C' });
  });

  it('200: stores the settings once for 20 concurrent calls with one idempotency key', async () => {
    const call = () =>
      merchant
        .call(putSettings, { settings: { storeName: 'A' } } as never, walletPrincipal(wallet), wallet)
        .catch(({ code }: DomainError) => code);
    const outcomes = await Promise.all(Array.from({ length: 20 }, call));
    const others = outcomes.filter((it) => it !== 'IDEMPOTENCY_IN_PROGRESS');
    expect(others.length).toBeGreaterThan(0);
    for (const reply of [...others, await call()]) expect(reply).toEqual({ storeName: 'A' });
    expect(await changes()).toHaveLength(1);
  });

  it('200: replaces the settings without merging', async () => {
    await put({ storeName: 'A', defaultToken: 'USDC' });
    expect(await put({ storeName: 'B' })).toEqual({ storeName: 'B' });
    expect(await read()).toEqual({ storeName: 'B' });
  });

  it('200: stores one of several concurrent settings completely', async () => {
    const given = Array.from({ length: 20 }, (_, at) => ({ at, same: `${at}`.repeat(1_000) }));
    expect(await Promise.all(given.map((each) => put(each)))).toEqual(given);
    const stored = (await read()) as { at: number };
    expect(stored).toEqual(given[stored.at]);
    expect(await changes()).toHaveLength(20);
  });

  it('200: accepts 64 KiB and 20 levels of nesting', async () => {
    const text = 'x'.repeat(64 * 1024 - '{"a":""}'.length);
    expect(await put({ a: text })).toEqual({ a: text });
    expect(await rejection(put({ a: `${text}x` }))).toEqual(['VALIDATION_ERROR', ['settings']]);
    const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
    expect(await put(nested(20))).toEqual(nested(20));
    expect(await rejection(put(nested(21)))).toEqual(['VALIDATION_ERROR', ['settings']]);
  });

  it.each([[[1]], ['text'], [1], [null], [true]])(
    '400 VALIDATION_ERROR: rejects %j, which is not an object',
    async (given) => {
      expect(await rejection(put(given))).toEqual(['VALIDATION_ERROR', ['settings']]);
      expect(await changes()).toEqual([]);
    },
  );

  it.each([
    [1],
    [false],
    [['https://shop.example']],
    [' '],
    ['shop.example'],
    ['ftp://shop.example/'],
    ['http://10.0.0.1/hook'],
    ['http://[::ffff:169.254.169.254]/'],
    ['https://localhost.localdomain.internal/'],
    ['https://user:password@shop.example/'],
    ['notaurl'],
    [{ a: [1] }],
  ])('200: stores the unusable webhookUrl %j with a warning, and sends no message', async (webhookUrl) => {
    await put({ webhookUrl: 'https://shop.example/hook' });
    const reply = (await put({ webhookUrl })) as object;
    const warning = { code: 'WEBHOOK_URL_UNUSABLE', field: 'webhookUrl', message: expect.any(String) };
    expect(reply).toEqual({ webhookUrl, warnings: [warning] });
    expect(await put(reply)).toEqual(reply);
    expect(await read()).toEqual({ webhookUrl });
    const endpoints = 'SELECT url FROM webhook_endpoints WHERE wallet = $1';
    expect(await merchant.database.query(endpoints, [wallet])).toEqual([{ url: null }]);
  });

  it('200: stores the other sample fields with any value', async () => {
    const settings = { storeName: 5, defaultToken: { a: 1 }, defaultChain: ['x'] };
    expect(await put(settings)).toEqual(settings);
  });
});

describe('receiveAddresses', () => {
  it.each([
    [{ evm: '0x1' }, 'receiveAddresses.evm'],
    [{ nowhere: '0x1' }, 'receiveAddresses.nowhere'],
    ['0x1', 'receiveAddresses'],
  ])('400 VALIDATION_ERROR: rejects %j, and stores nothing', async (receiveAddresses, field) => {
    const webhookUrl = 'http://10.0.0.1/';
    expect(await rejection(put({ receiveAddresses }))).toEqual(['VALIDATION_ERROR', [field]]);
    expect(await rejection(put({ receiveAddresses, webhookUrl }))).toEqual(['VALIDATION_ERROR', [field]]);
    expect(await read()).toEqual({});
  });

  it('200: stores the addresses as they are sent', async () => {
    const receiveAddresses = { evm: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', ton: '' };
    expect(await put({ receiveAddresses })).toEqual({ receiveAddresses });
    expect(await read()).toEqual({ receiveAddresses });
  });
});

describe('the reply to a PUT without a stored webhookUrl', () => {
  const webhookUrl = 'http://localhost:4000/hook';
  const warnings = [{ code: 'WEBHOOK_URL_REMOVED', field: 'webhookUrl', message: expect.any(String) }];

  it('contains a warning that is not stored', async () => {
    await put({ storeName: 'A', webhookUrl });
    expect(await put({ storeName: 'B' })).toEqual({ storeName: 'B', warnings });
    expect(await read()).toEqual({ storeName: 'B' });
    expect(await put({ storeName: 'C' })).toEqual({ storeName: 'C' });
  });

  it('can be sent back without storing the warning', async () => {
    await put({ webhookUrl });
    const reply = (await put({ storeName: 'B' })) as object;
    expect(await put({ ...reply, webhookUrl })).toEqual({ storeName: 'B', webhookUrl });
    expect(await read()).toEqual({ storeName: 'B', webhookUrl });
  });

  it("does not remove a merchant's own field with the name of the warnings", async () => {
    await put({ webhookUrl, warnings: 'mine' });
    expect(await put({ warnings: 'mine' })).toEqual({ warnings: 'mine', _warnings: warnings });
    expect(await read()).toEqual({ warnings: 'mine' });
  });

  it('contains the warning again in a replay', async () => {
    await put({ webhookUrl });
    const keyed = () =>
      merchant.call(putSettings, { settings: { a: 1 } } as never, walletPrincipal(wallet), wallet);
    expect(await keyed()).toEqual({ a: 1, warnings });
    expect(await keyed()).toEqual({ a: 1, warnings });
  });

  it('contains the warning once for concurrent calls', async () => {
    await put({ webhookUrl });
    const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => put({ at })));
    expect(replies.filter((reply) => 'warnings' in reply)).toHaveLength(1);
  });
});

describe('storeName', () => {
  it('stores the name for payers, and returns the name as it was sent', async () => {
    const storeName = '  Corner\u202e Café \u0000 ';
    expect(await put({ storeName })).toEqual({ storeName });
    const shown = () =>
      merchant.database.query('SELECT store_name FROM settings WHERE wallet = $1', [wallet]);
    expect(await shown()).toEqual([{ store_name: 'Corner Café' }]);
    await put({ storeName: 5 });
    expect(await shown()).toEqual([{ store_name: null }]);
  });

  it('gets its value from existing settings in the migration', async () => {
    const migration = new (migrations.find(({ name }) => name.startsWith('StoreNames'))!)();
    const other = await freshDatabase('merchant');
    try {
      await migrate({
        app: 'merchant',
        url: other.ownerUrl,
        migrations: migrations.slice(
          0,
          migrations.findIndex(({ name }) => name.startsWith('StoreNames')),
        ),
      });
      await other.query(
        `INSERT INTO settings (wallet, data, updated_at) VALUES
           ('a', '{"storeName": "Corner Caf\\u00e9", "text": "\\u0000"}', now()), ('b', '{"x": "storeName"}', now())`,
      );
      const owner = new Client({ connectionString: other.ownerUrl });
      await owner.connect();
      const query = async (text: string, values?: unknown[]) => (await owner.query(text, values)).rows;
      await migration.up({ query } as never);
      await owner.end();
      const names = await other.query('SELECT wallet, store_name FROM settings ORDER BY wallet');
      expect(names).toEqual([
        { wallet: 'a', store_name: 'Corner Café' },
        { wallet: 'b', store_name: null },
      ]);
    } finally {
      await other.drop();
    }
  });
});

describe('storeLogo', () => {
  // An image with one transparent pixel.
  const content =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
  const storeLogo = `data:image/png;base64,${content}`;
  const hashOf = async () => {
    const rows = await merchant.database.query('SELECT logo_hash FROM settings WHERE wallet = $1', [wallet]);
    return (rows[0] as { logo_hash: string | null }).logo_hash;
  };

  it('serves the logo by its hash while at least one shop has it', async () => {
    expect(await put({ storeLogo })).toEqual({ storeLogo });
    const hash = (await hashOf())!;
    expect(await merchant.call(readStoreLogo, { hash })).toEqual({ type: 'image/png', content });
    await put({ storeLogo: null });
    expect(await hashOf()).toBeNull();
    await expect(merchant.call(readStoreLogo, { hash })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('400 VALIDATION_ERROR: rejects a URL of another site, and stores nothing', async () => {
    const given = { storeLogo: 'https://shop.example/logo.png' };
    expect(await rejection(put(given))).toEqual(['VALIDATION_ERROR', ['storeLogo']]);
    expect(await read()).toEqual({});
  });

  it('rejects a text that is not a hash', async () => {
    await expect(merchant.call(readStoreLogo, { hash: "' OR 1=1" })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('the webhookUrl of the settings', () => {
  const endpoint = () => merchant.call(getWebhookEndpoint, {}, walletPrincipal(wallet));

  it('sets the endpoint of the wallet until the settings have no webhookUrl', async () => {
    const url = 'http://localhost:4000/hook';
    await put({ webhookUrl: url });
    expect(await endpoint()).toMatchObject({ url, enabled: true });
    await put({ storeName: 'Mine' });
    expect(await endpoint()).toMatchObject({ url: null, enabled: false });
    await put({ webhookUrl: url });
    await remove();
    expect(await endpoint()).toMatchObject({ url: null, enabled: false });
    for (const webhookUrl of ['', null]) {
      await put({ webhookUrl: url });
      expect(await put({ webhookUrl })).toEqual({ webhookUrl });
      expect(await read()).toEqual({ webhookUrl });
      expect(await endpoint()).toMatchObject({ url: null, enabled: false });
    }
  });

  it('matches the endpoint of the wallet after concurrent calls', async () => {
    const urls = Array.from({ length: 20 }, (_, at) => `http://localhost:${4000 + at}/`);
    await Promise.all(urls.map((webhookUrl) => put({ webhookUrl })));
    expect((await endpoint()).url).toBe(((await read()) as { webhookUrl: string }).webhookUrl);
  });
});

it('equals the endpoint after a concurrent PUT and DELETE', async () => {
  const webhookUrl = 'http://localhost:4000/hook';
  for (let round = 0; round < 20; round++) {
    wallet = `wallet-${uuid()}`;
    await Promise.all([put({ webhookUrl }), remove()]);
    const { webhookUrl: stored = null } = (await read()) as { webhookUrl?: string };
    const { url } = await merchant.call(getWebhookEndpoint, {}, walletPrincipal(wallet));
    expect(url).toBe(stored);
  }
});

describe('DELETE /api/settings/all', () => {
  it('200: deletes the settings, also when there are none, and records each change', async () => {
    await put({ a: 1 });
    clock.advance(1_000);
    expect(await remove()).toEqual({ ok: true });
    expect(await remove()).toEqual({ ok: true });
    expect(await read()).toEqual({});
    const now = new Date(clock.now());
    expect(await changes()).toEqual([
      { change: 'stored', changed_at: new Date(clock.now() - 1_000) },
      { change: 'deleted', changed_at: now },
      { change: 'deleted', changed_at: now },
    ]);
  });

  it('200: deletes no settings of other wallets', async () => {
    await put({ a: 1 }, `${wallet}-2`);
    await remove();
    expect(await read(`${wallet}-2`)).toEqual({ a: 1 });
  });

  it('400 VALIDATION_ERROR: rejects a wallet as a field', async () => {
    const call = merchant.call(deleteSettings, { wallet: 'other' } as never, walletPrincipal(wallet));
    expect(await rejection(call)).toEqual(['VALIDATION_ERROR', ['wallet']]);
  });
});

it('covers each operation and declared error', () => {
  expect(missingCases(Object.values(settingsApi.operations), readFileSync(__filename, 'utf8'))).toEqual([]);
});
