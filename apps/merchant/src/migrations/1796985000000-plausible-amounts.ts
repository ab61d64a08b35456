import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PlausibleAmounts1796985000000 implements MigrationInterface {
  readonly name = 'PlausibleAmounts1796985000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(bounds);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE dashboard_transactions DROP CONSTRAINT dashboard_transactions_plausible;
      ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_plausible;
    `);
  }
}

const bounds = `
  -- 2^130: an entry sums up to three amounts below 2^128. Older rows are not checked here, but by the proof of the ledger.
  ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_plausible
    CHECK (abs(amount) < 1361129467683753853853498429727072845824) NOT VALID;
  ALTER TABLE dashboard_transactions ADD CONSTRAINT dashboard_transactions_plausible
    CHECK (amount >= 0 AND fee_amount >= 0 AND value_usd >= 0) NOT VALID;
`;
