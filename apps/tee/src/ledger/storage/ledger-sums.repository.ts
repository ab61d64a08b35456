import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';

interface TotalsRow {
  payments: string;
  volume: string;
  accounts: string;
  pending_settlement: string;
  pending_approvals: string;
}

export interface LedgerDifferences {
  /** Deposits less payouts less balances. */
  balance: bigint;
  /** Reserved amounts less open holds and pending withdrawals. */
  reserved: bigint;
  /** Earnings being settled less the payouts that settle them. */
  settling: bigint;
}

/** Aggregates over the ledger tables. SQL: sums over whole tables. */
@Injectable()
export class LedgerSumsRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Returns sums over the accounts, because counting payments would scan millions of rows. */
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

  /** Returns the differences of the ledger's invariants, read in one snapshot. Each must be zero. */
  async differences(): Promise<LedgerDifferences> {
    const { rows } = await this.pool.query<Record<keyof LedgerDifferences, string>>({
      name: 'ledger-differences',
      text: `SELECT (deposited - withdrawn - settled) - (available + reserved) - (earned - settled) AS balance,
               reserved - held - leaving AS reserved, settling - leaving_earnings AS settling
             FROM (SELECT coalesce(sum(deposited), 0) AS deposited, coalesce(sum(withdrawn), 0) AS withdrawn,
                 coalesce(sum(settled), 0) AS settled, coalesce(sum(settling), 0) AS settling,
                 coalesce(sum(available), 0) AS available, coalesce(sum(reserved), 0) AS reserved,
                 coalesce(sum(earned), 0) AS earned FROM accounts) a,
               (SELECT coalesce(sum(charged), 0) AS held FROM payments WHERE state = 'held') p,
               (SELECT coalesce(sum(amount) FILTER (WHERE kind = 'balance'), 0) AS leaving,
                 coalesce(sum(amount) FILTER (WHERE kind = 'earnings'), 0) AS leaving_earnings
                FROM withdrawals WHERE status IN ('pending', 'sent')) w`,
    });
    const { balance, reserved, settling } = rows[0]!;
    return { balance: BigInt(balance), reserved: BigInt(reserved), settling: BigInt(settling) };
  }
}
