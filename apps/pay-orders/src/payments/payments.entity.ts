import { keep, Retention, swept } from '@tollbridge/database';
import type { PaymentFields } from '@tollbridge/chain-port';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A row of `payments`: a contract payment with the id of a known order, matching or not. */
@Entity('payments')
@Retention(keep('money record: every event of the payment contract'))
@Index('payments_order', ['order_id'])
@Index('payments_height', ['chain', 'height'])
@Index('payments_tx', ['chain', 'tx_hash'])
export class PaymentRow {
  @PrimaryColumn('text')
  chain: string;
  @PrimaryColumn('text')
  block_hash: string;
  @PrimaryColumn('integer')
  log_index: number;
  @Column('text')
  tx_hash: string;
  @Column('bigint')
  height: string;
  @Column('uuid')
  order_id: string;
  @Column('text')
  order_hash: string;
  @Column('text')
  payer: string;
  @Column('json')
  fields: PaymentFields;
  /** The differences from the order; null for a matching payment. */
  @Column('text', { nullable: true })
  mismatch: string | null;
  /** Whether its block has left the chain. */
  @Column('boolean', { default: false })
  removed: boolean;
  @Column('timestamptz', { default: () => 'now()' })
  seen_at: Date;
}

/** A row of `chain_blocks`: one of the newest blocks that were read. Their hashes reveal reorganisations. */
@Entity('chain_blocks')
@Retention(swept({ by: 'PaymentsRepository', rule: 'blocks below the final depth' }))
export class ChainBlockRow {
  @PrimaryColumn('text')
  chain: string;
  @PrimaryColumn('bigint')
  height: string;
  @Column('text')
  hash: string;
  @Column('text')
  parent_hash: string;
  /** In Unix seconds. */
  @Column('bigint')
  timestamp: string;
}

/** A row of `chain_positions`: the position up to where a chain was read. */
@Entity('chain_positions')
@Retention(keep('a row for each chain'))
export class ChainPositionRow {
  @PrimaryColumn('text')
  chain: string;
  @Column('bigint')
  height: string;
  /** The time of that block. Every payment up to this time, by the chain's own clock, was read. */
  @Column('timestamptz', { nullable: true })
  synced_at: Date | null;
}
