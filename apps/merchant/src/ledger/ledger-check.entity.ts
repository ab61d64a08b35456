import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The time of the last verification of a ledger segment, and of the next one. */
@Entity('ledger_checks')
@Retention(keep('a row for each 5,000 transactions'))
@Index('ledger_checks_due', ['checkAt'])
export class LedgerCheckEntity {
  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @PrimaryColumn({ type: 'bigint' })
  readonly segment: string;

  @Column({ type: 'timestamptz', name: 'checked_at', nullable: true })
  readonly checkedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'check_at' })
  readonly checkAt: Date;
}
