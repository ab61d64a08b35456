import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UnvaluedOrders1796980000000 implements MigrationInterface {
  readonly name = 'UnvaluedOrders1796980000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX orders_unvalued ON orders (updated_at)
      WHERE status = 'settled' AND settled_value_usd IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX orders_unvalued');
  }
}
