import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { PayoutBatchRow } from './payout-batches.entity';

/** A nonce of a relayer, assigned to one batch permanently. */
@Entity('payout_nonces')
@Retention(keep('each nonce belongs to one batch, for ever'))
export class PayoutNonceRow {
  @PrimaryColumn('text')
  chain: string;
  @PrimaryColumn('text')
  relayer: string;
  @PrimaryColumn('bigint')
  nonce: string;
  @Column('uuid')
  payout_id: string;
  @Column('integer')
  place: number;
  @ManyToOne(() => PayoutBatchRow, { nullable: false })
  @JoinColumn([
    {
      name: 'payout_id',
      referencedColumnName: 'payout_id',
      foreignKeyConstraintName: 'payout_nonces_payout_id_place_fkey',
    },
    { name: 'place', referencedColumnName: 'place' },
  ])
  batch?: PayoutBatchRow;
}
