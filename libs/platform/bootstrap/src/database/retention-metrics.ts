import type { Metrics } from '@tollbridge/observability';
import type { Counter, Gauge } from 'prom-client';

/** Metrics of the pruner. The gauge is present in the replica that pruned the table last. */
export class RetentionMetrics {
  private readonly deleted: Counter<'table'>;
  private readonly oldestDue: Gauge<'table'>;

  constructor(metrics: Metrics) {
    this.deleted = metrics.counter(
      'tollbridge_retention_deleted_rows_total',
      'Rows past their period that the pruner deleted, or cleared of personal data',
      ['table'],
    );
    this.oldestDue = metrics.gauge(
      'tollbridge_retention_oldest_due_seconds',
      'Overdue time of the oldest row past its retention period; 0 when no row is overdue; absent where another replica prunes',
      ['table'],
    );
  }

  begin(table: string): void {
    this.deleted.inc({ table }, 0);
  }

  pruned(table: string, rows: number, overdueMs: number): void {
    this.deleted.inc({ table }, rows);
    this.oldestDue.set({ table }, overdueMs / 1_000);
  }

  /** Reports the time without a successful run as a lower bound of the age of the oldest due row. */
  failing(table: string, forMs: number): void {
    this.oldestDue.set({ table }, forMs / 1_000);
  }

  standby(table: string): void {
    this.oldestDue.remove({ table });
  }
}
