import { dropLockRowsTable, lockRowsTable } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LockRows1801200000000 implements MigrationInterface {
  readonly name = 'LockRows1801200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockRowsTable);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropLockRowsTable);
  }
}
