import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The one row that every commit updates: fencing epoch, end of the receipt chain, and the deployment. */
@Entity('ledger')
@Retention(keep('one row: the head of the ledger'))
@Check('ledger_singleton_check', 'singleton')
@Check('ledger_head_check', 'octet_length(head) = 32')
export class LedgerRow {
  @PrimaryColumn('boolean', { default: true })
  singleton: boolean;
  @Column('bigint', { default: 0 })
  epoch: string;
  @Column('bigint', { default: 0 })
  seq: string;
  @Column('bigint', { default: 0 })
  charges: string;
  @Column('bytea', { default: () => `'\\x${'00'.repeat(32)}'` })
  head: Buffer;
  @Column('integer', { nullable: true })
  network_id: number | null;
  @Column('text', { nullable: true })
  verifying_contract: string | null;
  @Column('text', { nullable: true })
  asset: string | null;
}
