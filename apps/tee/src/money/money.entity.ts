import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** A transaction on the chain that brought a deposit or a returned payout. */
@Entity('deposits')
@Retention(keep('money record'))
@Check('deposits_amount_check', 'amount > 0')
export class DepositRow {
  @PrimaryColumn('text')
  chain_account: string;
  @PrimaryColumn('numeric')
  lt: string;
  @PrimaryColumn('text')
  hash: string;
  @Column('bytea')
  account: Buffer;
  @Column('bigint')
  amount: string;
  @Column('timestamptz')
  created_at: Date;
}

/** One message to the chain that pays many withdrawals. At most one is in flight. */
@Entity('payouts')
@Retention(keep('money record'))
@Index('payouts_open', ['status'], { unique: true, where: `status = 'sent'` })
@Check('payouts_status_check', `status IN ('sent', 'completed', 'failed')`)
@Check('payouts_times', 'updated_at >= created_at')
export class PayoutRow {
  @PrimaryColumn('bigint')
  number: string;
  @Column('integer')
  query_id: number;
  @Column('bytea')
  boc: Buffer;
  @Column('numeric')
  after_lt: string;
  /** Unix seconds. The chain accepts the message from this time to `valid_until`. */
  @Column('bigint')
  made_at: string;
  @Column('bigint')
  valid_until: string;
  @Column('text')
  status: 'sent' | 'completed' | 'failed';
  @Column('timestamptz')
  created_at: Date;
  @Column('timestamptz')
  updated_at: Date;
}

/** A withdrawal of a balance, or of a seller's earnings. */
@Entity('withdrawals')
@Retention(keep('money record'))
@Index('withdrawals_pending', ['created_at', 'id'], { where: `status = 'pending'` })
// The columns of this index are descending, which TypeORM cannot describe.
@Index('withdrawals_account', { synchronize: false })
// An index on `payout`: TypeORM confuses it with the check constraint of the same name.
@Index('withdrawals_payout', { synchronize: false })
@Check('withdrawals_kind_check', `kind IN ('balance', 'earnings')`)
@Check('withdrawals_amount_check', 'amount > 0')
@Check('withdrawals_status_check', `status IN ('pending', 'sent', 'completed', 'returned')`)
@Check('withdrawals_payout', `(status = 'pending') = (payout IS NULL)`)
@Check('withdrawals_times', 'updated_at >= created_at')
export class WithdrawalRow {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  kind: 'balance' | 'earnings';
  @Column('bytea')
  account: Buffer;
  @Column('bytea')
  destination: Buffer;
  @Column('bigint')
  amount: string;
  @Column('text')
  status: 'pending' | 'sent' | 'completed' | 'returned';
  @Column('bigint', { nullable: true })
  payout: string | null;
  @ManyToOne(() => PayoutRow)
  @JoinColumn({ name: 'payout', foreignKeyConstraintName: 'withdrawals_payout_fkey' })
  payoutRow?: PayoutRow;
  @Column('timestamptz')
  created_at: Date;
  @Column('timestamptz')
  updated_at: Date;
}
