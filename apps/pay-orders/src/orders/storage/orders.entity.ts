import { keep, pruneAlong, Retention, swept } from '@tollbridge/database';
import type { Conversion, OrderExceptionKind, OrderStatus, PayMethod } from '@tollbridge/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A row of `orders`. The driver returns numeric and bigint columns as strings. */
@Entity('orders')
@Retention(
  pruneAlong({
    days: 'RETENTION_UNPAID_ORDERS_DAYS',
    column: 'expires_at',
    key: 'id',
    keyType: 'uuid',
    // The contract rejects payments after the deadline, so expired direct orders can be deleted. A deposit address has
    // no deadline, so cross-chain orders are retained.
    where: `status = 'expired' AND method = 'Direct'
      AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = t.id)
      AND NOT EXISTS (SELECT FROM tx_claims c WHERE c.order_id = t.id)
      AND NOT EXISTS (SELECT FROM displaced_reports d WHERE d.order_id = t.id)
      AND NOT EXISTS (SELECT FROM settlement_claims s WHERE s.order_id = t.id)`,
    rule: 'expired direct orders without a payment or a submitted transaction; all other orders stay',
  }),
)
// `orders_payer` sorts its columns in descending order, which TypeORM cannot express.
@Index('orders_payer', { synchronize: false })
@Index('orders_due', ['expires_at'], { where: `status = 'waiting_payment'` })
@Index('orders_deep', ['pay_chain', 'paid_height'], { where: `status = 'settling'` })
@Index('orders_judge', ['pay_chain', 'judge_at'], { where: `status = 'settling' AND paid_height IS NULL` })
@Index('orders_paid', ['pay_chain', 'paid_height'], { where: 'paid_height IS NOT NULL' })
@Index('orders_unvalued', ['updated_at'], { where: `status = 'settled' AND settled_value_usd IS NULL` })
@Check('orders_status_check', `status IN ('waiting_payment', 'settling', 'settled', 'failed', 'expired')`)
@Check('orders_method_check', `method IN ('Direct', 'CrossChain')`)
@Check('orders_merchant_amount_check', 'merchant_amount > 0')
@Check('orders_check', 'fee_amount BETWEEN 0 AND merchant_amount')
@Check('orders_settled_value_usd_check', 'settled_value_usd >= 0')
@Check(
  'orders_direct',
  `(method = 'Direct') = (contract_address IS NOT NULL) AND (method = 'Direct') = (token_in_address IS NOT NULL)`,
)
@Check('orders_times', 'updated_at >= created_at')
export class OrderRow {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  status: OrderStatus;
  @Column('text')
  method: PayMethod;
  @Column('text')
  pay_chain: string;
  @Column('text')
  pay_token: string;
  @Column('text')
  settle_chain: string;
  @Column('text')
  settle_token: string;
  @Column('text')
  merchant_address: string;
  @Column('numeric', { precision: 78, scale: 0 })
  merchant_amount: string;
  /** The price in a currency, and the rate of the merchant amount; null for an amount of the token. */
  @Column('json', { nullable: true })
  conversion: Conversion | null;
  @Column('text')
  fee_receiver: string;
  @Column('numeric', { precision: 78, scale: 0 })
  fee_amount: string;
  @Column('text')
  merchant_id: string;
  @Column('text')
  payer_address: string;
  /** Whether `payer_address` is an address of the refund account. */
  @Column('boolean', { default: false })
  is_payerless: boolean;
  @Column('text', { nullable: true })
  contract_address: string | null;
  @Column('text', { nullable: true })
  token_in_address: string | null;
  @Column('text', { nullable: true })
  pay_tx: string | null;
  /** Since when `pay_tx` is missing on the chain; set while `paid_height` is null. */
  @Column('timestamptz', { nullable: true })
  pay_tx_since: Date | null;
  /** When a client reported `pay_tx`; null when only the watcher found it. */
  @Column('timestamptz', { nullable: true })
  reported_at: Date | null;
  /** The newest transaction that a client reported. */
  @Column('text', { nullable: true })
  last_report_tx: string | null;
  /** The reason that this transaction does not pay the order; null while that is unknown. */
  @Column('text', { nullable: true })
  last_report_reason: string | null;
  /** When the reported transaction is verified next, while its payment is not found. */
  @Column('timestamptz', { nullable: true })
  judge_at: Date | null;
  /** The block of the matching payment; null while none is known. */
  @Column('bigint', { nullable: true })
  paid_height: string | null;
  @Column('text', { nullable: true })
  settle_tx: string | null;
  @Column('numeric', { precision: 78, scale: 0, nullable: true })
  settled_amount: string | null;
  @Column('text', { nullable: true })
  failure_reason: string | null;
  @Column('boolean', { default: false })
  late: boolean;
  /** Whether rows of `order_exceptions` exist for the order. */
  @Column('boolean', { default: false })
  has_exceptions: boolean;
  @Column('integer', { default: 1 })
  version: number;
  /** The wallet of the API key or sign-in that created the order; null for an anonymous client. */
  @Column('text', { nullable: true })
  created_by: string | null;
  @Column('uuid', { nullable: true })
  key_id: string | null;
  /** The dollar value of the merchant amount when the order was first settled. */
  @Column('numeric', { nullable: true })
  settled_value_usd: string | null;
  @Column('timestamptz')
  created_at: Date;
  @Column('timestamptz')
  updated_at: Date;
  @Column('timestamptz')
  expires_at: Date;
}

