import { deadLetterRetries, dropDeadLetterRetries } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeadLetterRetries1796750000000 implements MigrationInterface {
  readonly name = 'DeadLetterRetries1796750000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(deadLetterRetries);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropDeadLetterRetries);
  }
}
