import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

const untilFresh = 'sandbox data: `npm start -- --fresh` deletes it';

/** The state of the local Sui network, in a single row. */
@Entity('sui_chain')
@Retention(keep(untilFresh))
@Check('sui_chain_id_check', 'id')
export class SuiChainEntity {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;
  @Column('timestamptz', { name: 'genesis_at' })
  genesisAt: Date;
}

/** Live objects of the local Sui network. */
@Entity('sui_objects')
@Retention(keep(untilFresh))
@Index('sui_objects_owner', ['owner', 'type'])
export class SuiObjectEntity {
  @PrimaryColumn('text')
  id: string;
  @Column('bigint')
  version: string;
  @Column('text')
  digest: string;
  @Column('text', { name: 'owner_kind' })
  ownerKind: string;
  @Column('text', { nullable: true })
  owner: string | null;
  @Column('bigint', { name: 'shared_at', nullable: true })
  sharedAt: string | null;
  @Column('text')
  type: string;
  @Column('bytea')
  contents: Buffer;
  @Column('text', { name: 'previous_transaction' })
  previousTransaction: string;
}

/** Transactions of the local Sui network. */
@Entity('sui_transactions')
@Retention(keep(untilFresh))
@Unique('sui_transactions_digest_key', ['digest'])
export class SuiTransactionEntity {
  @PrimaryColumn('bigint')
  sequence: string;
  @Column('text')
  digest: string;
  @Column('bigint')
  checkpoint: string;
  @Column('bytea', { name: 'transaction_data' })
  transactionData: Buffer;
  @Column('text', { array: true })
  signatures: string[];
  @Column('bytea')
  effects: Buffer;
  @Column('jsonb')
  outcome: object;
}

/** Events of the local Sui network. */
@Entity('sui_events')
@Retention(keep(untilFresh))
@Index('sui_events_type', ['type', 'sequence', 'position'])
export class SuiEventEntity {
  @PrimaryColumn('bigint')
  sequence: string;
  @PrimaryColumn('integer')
  position: number;
  @Column('bigint')
  checkpoint: string;
  @Column('text')
  type: string;
  @Column('bytea')
  contents: Buffer;
}
