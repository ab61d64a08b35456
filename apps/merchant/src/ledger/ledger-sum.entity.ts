import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The sums of one segment of a ledger. */
@Entity('ledger_sums')
@Retention(keep('sums of the ledger'))
export class LedgerSumEntity {
  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @PrimaryColumn({ type: 'bigint' })
  readonly segment: string;

  @PrimaryColumn({ type: 'text' })
  readonly chain: string;

  @PrimaryColumn({ type: 'text' })
  readonly token: string;

  @Column({ type: 'numeric' })
  readonly debits: string;

  @Column({ type: 'numeric' })
  readonly credits: string;

  @Column({ type: 'numeric' })
  readonly received: string;

  @Column({ type: 'numeric' })
  readonly fees: string;

  @Column({ type: 'numeric' })
  readonly refunds: string;

  @Column({ type: 'bigint' })
  readonly entries: string;

  @Column({ type: 'bigint' })
  readonly transactions: string;
}
