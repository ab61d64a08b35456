import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Purchases of gift cards, top-ups and bills. */
@Entity('reloadly_transactions')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Index('reloadly_transactions_identifier', ['api', 'identifier'])
@Check('reloadly_transactions_api_check', `api IN ('giftcards', 'topups', 'utilities')`)
export class ReloadlyTransactionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;
  @Column('text')
  api: string;
  /** Reference of the client. Not unique, because the real provider's check is not atomic. */
  @Column('text', { nullable: true })
  identifier: string | null;
  @Column('json')
  body: object;
  /** In hundred-thousandths of a dollar. */
  @Column('numeric', { precision: 20, scale: 0 })
  cost: string;
  /** Status before `settles_at`. */
  @Column('text')
  opens: string;
  /** Status from `settles_at` on. */
  @Column('text')
  ends: string;
  @Column('timestamptz', { name: 'settles_at' })
  settlesAt: Date;
  /** When the redeem codes become available. */
  @Column('timestamptz', { name: 'codes_at' })
  codesAt: Date;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
