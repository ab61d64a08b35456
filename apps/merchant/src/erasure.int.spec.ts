import { ledgerApi } from '@tollbridge/contracts';
import { walletPrincipal } from '@tollbridge/rpc';
import { Database, erasePerson, Pruner, retentionOf, type PrunedTable } from '@tollbridge/database';
import { Wallet } from 'ethers';
import { v7 as uuid } from 'uuid';
import { LedgerEntryEntity } from './ledger/ledger-entry.entity';
import { Merchant } from './testing/merchant';
import { randomHistory, randomOf } from './testing/order-histories';
import { testOperator } from './testing/test-operator';
import { WebhookMessageEntity } from './webhooks/webhook-message.entity';

const phone = '+15551234567';
const email = 'ada@example.com';
const { proveLedger } = ledgerApi.operations;
const wallet = Wallet.createRandom().address;
let merchant: Merchant;

beforeAll(async () => {
  merchant = await Merchant.start();
  const random = randomOf(7);
  const events = Array.from({ length: 20 }, () =>
    randomHistory(random, wallet, { fromMs: Date.now() - 86_400_000, days: 1 }),
  );
  await merchant.publishAndWait(events.flat());
});
afterAll(() => merchant?.close());

const query = (text: string, values: unknown[] = []) =>
  merchant.database.query<Record<string, any>>(text, values);
const database = () => merchant.apps[0]!.context.get(Database);
const erase = (isApplied: boolean) =>
  erasePerson(database(), { ...testOperator, person: { phone, email }, isApplied });
/** Every row of every table of the schema that contains data of the person. */
async function found(): Promise<string[]> {
  const tables = await query(
    `SELECT relname FROM pg_class WHERE relnamespace = 'merchant'::regnamespace AND relkind = 'r'`,
  );
  const holding: string[] = [];
  for (const { relname } of tables) {
    const [row] = await query(`SELECT count(*)::int AS rows FROM ${relname} t WHERE t::text ~* $1`, [
      'ada@example|5551234567',
    ]);
    if (row!['rows'] > 0) holding.push(relname);
  }
  return holding.sort();
}

async function fill(): Promise<void> {
  const request = uuid();
  await query(
    `INSERT INTO payment_requests (id, wallet, amount, currency, chain, description, metadata, receive_address, created_at, updated_at)
     VALUES ($1, $2, 5000000, 'USDC', 'base', $3, $4, $2, now(), now())`,
    [
      request,
      wallet,
      `Order of ${email}`,
      JSON.stringify({ customer: { phone, note: `mail ${email}` }, total: 1.1 }),
    ],
  );
  await query(
    `INSERT INTO webhook_messages (id, wallet, type, payload, schedule_from, next_attempt_at, created_at)
     VALUES ($1, $2, 'payment.completed', $3, now(), now() + interval '1 day', now())`,
    [
      `msg_${uuid().replaceAll('-', '')}`,
      wallet,
      JSON.stringify({ data: { amount: '5000000', metadata: { email } } }),
    ],
  );
  await query(`INSERT INTO settings (wallet, data, updated_at) VALUES ($1, $2, now())`, [
    wallet,
    JSON.stringify({ supportEmail: email }),
  ]);
  await query(
    `INSERT INTO outbox (id, subject, aggregate_id, payload) VALUES ($1, 'events.merchant.x.v1', 'a', $2)`,
    [uuid(), JSON.stringify({ data: { name: `For ${phone}`, amount: '5000000' } })],
  );
  await query('DELETE FROM outbox_queue');
}

describe('erasure of a person in the merchant schema', () => {
  it('leaves no trace in any table, and does not change the proof of the ledger', async () => {
    await fill();
    const proof = () => merchant.call(proveLedger, {}, walletPrincipal(wallet));
    const { last_hash, transactions, assets } = await proof();
    const entries = await query('SELECT * FROM ledger_entries ORDER BY wallet, seq, position');
    expect(entries.length).toBeGreaterThan(0);
    const holding = await found();
    expect(holding).toEqual(['outbox', 'payment_requests', 'settings', 'webhook_messages']);
    expect((await erase(false)).tables.map(({ table }) => table).sort()).toEqual(holding);

    const { tables, elsewhere } = await erase(true);
    expect(tables.map(({ table, rows }) => `${table} ${rows}`).sort()).toEqual(
      holding.map((table) => `${table} 1`),
    );
    expect(elsewhere).toEqual([]);
    expect(await found()).toEqual([]);
    const [request] = await query(
      'SELECT amount, description, metadata FROM payment_requests WHERE wallet = $1',
      [wallet],
    );
    expect(request).toEqual({
      amount: '5000000',
      description: 'Order of [erased]',
      metadata: { customer: { phone: '[erased]', note: 'mail [erased]' }, total: 1.1 },
    });
    expect(await proof()).toMatchObject({ ok: true, problems: [], last_hash, transactions, assets });
    expect(await query('SELECT * FROM ledger_entries ORDER BY wallet, seq, position')).toEqual(entries);
    expect((await erase(true)).tables).toEqual([]);
  });

  it('records each run once', async () => {
    const recorded = await query(`SELECT outcome FROM operator_actions WHERE action = 'erase'`);
    expect(recorded).toEqual([{ outcome: 'done' }, { outcome: 'done' }]);
  });
});

describe('retention of webhook messages', () => {
  const dayMs = 24 * 3_600_000;

  it('deletes delivered and exhausted messages after the period, but not messages that are still retried', async () => {
    await query('DELETE FROM webhook_messages');
    const insert = async (name: string, status: string, daysAgo: number) => {
      const atMs = Date.now() - daysAgo * dayMs;
      const id = `msg_${atMs.toString(16).padStart(12, '0')}7000800000000000${name.padStart(4, '0')}`;
      const isOver = ['delivered', 'parked'].includes(status);
      await query(
        `INSERT INTO webhook_messages (id, wallet, type, payload, status, schedule_from, next_attempt_at, created_at)
         VALUES ($1, $2, 'payment.completed', '{}', $3, $4, $5, $4)`,
        [id, wallet, status, new Date(atMs), isOver ? null : new Date(Date.now() + dayMs)],
      );
    };
    await insert('1', 'delivered', 91);
    await insert('2', 'parked', 100);
    await insert('3', 'failing', 95);
    await insert('4', 'delivered', 89);
    await query(`DELETE FROM retention_progress WHERE table_name = 'webhook_messages'`);
    const table: PrunedTable = {
      table: 'webhook_messages',
      policy: retentionOf(WebhookMessageEntity) as PrunedTable['policy'],
      periodMs: 90 * dayMs,
    };
    const pruner = new Pruner({ pool: database().pool, nowMs: () => Date.now() });
    expect(await pruner.batch(table)).toMatchObject({ state: 'done', rows: 2 });
    const left = await query('SELECT right(id, 1) AS n FROM webhook_messages ORDER BY n');
    expect(left).toEqual([{ n: '3' }, { n: '4' }]);
  });

  it('never changes the ledger', () => {
    expect(retentionOf(LedgerEntryEntity)).toMatchObject({ kind: 'keep' });
  });
});
