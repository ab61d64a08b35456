import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The balances of an account, in the smallest unit of the asset. `pg` returns bigint and numeric as strings. */
@Entity('accounts')
@Retention(keep('balances'))
// TypeORM cannot express this expression index.
@Index('accounts_unsettled', { synchronize: false })
@Check('accounts_account_check', 'octet_length(account) = 32')
@Check('accounts_public_key_check', 'octet_length(public_key) = 32')
@Check('accounts_deposited_check', 'deposited >= 0')
@Check('accounts_available_check', 'available >= 0')
@Check('accounts_reserved_check', 'reserved >= 0')
@Check('accounts_spent_check', 'spent >= 0')
@Check('accounts_earned_check', 'earned >= 0')
@Check('accounts_settled_check', 'settled >= 0')
@Check('accounts_settling_check', 'settling >= 0')
@Check('accounts_withdrawn_check', 'withdrawn >= 0')
@Check('accounts_max_amount_check', 'max_amount >= 0')
@Check('accounts_rate_limit_check', 'rate_limit >= 0')
@Check('accounts_balance', 'deposited = available + reserved + spent + withdrawn')
@Check('accounts_settled', 'earned >= settled + settling')
@Check('accounts_policy', '(max_amount IS NULL) = (rate_limit IS NULL)')
export class AccountRow {
  @PrimaryColumn('bytea')
  account: Buffer;
  @Column('bytea', { nullable: true })
  public_key: Buffer | null;
  @Column('bigint', { default: 0 })
  deposited: string;
  @Column('bigint', { default: 0 })
  available: string;
  @Column('bigint', { default: 0 })
  reserved: string;
  @Column('bigint', { default: 0 })
  spent: string;
  @Column('bigint', { default: 0 })
  earned: string;
  @Column('bigint', { default: 0 })
  settled: string;
  @Column('bigint', { default: 0 })
  settling: string;
  @Column('bigint', { default: 0 })
  withdrawn: string;
  @Column('bigint', { nullable: true })
  max_amount: string | null;
  @Column('integer', { nullable: true })
  rate_limit: number | null;
  @Column('timestamptz')
  updated_at: Date;
}
