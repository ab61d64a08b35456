import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SetsOfQuotes1797050000000 implements MigrationInterface {
  readonly name = 'SetsOfQuotes1797050000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What a set was asked to be: another build with the same terms is answered with the same set.
      ALTER TABLE transaction_sets ADD COLUMN terms text NOT NULL DEFAULT '';
      -- The gas of approvals, in dollars, that building it with others has saved; null without a price.
      ALTER TABLE transaction_sets ADD COLUMN saved_usd text;
      -- The set that was built in its place; such a set is expired.
      ALTER TABLE transaction_sets ADD COLUMN replaced_by uuid;
      CREATE INDEX transaction_sets_batch ON transaction_sets (batch_id) WHERE state = 'built' AND batch_id IS NOT NULL;

      -- The set that stands for a quote and its signer: builds of one quote lock its row one after the other.
      CREATE TABLE quote_sets (
        quote_id uuid NOT NULL REFERENCES quotes ON DELETE CASCADE,
        user_address text NOT NULL,
        set_id uuid NOT NULL,
        PRIMARY KEY (quote_id, user_address)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE quote_sets;
      DROP INDEX transaction_sets_batch;
      ALTER TABLE transaction_sets DROP COLUMN replaced_by, DROP COLUMN saved_usd, DROP COLUMN terms;
    `);
  }
}
