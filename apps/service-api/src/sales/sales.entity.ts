import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { PaymentIdentity, RefundAuthorization, SaleFailure, SaleState, StoredPayment } from './sale';

/** A row of `sales`: a payment with the one request that it pays for. */
@Entity('sales')
@Retention(keep('each payment pays once, for ever'))
@Unique('sales_payment_key', ['scheme', 'network', 'asset', 'payer', 'nonce'])
@Index('sales_payer', ['payer', 'created_at'])
@Index('sales_created', ['created_at'])
@Index('sales_offer', ['offer_hash'])
@Index('sales_transaction', ['transaction'], { where: 'transaction IS NOT NULL' })
@Index('sales_due', ['check_at'], { where: 'check_at IS NOT NULL' })
@Index('sales_stuck', ['created_at'], { where: "state = 'stuck'" })
@Check(
  'sales_state_check',
  "state IN ('claimed', 'rejected', 'settled', 'bought', 'refunding', 'refunded', 'stuck')",
)
@Check('sales_amounts', 'amount > 0 AND cost >= 0 AND cost <= amount AND refund_amount <= amount')
@Check('sales_failed', "state NOT IN ('rejected', 'refunding', 'refunded', 'stuck') OR failure IS NOT NULL")
@Check('sales_refund', "state NOT IN ('refunding', 'refunded', 'stuck') OR refund_amount IS NOT NULL")
export class SaleRow {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  scheme: PaymentIdentity['scheme'];
  @Column('text')
  network: string;
  @Column('text')
  asset: string;
  @Column('text')
  payer: string;
  @Column('text')
  nonce: string;
  @Column('text')
  operation: string;
  @Column('text')
  input_hash: string;
  @Column('text')
  offer_hash: string;
  @Column('text')
  purchase_kind: string;
  @Column('text')
  state: SaleState;
  @Column('numeric', { precision: 78, scale: 0 })
  amount: string;
  @Column('numeric', { precision: 78, scale: 0 })
  cost: string;
  @Column('numeric')
  cost_usd: string;
  @Column('numeric')
  price_usd: string;
  @Column('json')
  payment: StoredPayment;
  @Column('integer', { default: 0 })
  settle_tries: number;
  /** While leased, one process settles the sale or executes its response. */
  @Column('timestamptz', { nullable: true })
  lease_until: Date | null;
  @Column('text', { nullable: true })
  transaction: string | null;
  @Column('json', { nullable: true })
  failure: SaleFailure | null;
  @Column('numeric', { precision: 78, scale: 0, nullable: true })
  refund_amount: string | null;
  @Column('json', { nullable: true })
  refund: RefundAuthorization | null;
  @Column('text', { nullable: true })
  refund_transaction: string | null;
  @Column('timestamptz', { nullable: true })
  check_at: Date | null;
  @Column('integer', { default: 0 })
  checks: number;
  @Column('integer', { default: 1 })
  version: number;
  @Column('timestamptz')
  created_at: Date;
  @Column('timestamptz', { nullable: true })
  settled_at: Date | null;
}
