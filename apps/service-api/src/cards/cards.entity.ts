import { keep, Retention } from '@tollbridge/database';
import type { CardState } from '@tollbridge/contracts';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { IssuerName } from './card';

/** The owner of a card. Only the last four digits of its number are stored, and never its security code. */
@Entity('cards')
@Retention(keep('binds a card of the issuer to its owner'))
@Unique('cards_issuer_issuer_card_id_key', ['issuer', 'issuer_card_id'])
// TypeORM cannot express a descending column.
@Index('cards_wallet', { synchronize: false })
@Check('cards_wallet_check', "wallet <> ''")
@Check('cards_issuer_check', "issuer IN ('lithic', 'laso')")
@Check('cards_issuer_card_id_check', 'length(issuer_card_id) BETWEEN 1 AND 128')
@Check('cards_amount_cents_check', 'amount_cents > 0')
@Check('cards_state_check', "state IN ('pending', 'open', 'paused', 'closed')")
@Check('cards_last_four_check', "last_four ~ '^[0-9]{4}$'")
@Check('cards_times', 'updated_at >= created_at')
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
