import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { ListPosition } from '@tollbridge/rpc';
import type { Repository } from 'typeorm';
import type { AccountKey } from '../ledger/rules/account';
import type { DepositRecord, PayoutTerms, WithdrawalTerms } from '../ledger/storage/ledger-batch';
import { DepositRow, PayoutRow, WithdrawalRow } from './money.entity';

export interface StoredWithdrawal extends WithdrawalTerms {
  status: WithdrawalRow['status'];
}

export interface StoredPayout extends PayoutTerms {
  status: PayoutRow['status'];
}

/**
 * Reads deposits, withdrawals and payouts. The ledger commit writes them. SQL: aggregates and comparisons of columns.
 */
@Injectable()
export class MoneyRepository {
  private readonly deposits: Repository<DepositRow>;
  private readonly withdrawals: Repository<WithdrawalRow>;
  private readonly payoutRows: Repository<PayoutRow>;

  constructor(private readonly database: Database) {
    const { dataSource } = database;
    this.deposits = dataSource.getRepository(DepositRow);
    this.withdrawals = dataSource.getRepository(WithdrawalRow);
    this.payoutRows = dataSource.getRepository(PayoutRow);
  }

  isDeposited(transaction: Pick<DepositRecord, 'chainAccount' | 'lt' | 'hash'>): Promise<boolean> {
    const { chainAccount, lt, hash } = transaction;
    return this.deposits.existsBy({ chain_account: chainAccount, lt: lt.toString(), hash });
  }

  /** Returns the logical time of the last credited deposit. */
  async lastLt(chainAccount: string): Promise<string> {
    const { rows } = await this.database.pool.query<{ lt: string }>(
      'SELECT coalesce(max(lt), 0)::text AS lt FROM deposits WHERE chain_account = $1',
      [chainAccount],
    );
    return rows[0]!.lt;
  }

  async withdrawal(id: string): Promise<StoredWithdrawal | undefined> {
    const row = await this.withdrawals.findOneBy({ id });
    return row ? withdrawalFromRow(row) : undefined;
  }

  /** Returns withdrawals after `before`, newest first. */
  async withdrawalsFrom(
    account: AccountKey,
    limit: number,
    before: ListPosition | undefined,
  ): Promise<StoredWithdrawal[]> {
    const { rows } = await this.database.pool.query<WithdrawalRow>(
      `SELECT * FROM withdrawals
       WHERE account = $1 AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
       ORDER BY created_at DESC, id DESC LIMIT $2`,
      [
        Buffer.from(account, 'latin1'),
        limit,
        before === undefined ? null : new Date(before.atMs),
        before?.id ?? null,
      ],
    );
    return rows.map(withdrawalFromRow);
  }

  /** Returns pending withdrawals, oldest first. */
  async pending(limit: number): Promise<StoredWithdrawal[]> {
    const rows = await this.withdrawals.find({
      where: { status: 'pending' },
      order: { created_at: 'ASC', id: 'ASC' },
      take: limit,
    });
    return rows.map(withdrawalFromRow);
  }

  async withdrawalsOf(payout: bigint): Promise<StoredWithdrawal[]> {
    const rows = await this.withdrawals.findBy({ payout: payout.toString() });
    return rows.map(withdrawalFromRow);
  }

  /** Returns sellers with at least this amount of unpaid earnings, largest amount first. */
  async sellersToPay(minimumAtomic: bigint, limit: number): Promise<AccountKey[]> {
    const { rows } = await this.database.pool.query<{ account: Buffer }>(
      `SELECT account FROM accounts WHERE earned > settled + settling AND earned - settled - settling >= $1
       ORDER BY earned - settled - settling DESC LIMIT $2`,
      [minimumAtomic, limit],
    );
    return rows.map(({ account }) => account.toString('latin1'));
  }

  async payout(number: bigint): Promise<StoredPayout | undefined> {
    const row = await this.payoutRows.findOneBy({ number: number.toString() });
    return row ? payoutFromRow(row) : undefined;
  }

  /** Returns the payout in progress, and the number of the next payout. */
  async payouts(): Promise<{ open: StoredPayout | undefined; next: bigint }> {
    const [row] = await this.payoutRows.find({ order: { number: 'DESC' }, take: 1 });
    const last = row && payoutFromRow(row);
    return { open: last?.status === 'sent' ? last : undefined, next: last ? last.number + 1n : 0n };
  }

  /** Returns the number of failed payouts since the last completed payout, and the time of the last failure. */
  async failedPayouts(): Promise<{ count: number; lastMs: number }> {
    const { rows } = await this.database.pool.query<{ count: string; last: Date | null }>(
      `SELECT count(*), max(updated_at) AS last FROM payouts WHERE status = 'failed'
         AND number > coalesce((SELECT max(number) FROM payouts WHERE status = 'completed'), -1)`,
    );
    return { count: Number(rows[0]!.count), lastMs: rows[0]!.last?.getTime() ?? 0 };
  }

  /** Returns the sum of all balances, which the wallet on the chain must cover. */
  async liabilities(): Promise<bigint> {
    const { rows } = await this.database.pool.query<{ owed: string }>(
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
