import { dropOperatorActionsTable, operatorActionsTable } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OperatorActions1797700100000 implements MigrationInterface {
  readonly name = 'OperatorActions1797700100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(operatorActionsTable);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropOperatorActionsTable);
  }
}
