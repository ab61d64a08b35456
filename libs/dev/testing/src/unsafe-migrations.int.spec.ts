import type { MigrationInterface, QueryRunner } from 'typeorm';
import { unsafeMigrations } from './unsafe-migrations';

type Migration = new () => MigrationInterface & { contract?: { unusedSince: number } };

const release = 3;

class Orders1700000000000 implements MigrationInterface {
  readonly name = 'Orders1700000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TYPE colour AS ENUM ('red');
      CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, amount integer NOT NULL DEFAULT 0, note text);
      CREATE INDEX orders_note ON orders (note);
      CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
      CREATE TRIGGER touched BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION touch();
      CREATE SEQUENCE numbers`);
  }
  async down(): Promise<void> {}
}

/** A migration after the baseline. */
function migration(
  statements: string | string[],
  traits: { transaction?: boolean; contract?: { unusedSince: number } } = {},
): Migration {
  return class {
    readonly name = 'Next1900000000000';
    readonly contract = traits.contract as { unusedSince: number };
    readonly transaction = traits.transaction as boolean;
    async up(runner: QueryRunner): Promise<void> {
      for (const text of [statements].flat()) await runner.query(text);
    }
    async down(): Promise<void> {}
  };
}

const unsafeIn = async (next: Migration): Promise<string[]> =>
  (await unsafeMigrations({ schema: 'shop', migrations: [Orders1700000000000, next], release })).map(
    (problem) => problem.replace('Next1900000000000 ', ''),
  );

describe('unsafeMigrations', () => {
  const removing: [string, string][] = [
    ['DROP TABLE orders', 'drops or renames table orders'],
    ['ALTER TABLE orders RENAME TO purchases', 'drops or renames table orders'],
    ['ALTER TABLE orders DROP COLUMN note', 'drops or renames column orders.note'],
    ['ALTER TABLE orders RENAME COLUMN note TO remark', 'drops or renames column orders.note'],
    [
      'ALTER TABLE orders ALTER amount TYPE bigint',
      'changes the type of orders.amount from integer to bigint',
    ],
    ['ALTER TABLE orders ALTER note SET NOT NULL', 'makes orders.note NOT NULL'],
    ['ALTER TABLE orders ALTER amount DROP DEFAULT', 'drops the default of orders.amount'],
    [
      'ALTER TABLE orders ADD COLUMN payer text NOT NULL',
      'adds column orders.payer NOT NULL without a default',
    ],
    ['DROP INDEX orders_note', 'drops index orders_note'],
    ['DROP TRIGGER touched ON orders', 'drops trigger orders.touched'],
    ['DROP TRIGGER touched ON orders; DROP FUNCTION touch', 'drops function touch()'],
    ['DROP SEQUENCE numbers', 'drops sequence numbers'],
    ['DROP TYPE colour', 'drops enum value colour.red'],
  ];
  const blocking: [string, string][] = [
    [
      'CREATE INDEX orders_amount ON orders (amount)',
      'builds index orders_amount of the existing table orders',
    ],
    ['ALTER TABLE orders ADD CONSTRAINT positive CHECK (amount >= 0)', 'orders.positive without NOT VALID'],
    [
      'ALTER TABLE orders ADD COLUMN fee integer CHECK (fee > 0)',
      'orders.orders_fee_check without NOT VALID',
    ],
    ['ALTER TABLE orders ADD UNIQUE (note)', 'orders.orders_note_key without an index'],
    [`UPDATE orders SET note = ''`, 'changes rows of the existing table orders by UPDATE'],
    [
      `WITH deleted AS (DELETE FROM orders RETURNING id) SELECT 1`,
      'changes rows of the existing table orders by DELETE FROM',
    ],
    ['TRUNCATE orders', 'changes rows of the existing table orders by TRUNCATE'],
    ['LOCK TABLE orders', 'executes LOCK TABLE orders'],
    ['REINDEX TABLE orders', 'executes REINDEX TABLE orders'],
    ['ALTER TABLE orders DISABLE TRIGGER touched', 'executes ALTER TABLE orders DISABLE TRIGGER touched'],
    [`DO $$ BEGIN EXECUTE 'SELECT 1'; END $$`, 'hides statements in DO'],
  ];

  it.each([...removing, ...blocking])('rejects %s', async (statement, problem) => {
    expect((await unsafeIn(migration(statement))).join('\n')).toContain(problem);
  });

  it.each(removing.slice(0, 4))('accepts %s as a contract step', async (statement) => {
    const contract = { unusedSince: release - 1 };
    expect(await unsafeIn(migration(statement, { contract }))).toEqual([]);
  });

  it('rejects a contract step in the release that removes the last use of the table', async () => {
    const contract = { unusedSince: release };
    expect(await unsafeIn(migration('DROP TABLE orders', { contract }))).toEqual([
      'removes in release 3 what the code stopped using in 3: the previous release uses it',
    ]);
  });

  it('rejects locks in a contract step too', async () => {
    const next = migration(`UPDATE orders SET note = ''`, { contract: { unusedSince: 1 } });
    expect(await unsafeIn(next)).toHaveLength(1);
  });

  it('accepts migrations that only expand the schema', async () => {
    const statements = [
      'ALTER TABLE orders ADD COLUMN payer text, ADD COLUMN version integer NOT NULL DEFAULT 1',
      'ALTER TABLE orders ADD CONSTRAINT positive CHECK (amount >= 0) NOT VALID',
      'ALTER TABLE orders ALTER amount DROP NOT NULL',
      'CREATE TABLE refunds (id bigint PRIMARY KEY, order_id bigint REFERENCES orders CHECK (order_id > 0))',
      'CREATE INDEX refunds_order ON refunds (order_id)',
      'INSERT INTO refunds VALUES (1, NULL); UPDATE refunds SET id = 2',
      `ALTER TYPE colour ADD VALUE 'blue'`,
    ];
    expect(await unsafeIn(migration(statements))).toEqual([]);
  });

  it('accepts a concurrently built index of an existing table', async () => {
    const next = migration('CREATE INDEX CONCURRENTLY orders_amount ON orders (amount)', {
      transaction: false,
    });
    expect(await unsafeIn(next)).toEqual([]);
  });
});
