import { PersonalData, pruneAlong, Retention } from '@tollbridge/database';
import type { WebhookStatus, WebhookType } from '@tollbridge/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A webhook message with its schedule and its last attempts. */
@Entity('webhook_messages')
@PersonalData({ columns: ['payload', 'log'] })
@Retention(
  pruneAlong({
    days: 'RETENTION_WEBHOOK_MESSAGES_DAYS',
    column: 'created_at',
    key: 'id',
    keyType: 'text',
    // A message that is still retried, or was replayed, is not deleted.
    where: 'next_attempt_at IS NULL',
    rule: 'delivered and exhausted messages; they can be listed and replayed until then',
  }),
)
// TypeORM cannot describe indexes with descending or INCLUDE columns, so the migrations create them.
@Index('webhook_messages_old', ['scheduleFrom'], { where: 'next_attempt_at IS NOT NULL' })
@Index('webhook_messages_queue', ['wallet', 'nextAttemptAt', 'id'], { where: 'next_attempt_at IS NOT NULL' })
@Index('webhook_messages_status', { synchronize: false })
@Index('webhook_messages_type', { synchronize: false })
@Index('webhook_messages_wallet', { synchronize: false })
@Check('webhook_messages_payload_check', 'octet_length(payload) <= 1000000')
@Check('webhook_messages_status_check', "status = ANY (ARRAY['pending', 'delivered', 'failing', 'parked'])")
@Check(
  'webhook_messages_waiting',
  "(next_attempt_at IS NULL) = (status = ANY (ARRAY['delivered', 'parked']))",
)
export class WebhookMessageEntity {
  @PrimaryColumn({ type: 'text' })
  readonly id: string;

  @Column({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'text' })
  readonly type: WebhookType;

  @Column({ type: 'text' })
  readonly payload: string;

  @Column({ type: 'text', default: 'pending' })
  readonly status: WebhookStatus;

  @Column({ type: 'integer', default: 0 })
  readonly attempts: number;

  @Column({ type: 'jsonb', default: () => "'[]'" })
  readonly log: unknown;

  @Column({ type: 'timestamptz', name: 'schedule_from' })
  readonly scheduleFrom: Date;

  @Column({ type: 'integer', name: 'schedule_attempts', default: 0 })
  readonly scheduleAttempts: number;

  @Column({ type: 'integer', default: 0 })
  readonly replays: number;

  @Column({ type: 'timestamptz', name: 'next_attempt_at', nullable: true })
  readonly nextAttemptAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  readonly createdAt: Date;

  /** The W3C trace context of the change; null when it is unknown. */
  @Column({ type: 'text', nullable: true })
  readonly traceparent: string | null;
}
