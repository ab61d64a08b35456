import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `sales_scans`: the position where the next scan of a sales wallet starts. */
@Entity('sales_scans')
@Retention(keep('one row for each token'))
export class SalesScanRow {
  @PrimaryColumn('text')
  network: string;
  @PrimaryColumn('text')
  asset: string;
  /** Block height; on Solana Unix milliseconds. */
  @Column('bigint')
  next_position: string;
}

/** A row of `unclaimed_payments`: a payment to a sales wallet that an operator must handle. */
@Entity('unclaimed_payments')
@Retention(keep('money record'))
@Check('unclaimed_payments_amount', 'amount > 0')
export class UnclaimedPaymentRow {
  @PrimaryColumn('text')
  network: string;
  @PrimaryColumn('text')
  transaction: string;
  @PrimaryColumn('integer')
  log_index: number;
  @Column('text')
  asset: string;
  @Column('text')
  payer: string;
  @Column('numeric', { precision: 78, scale: 0 })
  amount: string;
  @Column('text')
  reason: string;
  @Column('timestamptz')
  created_at: Date;
}
