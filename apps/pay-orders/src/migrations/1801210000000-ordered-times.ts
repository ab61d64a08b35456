import { dropOrderedTimes, orderTimes } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['orders', 'refunds', 'x402_settlements'];

export class OrderedTimes1801210000000 implements MigrationInterface {
  readonly name = 'OrderedTimes1801210000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(orderTimes(tables));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropOrderedTimes(tables));
  }
}
