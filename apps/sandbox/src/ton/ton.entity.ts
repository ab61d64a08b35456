import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The state of the local TON network, in a single row. */
@Entity('ton_chain')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Check('ton_chain_id_check', 'id')
export class TonChainEntity {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;
  @Column('timestamptz', { name: 'genesis_at' })
  genesisAt: Date;
  /** Highest assigned logical time. */
  @Column('numeric', { precision: 20, scale: 0 })
  lt: string;
}

/** State of each TON account. */
@Entity('ton_accounts')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
export class TonAccountEntity {
  @PrimaryColumn('text')
  address: string;
  /** Bag of cells in base64, in the format of the emulator. */
  @Column('text', { name: 'shard_account' })
  shardAccount: string;
}

/** Transactions of the local TON network. */
@Entity('ton_transactions')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
export class TonTransactionEntity {
  @PrimaryColumn('text')
  account: string;
  @PrimaryColumn('numeric', { precision: 20, scale: 0 })
  lt: string;
  @Column('text')
  hash: string;
  @Column('text')
  boc: string;
}

/** The block and the trace of each transaction. */
@Entity('ton_places')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Index('ton_places_hash', ['hash'])
@Index('ton_places_trace', ['trace'])
// TypeORM cannot declare a GIN index.
@Index('ton_places_message_hashes', { synchronize: false })
export class TonPlaceEntity {
  @PrimaryColumn('text')
  account: string;
  @PrimaryColumn('numeric', { precision: 20, scale: 0 })
  lt: string;
  @Column('text')
  hash: string;
  /** Masterchain block that contains the transaction. */
  @Column('integer')
  seqno: number;
  /** Hash of the first transaction of its trace. */
  @Column('text')
  trace: string;
  /** Hashes of the incoming message: as sent and, for an external message, normalised (TEP-467). */
  @Column('text', { name: 'message_hashes', array: true })
  messageHashes: string[];
}
