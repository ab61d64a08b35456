import type { EntityTarget, ObjectLiteral } from 'typeorm';

/** Which of this library's tables a schema has. */
export interface PlatformTables {
  /** Whether it has `outboxTables`; yes by default. */
  hasOutbox?: boolean;
  /** Whether it has `deadLetterRetries`; no by default. */
  hasDeadLetterRetries?: boolean;
  /** Whether it has `operatorActionsTable`; no by default. */
  hasAuditLog?: boolean;
  /** Whether it has `lockRowsTable`; no by default. */
  hasLockRows?: boolean;
}

/**
 * Entities of `outboxTables`, `idempotencyTable` and `leasesTable`. Imported when they are first needed, because an app
 * without a database does not load TypeORM.
 */
export async function databaseEntities({
  hasOutbox = true,
  hasDeadLetterRetries = false,
  hasAuditLog = false,
  hasLockRows = false,
}: PlatformTables = {}): Promise<EntityTarget<ObjectLiteral>[]> {
  const { IdempotencyKeyRow } = await import('../idempotency/idempotency.entity');
  const { LeaseRow } = await import('../leases/leases.entity');
  if (!hasOutbox) return [IdempotencyKeyRow, LeaseRow];
  const { OutboxRow, OutboxQueueRow, OutboxStreamRow } = await import('../outbox/outbox.entity');
  const { RetentionProgressRow } = await import('../retention/retention-progress.entity');
  const { InboxRow } = await import('../outbox/inbox.entity');
  const { DeadLetterRow, RetriedDeadLetterRow } = await import('../outbox/dead-letters.entity');
  const deadLetters = hasDeadLetterRetries ? RetriedDeadLetterRow : DeadLetterRow;
  const auditLog = hasAuditLog ? [(await import('../operator-actions.entity')).OperatorActionRow] : [];
  const locks = hasLockRows ? [(await import('../lock-rows.entity')).LockRow] : [];
  return [
    IdempotencyKeyRow,
    LeaseRow,
    OutboxRow,
    OutboxQueueRow,
    OutboxStreamRow,
    InboxRow,
    deadLetters,
    RetentionProgressRow,
    ...auditLog,
    ...locks,
  ];
}
