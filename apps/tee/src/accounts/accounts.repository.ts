import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/data';
import type { Pool } from 'pg';

interface TotalsRow {
  payments: string;
  volume: string;
  accounts: string;
  pending_settlement: string;
  pending_approvals: string;
}

/** What only reads the ledger, as it stands on disk. */
@Injectable()
export class AccountsRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Sums over accounts: payments themselves are too many to be counted. */
  async totals(nowMs: number): Promise<TotalsRow> {
    const { rows } = await this.pool.query<TotalsRow>({
      name: 'ledger-totals',
      text: `SELECT (SELECT charges FROM ledger) AS payments, coalesce(sum(spent), 0) AS volume, count(*) AS accounts,
               coalesce(sum(earned - settled), 0) AS pending_settlement,
               (SELECT count(*) FROM approvals WHERE status = 'pending' AND expires_at > to_timestamp($1::float8 / 1000))
                 AS pending_approvals
             FROM accounts`,
      values: [nowMs],
    });
    return rows[0]!;
  }

  /** What must be zero at every moment: what came in, less what went out and what is there. */
  async difference(): Promise<bigint> {
    const { rows } = await this.pool.query<{ difference: string }>(
      `SELECT coalesce(sum(deposited - withdrawn - settled) - sum(available + reserved) - sum(earned - settled), 0)::text
         AS difference FROM accounts`,
    );
    return BigInt(rows[0]!.difference);
  }
}
