import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** When a segment of a ledger was verified, and when it is due again. */
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
