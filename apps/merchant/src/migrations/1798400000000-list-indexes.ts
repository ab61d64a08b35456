import { createIndexConcurrently } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PaymentRequestsOfWallet1798400000000 implements MigrationInterface {
  readonly name = 'PaymentRequestsOfWallet1798400000000';
  readonly transaction = false as const;

  up(runner: QueryRunner): Promise<void> {
    const target = 'payment_requests (wallet, created_at DESC, id DESC)';
    return createIndexConcurrently(runner, 'payment_requests_wallet', target);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payment_requests_wallet');
  }
}

/** The stage is the stored part of the status: whether an open request has expired follows from the clock. */
export class PaymentRequestStages1798400100000 implements MigrationInterface {
  readonly name = 'PaymentRequestStages1798400100000';
  readonly transaction = false as const;

  up(runner: QueryRunner): Promise<void> {
    const stage = `(CASE WHEN completed_payments > 0 THEN 'completed' WHEN seen_payments > 0 THEN 'processing'
      WHEN canceled_at IS NOT NULL THEN 'canceled' ELSE 'open' END)`;
    const target = `payment_requests (wallet, ${stage}, created_at DESC, id DESC)`;
    return createIndexConcurrently(runner, 'payment_requests_stage', target);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payment_requests_stage');
  }
}
