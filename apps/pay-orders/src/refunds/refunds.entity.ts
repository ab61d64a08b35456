import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrderRow } from '../orders/storage/orders.entity';
import type { RefundState } from './refund';

/**
 * A row of `refund_addresses`: the address where the route provider refunds the deposit of an order without a payer.
 */
@Entity('refund_addresses')
@Retention(keep('deposits can be returned there at any time'))
@Index('refund_addresses_due', ['check_at'], { where: 'check_at IS NOT NULL' })
@Unique('refund_addresses_address_index_key', ['address_index'])
@Check('refund_addresses_read', 'check_at IS NULL OR address_index IS NOT NULL')
export class RefundAddressRow {
  @PrimaryColumn('uuid')
  @ForeignKey(() => OrderRow, { name: 'refund_addresses_order_id_fkey' })
  order_id: string;
  @Column('text')
  address: string;
  /** Null for an address of the operator that this deployment can neither read nor send from. */
  @Column('integer', { nullable: true })
  address_index: number | null;
  /** The time of the last change. The interval between polls grows with the time since. */
  @Column('timestamptz')
  since: Date;
  @Column('timestamptz', { nullable: true })
  check_at: Date | null;
  /** Coins that may remain from the fees of earlier transactions, and that are not a refund. */
  @Column('numeric', { precision: 78, scale: 0, default: 0 })
  leftover: string;
  /** The block of the newest transfer to a sender. Balances of earlier blocks are outdated. */
  @Column('bigint', { default: 0 })
  settled_height: string;
}

/** A row of `refunds`: an amount that was refunded to a refund address. */
@Entity('refunds')
@Retention(keep('money record'))
@Index('refunds_open', ['order_id'], { unique: true, where: `state NOT IN ('sent', 'closed')` })
@Index('refunds_order', ['order_id'])
// A check constraint has the same name, so TypeORM does not find the index (check_at) WHERE check_at IS NOT NULL.
@Index('refunds_due', { synchronize: false })
@Index('refunds_manual', ['created_at'], { where: `state = 'manual'` })
@Check(
  'refunds_state_check',
  `state IN ('arrived', 'ready', 'funding', 'sending', 'sent', 'manual', 'closed')`,
)
@Check('refunds_amount_check', 'amount > 0')
@Check('refunds_under_way', `(state IN ('funding', 'sending')) = (nonce IS NOT NULL)`)
@Check('refunds_recipient', `state NOT IN ('ready', 'funding', 'sending', 'sent') OR recipient IS NOT NULL`)
@Check('refunds_sent', `state <> 'sent' OR tx_hash IS NOT NULL`)
@Check('refunds_due', `(state IN ('arrived', 'ready', 'funding', 'sending')) = (check_at IS NOT NULL)`)
@Check('refunds_times', 'updated_at >= created_at')
export class RefundRow {
  @PrimaryColumn('uuid')
  id: string;
  @Column('uuid')
  @ForeignKey(() => RefundAddressRow, { name: 'refunds_order_id_fkey' })
  order_id: string;
  @Column('text')
  state: RefundState;
  /** The refunded amount. After sending, the sent amount. */
  @Column('numeric', { precision: 78, scale: 0 })
  amount: string;
  @Column('text', { nullable: true })
  recipient: string | null;
  /** The reason that the refund waits, or that an operator must decide. */
  @Column('text', { nullable: true })
  reason: string | null;
  /** The account that sends the current transaction. */
  @Column('text', { nullable: true })
  sender: string | null;
  @Column('bigint', { nullable: true })
  nonce: string | null;
  @Column('text', { nullable: true })
  tx_hash: string | null;
  /** The operator who decided. */
  @Column('text', { nullable: true })
  resolved_by: string | null;
  @Column('timestamptz', { nullable: true })
  resolved_at: Date | null;
  @Column('timestamptz', { nullable: true })
  check_at: Date | null;
  @Column('timestamptz')
  created_at: Date;
  @Column('timestamptz')
  updated_at: Date;
}

/** A row of `refund_nonces`: each nonce of an account belongs permanently to one refund. */
@Entity('refund_nonces')
@Retention(keep('each nonce belongs to one refund, for ever'))
@Index('refund_nonces_refund', ['refund_id'])
export class RefundNonceRow {
  @PrimaryColumn('text')
  chain: string;
  @PrimaryColumn('text')
  sender: string;
  @PrimaryColumn('bigint')
  nonce: string;
  @Column('uuid')
  @ForeignKey(() => RefundRow, { name: 'refund_nonces_refund_id_fkey' })
  refund_id: string;
}

/**
 * A row of `refund_transactions`: a signed transaction, stored before it is sent. Transactions with the same nonce
 * replace each other.
 */
@Entity('refund_transactions')
@Retention(keep('money record: every transaction that was signed'))
@Index('refund_transactions_refund', ['refund_id'])
@ForeignKey(() => RefundNonceRow, ['chain', 'sender', 'nonce'], ['chain', 'sender', 'nonce'], {
  name: 'refund_transactions_chain_sender_nonce_fkey',
})
export class RefundTransactionRow {
  @PrimaryColumn('text')
  hash: string;
  @Column('text')
  chain: string;
  @Column('text')
  sender: string;
  @Column('bigint')
  nonce: string;
  @Column('uuid')
  @ForeignKey(() => RefundRow, { name: 'refund_transactions_refund_id_fkey' })
  refund_id: string;
  @Column('text')
  raw: string;
  /** The forwarded amount, or the coins for fees that it pays to the refund address. */
  @Column('numeric', { precision: 78, scale: 0 })
  amount: string;
  /** The coins that it leaves at its address for its own fee. */
  @Column('numeric', { precision: 78, scale: 0 })
  reserve: string;
  @Column('bigint')
  gas_limit: string;
  @Column('numeric', { precision: 78, scale: 0 })
  max_fee: string;
  @Column('numeric', { precision: 78, scale: 0 })
  tip: string;
  @Column('timestamptz')
  created_at: Date;
}
