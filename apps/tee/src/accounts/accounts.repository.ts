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
  /** What came in, less what went out and what is there. */
  balance: bigint;
  /** What accounts have set apart, less what is held for payments and is to be withdrawn. */
  reserved: bigint;
  /** What sellers are being paid, less what is on its way to them. */
  settling: bigint;
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

  /** What must be zero at every moment, seen at one of them. */
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
