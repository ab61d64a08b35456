import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { PaymentState } from '../rules/payment';

/** A payment. The table is partitioned by the day of `valid_before`, which TypeORM cannot express. */
@Entity('payments')
@Retention(keep('the ledger, a partition for each day: receipts are a hash chain that needs all'))
@Index('payments_name', ['confirmation_id'])
@Index('payments_held', ['hold_until'], { where: `state = 'held'` })
@Index('payments_seq', ['seq'], { where: 'seq > 0' })
@Check('payments_state_check', `state IN ('held', 'captured', 'voided', 'expired')`)
@Check('payments_amount_check', 'amount > 0')
@Check('payments_check', 'charged >= 0 AND charged <= amount')
export class PaymentRow {
  @PrimaryColumn('bytea')
  payer: Buffer;
  @PrimaryColumn('bytea')
  nonce: Buffer;
  /** Unix seconds, as in the signed payment. */
  @PrimaryColumn('bigint')
  valid_before: string;
  @Column('bigint')
  valid_after: string;
  @Column('uuid')
  confirmation_id: string;
  @Column('bytea')
  digest: Buffer;
  @Column('bytea')
  seller: Buffer;
  @Column('bytea')
  resource_hash: Buffer;
  @Column('bytea')
  signature: Buffer;
  @Column('bytea')
  call_key: Buffer;
  @Column('smallint')
  flags: number;
  @Column('text')
  state: PaymentState;
  @Column('bigint')
  amount: string;
  @Column('bigint')
  charged: string;
  /** Unix milliseconds. */
  @Column('bigint')
  hold_until: string;
  /** Sequence number of the charge receipt; 0 before the capture. */
  @Column('bigint')
  seq: string;
  @Column('bigint')
  charged_ms: string;
  @Column('bytea')
  previous_head: Buffer;
  @Column('bytea', { nullable: true })
  grant_digest: Buffer | null;
}

/** The refund of a captured payment, with the refund's receipt. */
@Entity('refunds')
@Retention(keep('the ledger: refunds are links of the hash chain'))
@Unique('refunds_seq_key', ['seq'])
export class RefundRow {
  @PrimaryColumn('uuid')
  confirmation_id: string;
  @Column('bigint')
  seq: string;
  @Column('bigint')
  refunded_ms: string;
  @Column('bytea')
  previous_head: Buffer;
  @Column('bigint')
  amount: string;
}
