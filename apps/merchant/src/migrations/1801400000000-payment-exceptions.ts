import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PaymentExceptions1801400000000 implements MigrationInterface {
  readonly name = 'PaymentExceptions1801400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(exceptions);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payment_exceptions');
  }
}

const exceptions = `
  CREATE TABLE payment_exceptions (
    id uuid PRIMARY KEY,
    wallet text NOT NULL,
    -- Names what it is about, so that each is recorded once.
    reference text NOT NULL CHECK (reference <> ''),
    kind text NOT NULL CHECK (kind <> ''),
    status text NOT NULL CHECK (status IN ('open', 'resolved')),
    resolution text CHECK (resolution IN ('completed', 'reverted', 'returned', 'merchant')),
    paylink_id uuid,
    order_id uuid,
    chain text NOT NULL,
    token text NOT NULL,
    amount numeric(78, 0) NOT NULL CHECK (amount > 0),
    tx_hash text,
    payer text,
    reason text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT payment_exceptions_times CHECK (updated_at >= created_at),
    CONSTRAINT payment_exceptions_resolved CHECK ((status = 'resolved') = (resolution IS NOT NULL)),
    UNIQUE (wallet, reference)
  );
  CREATE INDEX payment_exceptions_wallet ON payment_exceptions (wallet, id DESC);
  CREATE INDEX payment_exceptions_open ON payment_exceptions (wallet, id DESC) WHERE status = 'open';
`;
