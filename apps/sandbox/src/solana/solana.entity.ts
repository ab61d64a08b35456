import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The state of the local Solana network, in a single row. */
@Entity('solana_chain')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Check('solana_chain_id_check', 'id')
export class SolanaChainEntity {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;
  @Column('timestamptz', { name: 'genesis_at' })
  genesisAt: Date;
}

/** State of each Solana account. */
@Entity('solana_accounts')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
export class SolanaAccountEntity {
  @PrimaryColumn('text')
  address: string;
  @Column('numeric', { precision: 20, scale: 0 })
  lamports: string;
  @Column('text')
  owner: string;
  @Column('bytea')
  data: Buffer;
  @Column('boolean')
  executable: boolean;
}

/** Transactions of the local Solana network. */
@Entity('solana_transactions')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Index('solana_transactions_signature', ['signature'], { unique: true })
@Index('solana_transactions_addresses', { synchronize: false })
export class SolanaTransactionEntity {
  @PrimaryColumn('bigint')
  slot: string;
  /** Position within the slot's transactions. */
  @PrimaryColumn('integer')
  position: number;
  @Column('text')
  signature: string;
  @Column('bytea')
  wire: Buffer;
  @Column('json')
  meta: object;
  @Column('text', { array: true })
  addresses: string[];
}
