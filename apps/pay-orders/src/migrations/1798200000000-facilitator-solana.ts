import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Transactions of Solana have no nonces of their senders. */
export class FacilitatorSolana1798200000000 implements MigrationInterface {
  readonly name = 'FacilitatorSolana1798200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE x402_settlements ALTER COLUMN sender_nonce DROP NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE x402_settlements ALTER COLUMN sender_nonce SET NOT NULL');
  }
}
