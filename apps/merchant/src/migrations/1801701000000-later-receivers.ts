import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A payment request may be created before its merchant has an address on its chain. */
export class LaterReceivers1801701000000 implements MigrationInterface {
  readonly name = 'LaterReceivers1801701000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment_requests ALTER COLUMN receive_address DROP NOT NULL');
  }

  /** Requests without an address cannot be paid, so none of them has a payment. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM payment_requests WHERE receive_address IS NULL');
    await runner.query('ALTER TABLE payment_requests ALTER COLUMN receive_address SET NOT NULL');
  }
}
