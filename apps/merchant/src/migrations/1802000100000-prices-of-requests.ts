import { dropFiatRatesTables, fiatRatesTables } from '@tollbridge/rates';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['payment_requests', 'payments', 'paylinks'];

/** Exchange rates of currencies, and the conversions of the prices of payment requests, payments, PayLinks and records. */
export class PricesOfRequests1802000100000 implements MigrationInterface {
  readonly name = 'PricesOfRequests1802000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(fiatRatesTables);
    for (const table of tables) await runner.query(`ALTER TABLE ${table} ADD COLUMN conversion json`);
    // A rebuild compares whole records, and json has no equality.
    await runner.query('ALTER TABLE dashboard_transactions ADD COLUMN conversion jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [...tables, 'dashboard_transactions'])
      await runner.query(`ALTER TABLE ${table} DROP COLUMN conversion`);
    await runner.query(dropFiatRatesTables);
  }
}
