import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** When a segment of a ledger was verified, and when it is due again. */
@Entity('ledger_checks')
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
