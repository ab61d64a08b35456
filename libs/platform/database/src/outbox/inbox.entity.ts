import { Column, Entity, PrimaryColumn } from 'typeorm';
import { pruneBelow, Retention } from '../retention/retention';

/** An event of another service that a consumer has handled. */
@Entity('inbox')
@Retention(
  pruneBelow({
    days: 'RETENTION_INBOX_DAYS',
    column: 'handled_at',
    groupBy: 'consumer',
    orderBy: 'event_id',
    isUuidV7: true,
    rule: 'longer than any outbox row stays, so a refilled stream repeats no effect',
  }),
)
export class InboxRow {
  @PrimaryColumn('text')
  consumer: string;
  @PrimaryColumn('uuid')
  event_id: string;
  @Column('timestamptz', { default: () => 'now()' })
  handled_at: Date;
}
