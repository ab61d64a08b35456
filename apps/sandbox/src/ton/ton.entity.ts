import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** State of the local TON network, in its only row. */
@Entity('ton_chain')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Check('ton_chain_id_check', 'id')
export class TonChainEntity {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;
  @Column('timestamptz', { name: 'genesis_at' })
  genesisAt: Date;
  /** Largest logical time that was assigned. */
  @Column('numeric', { precision: 20, scale: 0 })
  lt: string;
}

/** State of each TON account. */
@Entity('ton_accounts')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
export class TonAccountEntity {
  @PrimaryColumn('text')
  address: string;
  /** Bag of cells in base64, as the emulator reads and writes it. */
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

/** Where each transaction is: its block and its trace. */
@Entity('ton_places')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Index('ton_places_hash', ['hash'])
@Index('ton_places_trace', ['trace'])
// TypeORM declares no GIN index.
@Index('ton_places_message_hashes', { synchronize: false })
export class TonPlaceEntity {
  @PrimaryColumn('text')
  account: string;
  @PrimaryColumn('numeric', { precision: 20, scale: 0 })
  lt: string;
  @Column('text')
  hash: string;
  /** Masterchain block that contains it. */
  @Column('integer')
  seqno: number;
  /** Hash of the first transaction of its trace. */
  @Column('text')
  trace: string;
  /** Hashes of the incoming message: as sent and, of an external message, normalised (TEP-467). */
  @Column('text', { name: 'message_hashes', array: true })
  messageHashes: string[];
}
