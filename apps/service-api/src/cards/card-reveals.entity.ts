import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { CardRow } from './cards.entity';

/** Audit record of each reveal of card numbers. A trigger rejects updates and deletes. */
@Entity('card_reveals')
@Retention(keep('an audit log: rows are only added'))
@Index('card_reveals_card', ['card_id', 'shown_at'])
export class CardRevealRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;
  @Column('uuid')
  card_id: string;
  @ManyToOne(() => CardRow, { nullable: false })
  @JoinColumn({ name: 'card_id', foreignKeyConstraintName: 'card_reveals_card_id_fkey' })
  card?: CardRow;
  @Column('text')
  wallet: string;
  @Column('uuid', { nullable: true })
  key_id: string | null;
  @Column('text')
  request_id: string;
  @Column('timestamptz')
  shown_at: Date;
}
