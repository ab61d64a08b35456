import { randomUUID } from 'node:crypto';
import { erasePerson, type ErasureRequest } from './erasure';
import { listOperatorActions } from '../operator-actions';
import type { OutboxDatabase } from '../testing/outbox-schema';
import { openRetentionDatabase } from '../testing/retention-schema';

const phone = '+15551234567';
const email = 'ada@example.com';
let shop: OutboxDatabase;
beforeAll(async () => {
  shop = await openRetentionDatabase();
});
afterAll(() => shop?.close());

const erase = (change: Partial<ErasureRequest> = {}) =>
  erasePerson(shop.database, {
    person: { phone, email },
    isApplied: true,
    operator: 'alice',
    caller: 'command:erase',
    reason: 'Request 12',
    requestId: 'r1',
    ...change,
  });
const query = (text: string, values: unknown[] = []) => shop.fresh.query<Record<string, any>>(text, values);
const actions = () => listOperatorActions(shop.database.pool, { action: 'erase', limit: 100 });

/** Inserts a reply that is stored as bytes, and an event of the outbox. */
async function fill(): Promise<void> {
  await query('TRUNCATE notes, others, outbox, outbox_queue, idempotency_keys, dead_letters');
  await query('INSERT INTO notes (id, text, data, amount) VALUES ($1, $2, $3, 15551234567)', [
    randomUUID(),
    `call ${phone}`,
    `{"to":"15551234567","amount":"15551234567","mail":"ADA@example.com","n":1.50}`,
  ]);
  await query('INSERT INTO notes (id, text) VALUES ($1, $2)', [randomUUID(), 'nothing of 15551234567']);
  await query(`INSERT INTO outbox (id, subject, aggregate_id, payload) VALUES ($1, 's', 'a', $2)`, [
    randomUUID(),
    JSON.stringify({ data: { name: `Gift for ${email} – thanks` } }),
  ]);
  const reply = (text: Buffer, isSealed: boolean) =>
    query(
      `INSERT INTO idempotency_keys (key, input, claim, lease_until, reply, is_sealed, answered_at, created_at)
       VALUES ($1, $1, gen_random_uuid(), now(), $2, $3, now(), now())`,
      [Buffer.from(randomUUID().replaceAll('-', '')), text, isSealed],
    );
  await reply(Buffer.from(`{"ok":true,"phone":"${phone}","name":"Ça \\"x\\""}`), false);
  await reply(Buffer.from([0, 255, 3]), true);
  await query(`INSERT INTO dead_letters (consumer, event, reason) VALUES ('c', $1, 'no reason')`, [
    `{"id":1,"to":"${email}"}`,
  ]);
}
beforeEach(fill);

describe('erasePerson', () => {
  it('replaces the person in every declared column, and leaves amounts and all other text', async () => {
    const { tables } = await erase();
    const byName = [...tables].sort((one, other) => one.table.localeCompare(other.table));
    expect(byName).toEqual([
      { table: 'dead_letters', rows: 1, waiting: 0 },
      { table: 'idempotency_keys', rows: 1, waiting: 0 },
      { table: 'notes', rows: 1, waiting: 0 },
      { table: 'outbox', rows: 1, waiting: 0 },
    ]);
    expect(await query('SELECT text, data::text, amount FROM notes ORDER BY text')).toEqual([
      {
        text: 'call [erased]',
        data: '{"to":"[erased]","amount":"15551234567","mail":"[erased]","n":1.50}',
        amount: '15551234567',
      },
      { text: 'nothing of 15551234567', data: null, amount: null },
    ]);
    expect(await query('SELECT payload FROM outbox')).toEqual([
      { payload: { data: { name: 'Gift for [erased] – thanks' } } },
    ]);
    const replies = await query('SELECT reply FROM idempotency_keys ORDER BY is_sealed');
    expect(String(replies[0]!['reply'])).toBe('{"ok":true,"phone":"[erased]","name":"Ça \\"x\\""}');
    expect(replies[1]!['reply']).toEqual(Buffer.from([0, 255, 3]));
    expect(await query('SELECT event FROM dead_letters')).toEqual([{ event: '{"id":1,"to":"[erased]"}' }]);
  });

  it('finds no rows in a second run', async () => {
    await erase();
    expect((await erase()).tables).toEqual([]);
  });

  it('changes no rows and records nothing in a dry run, and counts the same rows', async () => {
    const before = [
      await query('SELECT * FROM notes ORDER BY id'),
      await query('SELECT payload FROM outbox'),
    ];
    const recorded = (await actions()).length;
    const dry = await erase({ isApplied: false });
    expect([
      await query('SELECT * FROM notes ORDER BY id'),
      await query('SELECT payload FROM outbox'),
    ]).toEqual(before);
    expect(await actions()).toHaveLength(recorded);
    expect((await erase()).tables).toEqual(dry.tables);
  });

  it('records the run without personal data', async () => {
    const { id, tables } = await erase();
    const [recorded] = await actions();
    expect(recorded).toMatchObject({
      operator: 'alice',
      target: `${id} (email,phone)`,
      outcome: 'done',
      after: { tables },
    });
    expect(JSON.stringify(recorded)).not.toMatch(/5551234567|ada@/i);
  });

  it('leaves rows that still need the data, and reports their number', async () => {
    await query(`INSERT INTO notes (id, text, is_open) VALUES ($1, $2, true)`, [randomUUID(), email]);
    expect((await erase()).tables).toContainEqual({ table: 'notes', rows: 1, waiting: 1 });
    await query('UPDATE notes SET is_open = false');
    expect((await erase()).tables).toEqual([{ table: 'notes', rows: 1, waiting: 0 }]);
  });

  it('reports tables with similar text that it does not erase', async () => {
    await query(`INSERT INTO others VALUES (1, $1)`, [email]);
    const { elsewhere } = await erase();
    expect(elsewhere).toEqual([
      { table: 'notes', rows: 2 },
      { table: 'others', rows: 1 },
    ]);
  });

  it('erases nothing when a table fails, and records the failure', async () => {
    await query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    );
    await query('CREATE TRIGGER fail BEFORE UPDATE ON dead_letters FOR EACH ROW EXECUTE FUNCTION fail()');
    try {
      await expect(erase()).rejects.toThrow('no');
      expect(await query(`SELECT FROM notes WHERE text = 'call [erased]'`)).toEqual([]);
      expect((await actions())[0]).toMatchObject({ outcome: 'failed', error: expect.stringContaining('no') });
    } finally {
      await query('DROP FUNCTION fail CASCADE');
    }
  });
});
