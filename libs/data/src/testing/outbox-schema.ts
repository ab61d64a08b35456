import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropOutboxTables, outboxTables } from '../outbox';

/** A schema with an outbox and a table whose rows are changed, as every service has one. */
export class OutboxSchema1700000000000 implements MigrationInterface {
  readonly name = 'OutboxSchema1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE goods (id text PRIMARY KEY, version integer NOT NULL DEFAULT 0)');
    await runner.query(outboxTables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropOutboxTables);
    await runner.query('DROP TABLE goods');
  }
}
