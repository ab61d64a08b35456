import { Retention, swept } from '@tollbridge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A position to be posted when a halted ledger resumes. */
@Entity('ledger_waiting')
@Retention(swept({ by: 'LedgerWorker', rule: 'when postings to the ledger resume' }))
export class LedgerWaitingEntity {
  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @PrimaryColumn({ type: 'text' })
  readonly reference: string;

  @Column({ type: 'integer' })
  readonly version: number;

  @Column({ type: 'timestamptz', name: 'occurred_at' })
  readonly occurredAt: Date;

  @Column({ type: 'json' })
  readonly position: unknown;
}
