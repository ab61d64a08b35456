import {
  Database,
  databaseEntities,
  erasePerson,
  Pruner,
  retentionOf,
  type PrunedTable,
} from '@tollbridge/database';
import { runProgram, type FreshDatabase } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { entities } from '../entities';
import { PurchaseRow } from './purchases.entity';
import { migratedDatabase } from '../testing/migrated-database';

const dayMs = 24 * 3_600_000;
let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await migratedDatabase();
  const all = [...entities, ...(await databaseEntities({ hasAuditLog: true, hasLockRows: true }))];
  database = await Database.open({
    app: 'service-api',
    url: fresh.runtimeUrl,
    entities: all,
    maxConnections: 4,
  });
});
afterAll(async () => {
  await database?.close();
  await fresh?.drop();
});
beforeEach(() => fresh.query('TRUNCATE purchases, retention_progress CASCADE'));

interface Stored {
  kind: string;
  terms: object;
  result?: object | null;
  status?: string;
  daysAgo?: number;
}

async function insertPurchase({ kind, terms, result = null, status = 'completed', daysAgo = 400 }: Stored) {
  const at = new Date(Date.now() - daysAgo * dayMs);
  const hex = at.getTime().toString(16).padStart(12, '0');
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
  await fresh.query(
    `INSERT INTO purchases (id, wallet, kind, reference, terms, status, result, value_usd, check_at, created_at, updated_at)
     VALUES ($1::uuid, 'w', $2, $1::text, $3, $4, $5, '12.50', CASE WHEN $4 = 'pending' THEN $6::timestamptz END, $6, $6)`,
    [id, kind, JSON.stringify(terms), status, result && JSON.stringify(result), at],
  );
  return id;
}
const stored = async (id: string) =>
  (
    await fresh.query<{ terms: string; result: string | null; value_usd: string }>(
      'SELECT terms::text, result::text, value_usd FROM purchases WHERE id = $1',
      [id],
    )
  )[0]!;

const airtime = {
  kind: 'airtime',
  terms: { operatorId: 4, amount: '15551234567', countryCode: 'US', phone: '15551234567' },
};
const giftCard = {
  kind: 'gift-card',
  terms: { productId: 5, unitPrice: '10.10', senderName: 'Ada', recipientEmail: 'ada@example.com' },
  result: { transactionId: 1, amount: 10.1, recipientEmail: 'ada@example.com', product: { unitPrice: 10.1 } },
};

describe('retention of purchases', () => {
  async function prune(): Promise<number> {
    const pruner = new Pruner({ pool: database.pool, nowMs: () => Date.now(), batchRows: 3 });
    const policy = retentionOf(PurchaseRow) as PrunedTable['policy'];
    let rows = 0;
    for (let state = 'more'; state === 'more';) {
      const batch = await pruner.batch({ table: 'purchases', policy, periodMs: 365 * dayMs });
      rows += batch.rows;
      state = batch.state;
    }
    return rows;
  }

  it('replaces personal data of ended purchases, and keeps amounts, ids and values', async () => {
    const ids = [await insertPurchase(airtime), await insertPurchase(giftCard)];
    for (let n = 0; n < 5; n++) await insertPurchase({ ...airtime, status: 'refunded' });
    expect(await prune()).toBe(7);
    expect(JSON.parse((await stored(ids[0]!)).terms)).toEqual({ ...airtime.terms, phone: '[erased]' });
    const card = await stored(ids[1]!);
    expect(JSON.parse(card.terms)).toEqual({
      ...giftCard.terms,
      senderName: '[erased]',
      recipientEmail: '[erased]',
    });
    expect(JSON.parse(card.result!)).toEqual({ ...giftCard.result, recipientEmail: '[erased]' });
    expect(card.value_usd).toBe('12.50');
    expect(card.result).toContain('10.1');
  });

  it('keeps purchases that are recent, in progress or without personal data', async () => {
    const kept = [
      await insertPurchase({ ...airtime, daysAgo: 300 }),
      await insertPurchase({ ...airtime, status: 'pending' }),
      await insertPurchase({ kind: 'card', terms: { issuer: 'lithic', amountCents: 5 } }),
      await insertPurchase({ ...giftCard, terms: { productId: 1, recipientEmail: null }, result: null }),
    ];
    const before = await Promise.all(kept.map(stored));
    expect(await prune()).toBe(0);
    expect(await Promise.all(kept.map(stored))).toEqual(before);
  });

  it('erases personal data also in text that PostgreSQL cannot unescape', async () => {
    const id = await insertPurchase({ ...giftCard, terms: { senderName: 'A\u0000da', productId: 5 } });
    expect(await prune()).toBe(1);
    expect((await stored(id)).terms).not.toContain('da"');
  });
});

