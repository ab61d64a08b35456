import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The newest blocks of the EVM node that were indexed for the local Tron network. */
@Entity('tron_blocks')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
export class TronBlockEntity {
  @PrimaryColumn('bigint')
  height: string;
  /** Hash on the EVM node. */
  @Column('text')
  hash: string;
}

/** Transactions in the blocks of the local Tron network. */
@Entity('tron_transactions')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Index('tron_transactions_block_idx', ['blockHash'])
@Index('tron_transactions_execution_idx', ['execution'])
@Index('tron_transactions_owner_idx', ['owner', 'minedAt'])
@Index('tron_transactions_contract_idx', ['deployed'])
export class TronTransactionEntity {
  @PrimaryColumn('text')
  id: string;
  @Column('bigint')
  height: string;
  /** Hash on the EVM node. */
  @Column('text', { name: 'block_hash' })
  blockHash: string;
  @Column('timestamptz', { name: 'mined_at' })
  minedAt: Date;
  /** The hash of the execution on the EVM node; null without an execution. */
  @Column('text', { nullable: true })
  execution: string | null;
  @Column('text')
  owner: string;
  /** The contract that the transaction deployed; null for other transactions. */
  @Column('text', { nullable: true })
  deployed: string | null;
  /** Bytes that the account sent without a fee. */
  @Column('bigint', { name: 'free_bytes' })
  freeBytes: string;
  /** The transaction with its result and logs. */
  @Column('json')
  body: object;
}
