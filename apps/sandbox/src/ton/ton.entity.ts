import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

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
