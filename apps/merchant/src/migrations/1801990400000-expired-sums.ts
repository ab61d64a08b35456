import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ExpiredSums1801990400000 implements MigrationInterface {
  readonly name = 'ExpiredSums1801990400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dashboard_sums ADD COLUMN expired bigint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dashboard_sums DROP COLUMN expired');
  }
}
