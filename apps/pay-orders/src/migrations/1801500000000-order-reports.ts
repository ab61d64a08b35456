import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  // The newest report of a client that does not pay the order, beside an order that goes on waiting.
  'ALTER TABLE orders ADD COLUMN last_report_tx text, ADD COLUMN last_report_reason text',
  'ALTER TABLE orders ADD COLUMN has_exceptions boolean NOT NULL DEFAULT false',
  // A deposit in its final state is followed on: what arrives later is refunded or delivered.
  'ALTER TABLE deposits ADD COLUMN ended_at timestamptz',
  `CREATE TABLE order_exceptions (
     id uuid PRIMARY KEY,
     order_id uuid NOT NULL CONSTRAINT order_exceptions_order_id_fkey REFERENCES orders (id),
     kind text NOT NULL CONSTRAINT order_exceptions_kind_check CHECK (kind IN ('transfer', 'deposit', 'refund')),
     chain text NOT NULL,
     token text NOT NULL,
     amount numeric(78,0) NOT NULL CONSTRAINT order_exceptions_amount_check CHECK (amount > 0),
     tx_hash text,
     reason text NOT NULL,
     seen_at timestamptz NOT NULL
   )`,
  'CREATE INDEX order_exceptions_order ON order_exceptions (order_id, seen_at)',
];

export class OrderReports1801500000000 implements MigrationInterface {
  readonly name = 'OrderReports1801500000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE order_exceptions');
    await runner.query('ALTER TABLE deposits DROP COLUMN ended_at');
    await runner.query(
      'ALTER TABLE orders DROP COLUMN last_report_tx, DROP COLUMN last_report_reason, DROP COLUMN has_exceptions',
    );
  }
}
