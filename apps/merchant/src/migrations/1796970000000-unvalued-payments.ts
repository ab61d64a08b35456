import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UnvaluedPayments1796970000000 implements MigrationInterface {
  readonly name = 'UnvaluedPayments1796970000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX paylink_payments_unvalued ON paylink_payments (decided_at)
      WHERE status = 'counted' AND value_usd IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX paylink_payments_unvalued');
  }
}
