import { Check, Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { PersonalData } from '../retention/personal-data';
import { keep, pruneAlong, Retention, swept } from '../retention/retention';

/** An event, written in the transaction of the change that it describes. Never updated. */
@Entity('outbox')
@PersonalData({ columns: ['payload'] })
@Retention(
  pruneAlong({
    days: 'RETENTION_OUTBOX_DAYS',
    column: 'created_at',
    key: 'seq',
    keyType: 'bigint',
    // Unpublished rows stay.
    where: 'NOT EXISTS (SELECT FROM outbox_queue q WHERE q.seq = t.seq)',
    rule: 'published events; a lost stream is refilled with those that are left',
  }),
)
@Index('outbox_aggregate', ['aggregate_id', 'seq'])
@Check('outbox_payload_fits', 'octet_length(payload::text) <= 1000000')
export class OutboxRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  seq: string;
  /** Id of the event and of its message on the bus. */
  @Column('uuid')
  id: string;
  @Column('text')
  subject: string;
  @Column('text')
  aggregate_id: string;
  @Column('json')
  payload: unknown;
  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}

/** An unpublished event. A trigger of `outbox` inserts the row. */
@Entity('outbox_queue')
@Retention(swept({ by: 'OutboxRelay', rule: 'deleted as soon as the stream has the event' }))
export class OutboxQueueRow {
  @PrimaryColumn('bigint')
  seq: string;
}

/** The single row of `outbox_stream`, which identifies the stream with the published events. */
@Entity('outbox_stream')
@Retention(keep('one row'))
@Check('outbox_stream_singleton_check', 'singleton')
export class OutboxStreamRow {
  @PrimaryColumn('boolean', { default: true })
  singleton: boolean;
  /** Creation time of the stream, which identifies it; null before the first stream. */
  @Column('text', { nullable: true })
  created_at: string | null;
  /** Last `seq` that a rebuild has published; null when no rebuild is in progress. */
  @Column('bigint', { nullable: true })
  rebuilt_seq: string | null;
}
