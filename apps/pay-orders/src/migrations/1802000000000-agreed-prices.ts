import { agreedPriceColumns, dropAgreedPriceColumns } from '@tollbridge/prices';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AgreedPrices1802000000000 implements MigrationInterface {
  readonly name = 'AgreedPrices1802000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(agreedPriceColumns);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropAgreedPriceColumns);
  }
}
