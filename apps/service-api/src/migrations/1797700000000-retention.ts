import { dropRetentionTables, retentionTables } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Retention1797700000000 implements MigrationInterface {
  readonly name = 'Retention1797700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(retentionTables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropRetentionTables);
  }
}
