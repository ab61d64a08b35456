import { ApiKeyChanged, apiKeysApi, internalKeysApi, keyEvents } from '@tollbridge/contracts';
import { digestOfKey, newKeyText } from '@tollbridge/api-keys';
import { decode, permissions, walletPrincipal } from '@tollbridge/rpc';
import { migrate } from '@tollbridge/database';
import { eventually, freshDatabase, ManualClock } from '@tollbridge/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { migrations } from '../migrations';
import { Merchant } from '../testing/merchant';

const { authenticate } = internalKeysApi.operations;
const { toggleKey, deleteKey } = apiKeysApi.operations;
const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const clock = new ManualClock();
let merchant: Merchant;

const setEnabled = (id: string, enabled: boolean) =>
  merchant.call(toggleKey, { id, enabled }, walletPrincipal(owner));
const remove = (id: string, of = owner) => merchant.call(deleteKey, { id }, walletPrincipal(of));

beforeAll(async () => {
  merchant = await Merchant.start({ clock });
});
afterAll(() => merchant?.close());

describe('authenticate', () => {
  it('returns the owner, permissions, plan and rate of a key for either of its halves', async () => {
    const { id: keyId, key, secret } = await merchant.makeKey({ permissions: ['read', 'pay'], plan: 'pro' });
    const known = {
      keyId,
      owner,
      permissions: ['read', 'pay'],
      plan: 'pro',
      rate: { perMinute: 1_000, burst: 2_000 },
    };
    expect(await merchant.authenticate(key)).toEqual(known);
    expect(await merchant.authenticate(secret)).toEqual(known);
  });

  it('returns no rate for the plan Enterprise, and the individual rate of a key that has one', async () => {
    const unlimited = await merchant.makeKey({ plan: 'enterprise' });
    expect(await merchant.authenticate(unlimited.key)).toMatchObject({ rate: null });
    const customRate = { perMinute: 7, burst: 3 };
    const custom = await merchant.makeKey({ plan: 'enterprise', customRate });
    expect(await merchant.authenticate(custom.secret)).toMatchObject({ rate: customRate });
  });

  it('rejects an unknown key, and the digest of one half in place of the other', async () => {
    expect(await merchant.authenticate(newKeyText('test', 'publishable'))).toBe('unknown');
    expect(await merchant.authenticate(newKeyText('test', 'secret'))).toBe('unknown');
    const { key, secret } = await merchant.makeKey();
    const asOther = (digest: string, kind: 'publishable' | 'secret') =>
      merchant.call(authenticate, { digest, kind });
    await expect(asOther(digestOfKey(key), 'secret')).rejects.toMatchObject({
      details: { reason: 'unknown' },
    });
    await expect(asOther(digestOfKey(secret), 'publishable')).rejects.toMatchObject({
      details: { reason: 'unknown' },
    });
  });

  it('rejects disabled keys, deleted keys and keys of another environment, with the reason', async () => {
    const foreign = await merchant.makeKey({ environment: 'test' });
    expect(await merchant.authenticate(foreign.secret)).toBe('foreign_environment');
    const { id: keyId, key, secret } = await merchant.makeKey();
    await setEnabled(keyId, false);
    expect([await merchant.authenticate(key), await merchant.authenticate(secret)]).toEqual([
      'disabled',
      'disabled',
    ]);
    await setEnabled(keyId, true);
    expect(await merchant.authenticate(secret)).toMatchObject({ keyId });
    await remove(keyId);
    expect([await merchant.authenticate(key), await merchant.authenticate(secret)]).toEqual([
      'deleted',
      'deleted',
    ]);
  });

  it('setEnabled and remove reject a missing or deleted key', async () => {
    const keyId = '01a1faec-0000-7000-8000-000000000000';
    const made = await merchant.makeKey();
    await remove(made.id);
    for (const id of [keyId, made.id]) {
      await expect(setEnabled(id, true)).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
      await expect(remove(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('accepts the former secret until its grace period ends', async () => {
    const { id, secret } = await merchant.makeKey();
    const former = await merchant.makeKey();
    await merchant.database.query(
      `WITH former AS (DELETE FROM api_keys WHERE id = $2 RETURNING secret_hash)
       UPDATE api_keys SET previous_secret_hash = former.secret_hash, previous_secret_until = $3 FROM former WHERE api_keys.id = $1`,
      [id, former.id, new Date(clock.now() + 60_000)],
    );
    expect(await merchant.authenticate(former.secret)).toMatchObject({ keyId: id });
    clock.advance(60_000);
    expect(await merchant.authenticate(former.secret)).toBe('unknown');
    expect(await merchant.authenticate(secret)).toMatchObject({ keyId: id });
  });

  it.each([
    { digest: '', kind: 'secret' },
    { digest: 'A'.repeat(64), kind: 'secret' },
    { digest: 'a'.repeat(63), kind: 'secret' },
    { digest: 'a'.repeat(64), kind: 'other' },
    { digest: 'a'.repeat(64) },
    { presented: 'tb_test_sk_1' },
  ])('rejects invalid input: %j', async (input) => {
    await expect(merchant.call(authenticate, input as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('a change of a key', () => {
  it('publishes one event for each change, without any secret', async () => {
    const events = await merchant.recordEvents();
    try {
      const { id: keyId, key, secret } = await merchant.makeKey();
      for (const enabled of [false, false, true]) await setEnabled(keyId, enabled);
      await remove(keyId);
      await eventually(() => expect(events.of(keyId)).toHaveLength(3));
      const published = events.of(keyId).map(({ envelope }) => envelope);
      expect(published.map(({ aggregateVersion }) => aggregateVersion)).toEqual([2, 3, 4]);
      expect(published.map(({ data }) => [data['enabled'], data['deleted']])).toEqual([
        [false, false],
        [true, false],
        [true, true],
      ]);
      expect(events.of(keyId)[0]!.subject).toBe(keyEvents['api-key-changed'].subject);
      for (const { data } of published) expect(decode(ApiKeyChanged, data)).toMatchObject({ ok: true });
      expect(JSON.stringify(published)).not.toContain(key.slice(11));
      expect(JSON.stringify(published)).not.toContain(secret.slice(11));
    } finally {
      await events.stop();
    }
  });

  it('happens once when many callers make it concurrently', async () => {
    const { id: keyId } = await merchant.makeKey();
    const calls = Array.from({ length: 20 }, () => setEnabled(keyId, false));
    await Promise.all(calls);
    const [row] = await merchant.database.query('SELECT version, enabled FROM api_keys WHERE id = $1', [
      keyId,
    ]);
    expect(row).toEqual({ version: 2, enabled: false });
  });
});

describe('the schema of api_keys', () => {
  it('contains no secret, and no hash of a secret without a pepper', async () => {
    const { id, secret } = await merchant.makeKey();
    const [row] = await merchant.database.query('SELECT * FROM api_keys WHERE id = $1', [id]);
    const [{ text } = { text: '' }] = await merchant.database.query<{ text: string }>(
      'SELECT k::text AS text FROM api_keys k WHERE id = $1',
      [id],
    );
    for (const known of [secret, secret.slice(11), digestOfKey(secret)]) {
      expect(text).not.toContain(known);
      expect(JSON.stringify(row)).not.toContain(known);
    }
  });

  it('rejects invalid rows', async () => {
    for (const change of [
      `permissions = '{admin}'`,
      `plan = 'gold'`,
      'per_minute = 1',
      'per_minute = 0, burst = 1',
      'monthly_budget = -1',
      `secret_hash = '\\x00'`,
      `owner = ''`,
    ])
      await expect(merchant.database.query(`UPDATE api_keys SET ${change}`)).rejects.toThrow();
  });

  it('disappears completely with the down migrations', async () => {
    const other = await freshDatabase('merchant');
    await migrate({ app: 'merchant', url: other.ownerUrl, migrations });
    const source = await new DataSource({ type: 'postgres', url: other.ownerUrl, migrations }).initialize();
    for (let undone = 0; undone < migrations.length; undone++) await source.undoLastMigration();
    await source.destroy();
    const tables = await other.query(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'merchant' ORDER BY tablename`,
    );
    expect(tables).toEqual([{ tablename: 'migrations' }, { tablename: 'schema_release' }]);
    await other.drop();
  });
});

describe('DemoKey', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-merchant-'));
  const file = join(folder, 'world.json');
  const demo = {
    wallet: '0xDemo',
    key: newKeyText('test', 'publishable'),
    secret: newKeyText('test', 'secret'),
  };
  beforeAll(() => writeFileSync(file, JSON.stringify({ merchant: demo })));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('stores the key of the state file at every start, with all permissions and no limit', async () => {
    const settings = { MERCHANT_SANDBOX_WORLD_FILE: file };
    await merchant.startApp(settings);
    const known = (await merchant.authenticate(demo.secret)) as { keyId: string };
    expect(known).toMatchObject({
      owner: demo.wallet,
      permissions: [...permissions],
      plan: 'enterprise',
      rate: null,
    });
    await remove(known.keyId, demo.wallet);
    expect(await merchant.authenticate(demo.secret)).toBe('deleted');
    await Promise.all([merchant.startApp(settings), merchant.startApp(settings)]);
    expect(await merchant.authenticate(demo.secret)).toEqual(known);
    expect(await merchant.authenticate(demo.key)).toEqual(known);
  });

  it('stops the start when the file cannot be read', async () => {
    await expect(merchant.startApp({ MERCHANT_SANDBOX_WORLD_FILE: join(folder, 'none') })).rejects.toThrow(
      'ENOENT',
    );
  });
});
