import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UnclaimedPayments1801600000000 implements MigrationInterface {
  readonly name = 'UnclaimedPayments1801600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- How far the payments to the sales wallets were read: a block height, or Unix milliseconds on Solana.
      CREATE TABLE sales_scans (
        network text NOT NULL,
        asset text NOT NULL,
        next_position bigint NOT NULL,
        PRIMARY KEY (network, asset)
      );
      -- Payments to the sales wallets that no sale has and that are not refunded by themselves.
      CREATE TABLE unclaimed_payments (
        network text NOT NULL,
        transaction text NOT NULL,
        log_index integer NOT NULL,
        asset text NOT NULL,
        payer text NOT NULL,
        amount numeric(78, 0) NOT NULL,
        reason text NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (network, transaction, log_index),
        CONSTRAINT unclaimed_payments_amount CHECK (amount > 0)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sales_scans; DROP TABLE unclaimed_payments');
  }
}
