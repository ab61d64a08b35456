import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { PayoutRow } from '../payouts.entity';
import type { BatchStatus } from './batch';

@Entity('payout_batches')
@Retention(keep('money record'))
// Index on `check_at`. TypeORM does not find it, because a check constraint has the same name.
@Index('payout_batches_due', { synchronize: false })
@Check('payout_batches_place_check', 'place >= 0')
@Check('payout_batches_recipient_count_check', 'recipient_count > 0')
@Check('payout_batches_total_atomic_check', 'total_atomic > 0')
@Check('payout_batches_fee_atomic_check', 'fee_atomic >= 0')
@Check('payout_batches_status_check', "status IN ('waiting', 'ready', 'sending', 'paid', 'failed')")
@Check('payout_batches_signed', "status IN ('waiting', 'failed') OR signature IS NOT NULL")
@Check('payout_batches_sent', "(status = 'sending') = (relay_nonce IS NOT NULL)")
@Check('payout_batches_paid', "(status = 'paid') = (paid_atomic IS NOT NULL)")
@Check('payout_batches_due', "(status IN ('ready', 'sending')) = (check_at IS NOT NULL)")
export class PayoutBatchRow {
  @PrimaryColumn('uuid')
  payout_id: string;
  /** Position in the payout, from 0. */
  @PrimaryColumn('integer')
  place: number;
  @ManyToOne(() => PayoutRow, { nullable: false })
  @JoinColumn({ name: 'payout_id', foreignKeyConstraintName: 'payout_batches_payout_id_fkey' })
  payout?: PayoutRow;
  @Column('integer')
  first_recipient: number;
  @Column('integer')
  recipient_count: number;
  @Column('numeric', { precision: 78, scale: 0 })
  total_atomic: string;
  @Column('numeric', { precision: 78, scale: 0 })
  fee_atomic: string;
  @Column('text')
  status: BatchStatus;
  @Column('text', { nullable: true })
  signature: string | null;
  /** Nonce of the relayer while a transaction with it may be mined. */
  @Column('bigint', { nullable: true })
  relay_nonce: string | null;
  /** Why the batch failed, or is delayed. */
  @Column('text', { nullable: true })
  reason: string | null;
  @Column('text', { nullable: true })
  tx_hash: string | null;
  /** Positions of the recipients that the token rejected. */
  @Column('integer', { array: true, default: () => "'{}'" })
  refused: number[];
  @Column('numeric', { precision: 78, scale: 0, nullable: true })
  paid_atomic: string | null;
  @Column('numeric', { precision: 78, scale: 0, nullable: true })
  fee_paid_atomic: string | null;
  @Column('timestamptz', { nullable: true })
  check_at: Date | null;
}
