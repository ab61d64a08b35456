import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Cards of the Laso simulator. */
@Entity('laso_cards')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Index('laso_cards_user', ['userId', 'createdAt'])
export class LasoCardEntity {
  @PrimaryColumn('text', { name: 'card_id' })
  cardId: string;
  @Column('text', { name: 'user_id' })
  userId: string;
  @Column('integer', { name: 'amount_cents' })
  amountCents: number;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}

/** Executed transfer authorizations. The token accepts each nonce of a payer once. */
@Entity('laso_payments')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
export class LasoPaymentEntity {
  @PrimaryColumn('text')
  payer: string;
  @PrimaryColumn('text')
  nonce: string;
  @Column('numeric', { name: 'amount_atomic', precision: 78, scale: 0 })
  amountAtomic: string;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
