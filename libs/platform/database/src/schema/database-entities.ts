import type { EntityTarget, ObjectLiteral } from 'typeorm';

/** Tables of this library that a schema contains. */
export interface PlatformTables {
  /** Whether the schema has `outboxTables`; true by default. */
  hasOutbox?: boolean;
  /** Whether the schema has `deadLetterRetries`; false by default. */
  hasDeadLetterRetries?: boolean;
  /** Whether the schema has `operatorActionsTable`; false by default. */
  hasAuditLog?: boolean;
  /** Whether the schema has `lockRowsTable`; false by default. */
  hasLockRows?: boolean;
}

/**
 * Returns the entities of this library for a schema. They are imported at the first call, because an app
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
