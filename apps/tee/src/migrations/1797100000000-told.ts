import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Told1797100000000 implements MigrationInterface {
  readonly name = 'Told1797100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(told);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payments_seq; DROP TABLE told; ALTER TABLE accounts RESET (fillfactor)');
  }
}

const told = `
  -- Up to which receipt, and when, events have told of payments.
  CREATE TABLE told (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    seq bigint NOT NULL,
    at_ms bigint NOT NULL
  );
  INSERT INTO told (seq, at_ms) SELECT seq, extract(epoch FROM now()) * 1000 FROM ledger;

  CREATE INDEX payments_seq ON payments (seq) WHERE seq > 0;

  -- Each payment changes the rows of its payer and its seller: with room beside them no index is touched.
  ALTER TABLE accounts SET (fillfactor = 50);
`;