describe('erasure of a person from purchases', () => {
  const erase = () =>
    erasePerson(database, {
      person: { phone: '+15551234567', email: 'ada@example.com' },
      isApplied: true,
      operator: 'alice',
      caller: 'command:erase',
      reason: 'Request 12',
      requestId: 'r1',
    });

  it('replaces phone and e-mail, and keeps amounts, references and purchases in progress', async () => {
    const [topUp, card] = [
      await insertPurchase({ ...airtime, daysAgo: 1 }),
      await insertPurchase({ ...giftCard, daysAgo: 1 }),
    ];
    const sms = { kind: 'sms-message', terms: { to: '+15551234567', digest: 'd' } };
    const open = await insertPurchase({ ...sms, status: 'pending', daysAgo: 0 });
    const { tables } = await erase();
    expect(tables).toEqual([{ table: 'purchases', rows: 2, waiting: 1 }]);
    expect(JSON.parse((await stored(topUp)).terms)).toEqual({ ...airtime.terms, phone: '[erased]' });
    expect((await stored(card)).result).not.toContain('ada@');
    expect((await stored(open)).terms).toContain('+15551234567');
    expect((await erase()).tables).toEqual([{ table: 'purchases', rows: 0, waiting: 1 }]);
  });
});

describe('the commands of operators', () => {
  /** Runs a program of the app, as an operator does in a container of the deployment. */
  function command(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const child = runProgram(
      `process.argv.push(...${JSON.stringify(args)}); require(${JSON.stringify(join(__dirname, '..', program))});`,
      {
        TOLLBRIDGE_ENV: 'sandbox',
        SERVICE_API_DATABASE_URL: fresh.runtimeUrl,
        SERVICE_API_NATS_URL: 'nats://127.0.0.1:1',
        ...env,
      },
    );
    return child.ended.then((code) => ({ code, output: child.output(), errors: child.errors() }));
  }

  it('counts, erases and records, without personal data in the audit log', async () => {
    const id = await insertPurchase({ ...giftCard, daysAgo: 1 });
    const person = ['--email', 'ada@example.com', '--operator', 'grace'];
    const dry = await command('erase.ts', person);
    expect(dry).toMatchObject({ code: 0, output: 'service-api: would be erased in 1 rows of purchases\n' });
    expect((await stored(id)).terms).toContain('ada@example.com');
    const missing = await command('erase.ts', [...person, '--apply']);
    expect(missing).toMatchObject({ code: 1, errors: expect.stringContaining('--reason') });
    const applied = await command('erase.ts', [...person, '--apply', '--reason', 'Request 4711']);
    expect(applied.output).toMatch(
      /erased in 1 rows of purchases\nservice-api: recorded as erasure [0-9a-f-]{36}\n$/,
    );
    expect((await stored(id)).terms).not.toContain('ada@example.com');
    const log = await command('audit-log.ts', ['--operator', 'grace', '--json']);
    expect(JSON.parse(log.output)).toMatchObject({
      action: 'erase',
      outcome: 'done',
      reason: 'Request 4711',
    });
    expect(log.output).not.toContain('ada@');
  });
});
