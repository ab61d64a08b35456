import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { PayoutBatchRow } from './payout-batches.entity';
import { PayoutNonceRow } from './payout-nonces.entity';

/** A signed transaction, stored before it is broadcast. Transactions with the same nonce replace each other. */
@Entity('payout_relays')
@Retention(keep('money record: every transaction that was signed'))
@Index('payout_relays_batch', ['payout_id', 'place'])
export class PayoutRelayRow {
  @PrimaryColumn('text')
  hash: string;
  @Column('text')
  chain: string;
  @Column('text')
  relayer: string;
  @Column('bigint')
  nonce: string;
  @ManyToOne(() => PayoutNonceRow, { nullable: false })
  @JoinColumn([
    {
      name: 'chain',
      referencedColumnName: 'chain',
      foreignKeyConstraintName: 'payout_relays_chain_relayer_nonce_fkey',
    },
    { name: 'relayer', referencedColumnName: 'relayer' },
    { name: 'nonce', referencedColumnName: 'nonce' },
  ])
  usedNonce?: PayoutNonceRow;
  @Column('uuid')
  payout_id: string;
  @Column('integer')
  place: number;
  @ManyToOne(() => PayoutBatchRow, { nullable: false })
  @JoinColumn([
    {
      name: 'payout_id',
      referencedColumnName: 'payout_id',
      foreignKeyConstraintName: 'payout_relays_payout_id_place_fkey',
    },
    { name: 'place', referencedColumnName: 'place' },
  ])
  batch?: PayoutBatchRow;
  @Column('text')
  raw: string;
  @Column('bigint')
  gas_limit: string;
  @Column('numeric', { precision: 78, scale: 0 })
  max_fee: string;
  @Column('numeric', { precision: 78, scale: 0 })
  tip: string;
  @Column('timestamptz')
  created_at: Date;
}
