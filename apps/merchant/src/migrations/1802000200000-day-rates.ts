import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rates of past days, and the sums of payments that were priced in a currency. */
export class DayRates1802000200000 implements MigrationInterface {
  readonly name = 'DayRates1802000200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fiat_rate_days (
        currency text NOT NULL,
        day date NOT NULL,
        per_usd numeric NOT NULL CHECK (per_usd > 0),
        PRIMARY KEY (currency, day)
      );
      CREATE TABLE payment_price_days (
        wallet text NOT NULL,
        day date NOT NULL,
        price_currency text NOT NULL,
        payments integer NOT NULL,
        unpriced integer NOT NULL,
        price numeric NOT NULL,
        value_usd numeric NOT NULL,
        PRIMARY KEY (wallet, day, price_currency)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payment_price_days, fiat_rate_days');
  }
}
