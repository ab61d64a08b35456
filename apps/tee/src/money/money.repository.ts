import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { AccountKey } from '../ledger/account';
import type { PayoutTerms, WithdrawalTerms } from '../ledger/ledger-batch';

export interface StoredWithdrawal extends WithdrawalTerms {
  status: 'pending' | 'sent' | 'completed' | 'returned';
}

export interface StoredPayout extends PayoutTerms {
  status: 'sent' | 'completed' | 'failed';
}

interface WithdrawalRow {
  id: string;
  kind: StoredWithdrawal['source'];
  account: Buffer;
  destination: Buffer;
  amount: string;
  status: StoredWithdrawal['status'];
  created_at: Date;
}

interface PayoutRow {
  number: string;
  query_id: number;
  boc: Buffer;
  after_lt: string;
  made_at: string;
  valid_until: string;
  status: StoredPayout['status'];
}

/** Reads deposits, withdrawals and payouts. The ledger commit writes them. */
@Injectable()
export class MoneyRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Logical time of the last credited deposit. */
  async lastLt(chainAccount: string): Promise<string> {
    const { rows } = await this.pool.query<{ lt: string }>(
      'SELECT coalesce(max(lt), 0)::text AS lt FROM deposits WHERE chain_account = $1',
      [chainAccount],
    );
    return rows[0]!.lt;
  }

  async withdrawal(id: string): Promise<StoredWithdrawal | undefined> {
    const { rows } = await this.pool.query<WithdrawalRow>('SELECT * FROM withdrawals WHERE id = $1', [id]);
    return rows[0] && withdrawalFromRow(rows[0]);
  }

  /** The oldest first. */
  async pending(limit: number): Promise<StoredWithdrawal[]> {
    const { rows } = await this.pool.query<WithdrawalRow>(
      `SELECT * FROM withdrawals WHERE status = 'pending' ORDER BY created_at, id LIMIT $1`,
      [limit],
    );
    return rows.map(withdrawalFromRow);
  }

  async withdrawalsOf(payout: bigint): Promise<StoredWithdrawal[]> {
    const { rows } = await this.pool.query<WithdrawalRow>('SELECT * FROM withdrawals WHERE payout = $1', [
      payout,
    ]);
    return rows.map(withdrawalFromRow);
  }

  /** Sellers with at least this amount of unpaid earnings, largest first. */
  async sellersToPay(minimumAtomic: bigint, limit: number): Promise<AccountKey[]> {
    const { rows } = await this.pool.query<{ account: Buffer }>(
      `SELECT account FROM accounts WHERE earned > settled + settling AND earned - settled - settling >= $1
       ORDER BY earned - settled - settling DESC LIMIT $2`,
      [minimumAtomic, limit],
    );
    return rows.map(({ account }) => account.toString('latin1'));
  }

  async payout(number: bigint): Promise<StoredPayout | undefined> {
    const { rows } = await this.pool.query<PayoutRow>('SELECT * FROM payouts WHERE number = $1', [number]);
    return rows[0] && payoutFromRow(rows[0]);
  }

  /** The payout in flight, and the number of the next one. */
  async payouts(): Promise<{ open: StoredPayout | undefined; next: bigint }> {
    const { rows } = await this.pool.query<PayoutRow>(`SELECT * FROM payouts ORDER BY number DESC LIMIT 1`);
    const last = rows[0] && payoutFromRow(rows[0]);
    return { open: last?.status === 'sent' ? last : undefined, next: last ? last.number + 1n : 0n };
  }

  /** Failed payouts since the last completed one, and the time of the last failure. */
  async failedPayouts(): Promise<{ count: number; lastMs: number }> {
    const { rows } = await this.pool.query<{ count: string; last: Date | null }>(
      `SELECT count(*), max(updated_at) AS last FROM payouts WHERE status = 'failed'
         AND number > coalesce((SELECT max(number) FROM payouts WHERE status = 'completed'), -1)`,
    );
    return { count: Number(rows[0]!.count), lastMs: rows[0]!.last?.getTime() ?? 0 };
  }

  /** The sum of all balances: what the wallet on the chain must hold. */
  async liabilities(): Promise<bigint> {
    const { rows } = await this.pool.query<{ owed: string }>(
      'SELECT coalesce(sum(available + reserved + earned - settled), 0)::text AS owed FROM accounts',
    );
    return BigInt(rows[0]!.owed);
  }
}

const withdrawalFromRow = (row: WithdrawalRow): StoredWithdrawal => ({
  id: row.id,
  source: row.kind,
  account: row.account.toString('latin1'),
  destination: row.destination.toString('latin1'),
  amountAtomic: BigInt(row.amount),
  status: row.status,
  atMs: row.created_at.getTime(),
});

const payoutFromRow = (row: PayoutRow): StoredPayout => ({
  number: BigInt(row.number),
  queryId: row.query_id,
  boc: row.boc,
  afterLt: row.after_lt,
  createdAtS: Number(row.made_at),
  validUntilS: Number(row.valid_until),
  status: row.status,
});
