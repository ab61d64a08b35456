import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sums of earlier releases count expired payments among the unsuccessful ones only. */
export const countExpired = `
  UPDATE dashboard_sums s SET expired = counted.expired
  FROM (
    SELECT generation, wallet, day, network, token, count(*) AS expired
    FROM dashboard_transactions,
      LATERAL (VALUES ((created_at AT TIME ZONE 'UTC')::date), ('-infinity'::date)) AS d (day)
    WHERE is_shown AND status = 'expired' AND tx_type = 'payment'
    GROUP BY generation, wallet, day, network, token
  ) counted
  WHERE (s.generation, s.wallet, s.day, s.network, s.token)
    = (counted.generation, counted.wallet, counted.day, counted.network, counted.token)`;

/** In a transaction of its own, so that reads of the sums do not wait for it. */
export class CountExpired1801990500000 implements MigrationInterface {
  readonly name = 'CountExpired1801990500000';

  async up(runner: QueryRunner): Promise<void> {
    // Events wait until the commit, so none is counted twice or left out.
    await runner.query('SELECT FROM dashboard_state FOR UPDATE');
    await runner.query(countExpired);
  }

  async down(): Promise<void> {
    // The column of the counts is dropped by the migration before this one.
  }
}
