import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sms1796830000000 implements MigrationInterface {
  readonly name = 'Sms1796830000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(numberReturns);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sms_number_returns');
    await runner.query('DROP INDEX purchases_sms_provider_ids');
  }
}

const numberReturns = `
  -- Numbers that somebody waits at: they are given back when no code has come, also after a crash. Written before the
  -- number is asked for, and gone once it is given back or used.
  CREATE TABLE sms_number_returns (
    purchase_id uuid PRIMARY KEY,
    -- When it is tried, or tried again.
    return_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0
  );
  CREATE INDEX sms_number_returns_due ON sms_number_returns (return_at);
  -- What a provider lists is compared with what is known.
  CREATE INDEX purchases_sms_provider_ids ON purchases (provider_id)
    WHERE kind IN ('sms-number', 'sms-number-and-wait', 'sms-message') AND provider_id IS NOT NULL;
`;
