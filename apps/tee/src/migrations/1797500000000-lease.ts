import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Lease1797500000000 implements MigrationInterface {
  readonly name = 'Lease1797500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lease);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE lease');
  }
}

// A table of its own: a renewal must not wait for the row lock of a commit.
const lease = `
  CREATE TABLE lease (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    -- The process that writes the ledger; commits are fenced by the epoch in the ledger itself.
    holder uuid,
    -- By the clock of this database.
    expires_at timestamptz NOT NULL DEFAULT '-infinity'
  );
  INSERT INTO lease DEFAULT VALUES;
`;
