import { dropIdempotencyTable, idempotencyTable } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Idempotency1796000000000 implements MigrationInterface {
  readonly name = 'Idempotency1796000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(idempotencyTable);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropIdempotencyTable);
  }
}