/**
 * A row of `tx_claims`: a transaction may be reported for one order only. A claim that turns out to be false is
 * deleted.
 */
@Entity('tx_claims')
@Retention(keep('a transaction is submitted for one order, for ever'))
@Index('tx_claims_order', ['order_id'])
export class TxClaimRow {
  @PrimaryColumn('text')
  chain: string;
  @PrimaryColumn('text')
  tx_hash: string;
  @Column('uuid')
  @ForeignKey(() => OrderRow, { name: 'tx_claims_order_id_fkey' })
  order_id: string;
}

/**
 * A row of `displaced_reports`: its order does not wait for this transaction any more, but the transaction may still
 * pay the merchant.
 */
@Entity('displaced_reports')
@Retention(
  swept({
    by: 'DisplacedReportsWorker',
    rule: 'when its transaction is confirmed, or no chain has it a day after the report was displaced',
  }),
)
@Index('displaced_reports_due', ['chain', 'check_at'])
export class DisplacedReportRow {
  @PrimaryColumn('uuid')
  @ForeignKey(() => OrderRow, { name: 'displaced_reports_order_id_fkey' })
  order_id: string;
  @PrimaryColumn('text')
  tx_hash: string;
  @Column('text')
  chain: string;
  @Column('timestamptz')
  displaced_at: Date;
  /** When the chain is read next. */
  @Column('timestamptz')
  check_at: Date;
}

/** A row of `order_exceptions`: a transfer of an order that the order's state does not show. */
@Entity('order_exceptions')
@Retention(keep('money that was received without settling an order, for the books of the merchant'))
@Index('order_exceptions_order', ['order_id', 'seen_at'])
@Check('order_exceptions_kind_check', `kind IN ('transfer', 'deposit', 'refund')`)
@Check('order_exceptions_amount_check', 'amount > 0')
export class OrderExceptionRow {
  @PrimaryColumn('uuid')
  id: string;
  @Column('uuid')
  @ForeignKey(() => OrderRow, { name: 'order_exceptions_order_id_fkey' })
  order_id: string;
  @Column('text')
  kind: OrderExceptionKind;
  @Column('text')
  chain: string;
  @Column('text')
  token: string;
  @Column('numeric', { precision: 78, scale: 0 })
  amount: string;
  @Column('text', { nullable: true })
  tx_hash: string | null;
  @Column('text')
  reason: string;
  @Column('timestamptz')
  seen_at: Date;
}
