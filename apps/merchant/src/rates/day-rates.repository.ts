import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { FiatDayRow } from './fiat-volume';

// The European Central Bank publishes on working days. Easter is the longest pause.
const maxGapDays = 7;

/**
 * SQL of the rate of a currency on a day: of that day, otherwise the last one before it. Null without one in a week.
 * @param currency SQL expression of the ISO 4217 code
 * @param day SQL expression of the day
 */
export const rateOfDay = (currency: string, day: string): string => `(SELECT r.per_usd FROM fiat_rate_days r
  WHERE r.currency = ${currency} AND r.day <= ${day} AND r.day > ${day} - ${maxGapDays} ORDER BY r.day DESC LIMIT 1)`;

/** SQL of the completed payments by day, of the wallet of parameter 1, from the day of parameter 2 on. */
const paidDays = {
  /** Payments of payment requests. */
  requests: `SELECT day, sum(payments) AS payments, sum(unpriced) AS unpriced, sum(value_usd) AS value_usd
    FROM payment_days WHERE wallet = $1 AND day >= $2::date GROUP BY day`,
  /** All payments of the dashboard. The row of the day `-infinity` has the totals. */
  records: `SELECT day, sum(completed) AS payments, sum(unpriced) AS unpriced, sum(value_usd) AS value_usd
    FROM dashboard_sums WHERE generation = (SELECT active FROM dashboard_state) AND wallet = $1
      AND day >= $2::date AND day > '-infinity' GROUP BY day`,
};

/**
 * Keeps the first agreed rate of each currency and day (UTC), and values payments with it. Uses SQL for sums, and to
 * copy all rates in one statement.
 */
@Injectable()
export class DayRatesRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** The completed payments of a wallet by day, with their values in a currency. */
  async paidDays(
    kind: keyof typeof paidDays,
    { wallet, fromDay, currency }: { wallet: string; fromDay: string; currency: string },
  ): Promise<FiatDayRow[]> {
    const { rows } = await this.pool.query<FiatDayRow>({
      name: `fiat-days-${kind}`,
      text: `SELECT d.day::text AS day, d.payments::text, d.unpriced::text, d.value_usd::text,
               ${rateOfDay('$3', 'd.day')}::text AS rate, p.payments::text AS priced,
               p.unpriced::text AS priced_unpriced, p.value_usd::text AS priced_usd, p.price::text
             FROM (${paidDays[kind]}) d
               LEFT JOIN payment_price_days p ON (p.wallet, p.day, p.price_currency) = ($1, d.day, $3)`,
      values: [wallet, fromDay, currency],
    });
    return rows;
  }

  /** The rates of a currency by day; a day without one is absent. */
  async ratesOf(currency: string, days: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (days.length === 0) return new Map();
    const { rows } = await this.pool.query<{ day: string; rate: string | null }>({
      name: 'fiat-rates-of-days',
      text: `SELECT d.day::text AS day, ${rateOfDay('$1', 'd.day')}::text AS rate FROM unnest($2::date[]) AS d (day)`,
      values: [currency, [...new Set(days)]],
    });
    return new Map(rows.flatMap(({ day, rate }) => (rate === null ? [] : [[day, rate]])));
  }

  /** Stores the agreed rates of the last day for today, unless today has rates. */
  async keep(nowMs: number): Promise<void> {
    await this.pool.query({
      name: 'fiat-rate-days-keep',
      text: `INSERT INTO fiat_rate_days (currency, day, per_usd)
             SELECT currency, ($1::timestamptz AT TIME ZONE 'UTC')::date, per_usd FROM agreed_fiat_rates
             WHERE agreed_at > $1::timestamptz - interval '1 day'
             ORDER BY currency ON CONFLICT (currency, day) DO NOTHING`,
      values: [new Date(nowMs)],
    });
  }
}
