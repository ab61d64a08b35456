import { dropFiatRatesTables, fiatRatesTables } from '@tollbridge/rates';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Exchange rates of currencies, and the conversions of the prices of orders. */
export class PricesOfOrders1802000100000 implements MigrationInterface {
  readonly name = 'PricesOfOrders1802000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(fiatRatesTables);
    await runner.query('ALTER TABLE orders ADD COLUMN conversion json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders DROP COLUMN conversion');
    await runner.query(dropFiatRatesTables);
  }
}
