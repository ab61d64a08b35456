import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CancelUrls1798400700000 implements MigrationInterface {
  readonly name = 'CancelUrls1798400700000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment_requests DROP COLUMN cancel_url');
    await runner.query('ALTER TABLE paylinks DROP COLUMN cancel_url');
  }
}

// No row has one yet, so the checks need not read the tables. The link of a page goes nowhere but to a web page.
const columns = `
  ALTER TABLE payment_requests ADD COLUMN cancel_url text;
  ALTER TABLE paylinks ADD COLUMN cancel_url text;
  ALTER TABLE payment_requests
    ADD CONSTRAINT payment_requests_cancel_url_check CHECK (cancel_url ~ '^https?://') NOT VALID;
  ALTER TABLE paylinks ADD CONSTRAINT paylinks_cancel_url_check CHECK (cancel_url ~ '^https?://') NOT VALID
`;
