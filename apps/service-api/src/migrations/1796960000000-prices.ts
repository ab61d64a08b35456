import { dropPricesTables, pricesTables } from '@tollbridge/prices';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Prices1796960000000 implements MigrationInterface {
  readonly name = 'Prices1796960000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(pricesTables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropPricesTables);
  }
}
