import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Returned1797400000000 implements MigrationInterface {
  readonly name = 'Returned1797400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statesOf("'pending', 'sent', 'completed', 'returned'"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("UPDATE withdrawals SET status = 'completed' WHERE status = 'returned'");
    await runner.query(statesOf("'pending', 'sent', 'completed'"));
  }
}

/** What was paid out may come back: the wallet of its recipient need not take it. */
const statesOf = (states: string): string => `
  ALTER TABLE withdrawals DROP CONSTRAINT withdrawals_status_check,
    ADD CONSTRAINT withdrawals_status_check CHECK (status IN (${states}))`;
