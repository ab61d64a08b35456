/**
 * Table of the pruner's progress, one row for each pruned table. Pruned tables are vacuumed early, so that
 * the space of deleted rows is reused before the table grows.
 */
export const retentionTables = `
  CREATE TABLE retention_progress (
    table_name text PRIMARY KEY,
    -- Key of the last row that was visited; null at the start of a pass.
    position text,
    started_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    -- Rows with an earlier time may be gone.
    pruned_until timestamptz,
    pruned_rows bigint NOT NULL DEFAULT 0
  );
  ${vacuumEarly('outbox')}
  ${vacuumEarly('inbox')}
`;

export const dropRetentionTables = `
  ALTER TABLE outbox RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
  ALTER TABLE inbox RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
  DROP TABLE retention_progress;
`;

/** Returns a statement that lets autovacuum run after 10,000 dead rows, regardless of the size of the table. */
export function vacuumEarly(table: string): string {
  return `ALTER TABLE ${table} SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);`;
}
