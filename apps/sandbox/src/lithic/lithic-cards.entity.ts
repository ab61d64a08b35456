import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** Cards of the Lithic simulator. Their numbers are derived from the token, and not stored. */
@Entity('lithic_cards')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Unique('lithic_cards_idempotency_key_key', ['idempotencyKey'])
@Index('lithic_cards_created', ['createdAt', 'token'])
export class LithicCardEntity {
  @PrimaryColumn('uuid')
  token: string;
  @Column('text')
  type: string;
  @Column('text')
  state: string;
  @Column('text')
  memo: string;
  @Column('integer', { name: 'spend_limit' })
  spendLimit: number;
  @Column('text', { name: 'spend_limit_duration' })
  spendLimitDuration: string;
  /** Idempotency key: the same key with the same body returns the same card. */
  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;
  @Column('json')
  body: object;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
