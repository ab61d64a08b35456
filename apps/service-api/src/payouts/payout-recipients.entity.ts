import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { PayoutRow } from './payouts.entity';

@Entity('payout_recipients')
@Retention(keep('money record; similar addresses are warned of'))
@Index('payout_recipients_look', ['wallet', 'look', 'address'])
@Check('payout_recipients_place_check', 'place >= 0')
@Check('payout_recipients_amount_atomic_check', 'amount_atomic > 0')
export class PayoutRecipientRow {
  @PrimaryColumn('uuid')
  payout_id: string;
  /** Position in the request, from 0. */
  @PrimaryColumn('integer')
  place: number;
  @ManyToOne(() => PayoutRow, { nullable: false })
  @JoinColumn({ name: 'payout_id', foreignKeyConstraintName: 'payout_recipients_payout_id_fkey' })
  payout?: PayoutRow;
  @Column('text')
  wallet: string;
  @Column('text')
  address: string;
  /** First and last characters of the address, to find lookalike addresses. */
  @Column('text')
  look: string;
  @Column('numeric', { precision: 78, scale: 0 })
  amount_atomic: string;
}
