import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PaymentAttempts1801300000000 implements MigrationInterface {
  readonly name = 'PaymentAttempts1801300000000';

  async up(runner: QueryRunner): Promise<void> {
    // Which wallet pays a request at present: docs/decisions/0086.
    await runner.query(`CREATE TABLE payment_attempts (
        request_id uuid PRIMARY KEY CONSTRAINT payment_attempts_request_id_fkey REFERENCES payment_requests (id),
        payment_id uuid NOT NULL,
        order_id uuid NOT NULL,
        order_version integer NOT NULL,
        holder text NOT NULL,
        state text NOT NULL CHECK (state IN ('asking', 'sent', 'failed', 'over')),
        tx_hash text,
        is_weak boolean NOT NULL,
        declines integer NOT NULL,
        started_at timestamptz NOT NULL,
        blocks_until timestamptz NOT NULL,
        check_at timestamptz
      )`);
    await runner.query(
      'CREATE INDEX payment_attempts_check ON payment_attempts (check_at) WHERE check_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payment_attempts');
  }
}
