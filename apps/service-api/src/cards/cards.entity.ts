import type { CardState } from '@tollbridge/contracts';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { IssuerName } from './card';

/** The owner of a card. Only the last four digits of its number are stored, and never its security code. */
@Entity('cards')
@Unique('cards_issuer_issuer_card_id_key', ['issuer', 'issuer_card_id'])
// TypeORM cannot express a descending column.
@Index('cards_wallet', { synchronize: false })
export class CardRow {
  /** The id of its purchase. */
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  wallet: string;
  @Column('text')
  issuer: IssuerName;
  @Column('text')
  issuer_card_id: string;
  @Column('integer')
  amount_cents: number;
  @Column('text')
  state: CardState;
  @Column('text', { nullable: true })
  last_four: string | null;
  @Column('timestamptz')
  created_at: Date;
  @Column('timestamptz')
  updated_at: Date;
}
