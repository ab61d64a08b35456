import { Retention, swept } from '@tollbridge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A target position in the queue of a halted ledger, posted when the ledger resumes. */
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
