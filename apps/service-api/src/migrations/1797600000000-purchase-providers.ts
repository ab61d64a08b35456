import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PurchaseProviders1797600000000 implements MigrationInterface {
  readonly name = 'PurchaseProviders1797600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(providers);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE purchases DROP COLUMN provider');
  }
}

const providers = `
  -- Name of the provider that the purchase is made with. Null for numbers rented before the name was stored, and for
  -- rows that an earlier version of the app inserts during the upgrade.
  ALTER TABLE purchases ADD COLUMN provider text;
  UPDATE purchases SET provider = CASE kind
      WHEN 'card' THEN terms ->> 'issuer'
      WHEN 'sms-message' THEN 'twilio'
      ELSE 'reloadly' END
    WHERE kind IN ('gift-card', 'airtime', 'bill', 'card', 'sms-message');
`;
