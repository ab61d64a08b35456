import { dropRetentionTables, retentionTables, vacuumEarly } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Retention1797700000000 implements MigrationInterface {
  readonly name = 'Retention1797700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(retentionTables);
    await runner.query(vacuumEarly('webhook_messages'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE webhook_messages RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)',
    );
    await runner.query(dropRetentionTables);
  }
}
