import type { Metrics } from '@tollbridge/observability';
import { SpanKind, startChildSpan } from '@tollbridge/observability';
import type { StatementMeter } from '@tollbridge/database';
import type { Histogram } from 'prom-client';
import type { Pool } from 'pg';

// Fewer buckets than for calls, because each statement has a series for each bucket.
const buckets = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 15];
// Statement names are constants of the code. More names than this mean that a name contains input.
const maxStatements = 1_000;

type Observer = Histogram.Internal<'db_query_summary'>;

/** Duration metrics of an app's statements and metrics of its pool, with the metric names of OpenTelemetry. */
export class DatabaseMetrics implements StatementMeter {
  private readonly seconds: Histogram<'db_query_summary'>;
  private readonly waits: Histogram;
  private readonly observers = new Map<string, Observer>();
  private pool: Pool | undefined;

  constructor(
    metrics: Metrics,
    private readonly app: string,
  ) {
    this.seconds = metrics.histogram(
      'db_client_operation_duration_seconds',
      'Time of a statement, by its name',
      ['db_query_summary'],
      buckets,
    );
    this.waits = metrics.histogram(
      'db_client_connection_wait_time_seconds',
      'Time that a caller waited for a connection, where the pool had none free',
      [],
      buckets,
    );
    const state = 'db_client_connection_state';
    metrics.gauge('db_client_connection_count', 'Connections of the pool', [state], (gauge) => {
      const { totalCount = 0, idleCount = 0 } = this.pool ?? {};
      gauge.set({ [state]: 'idle' }, idleCount);
      gauge.set({ [state]: 'used' }, totalCount - idleCount);
    });
    metrics.gauge('db_client_connection_max', 'Most connections of the pool', [], (gauge) =>
      gauge.set(this.pool?.options.max ?? 0),
    );
    metrics.gauge(
      'db_client_connection_pending_requests',
      'Callers that wait for a connection',
      [],
      (gauge) => gauge.set(this.pool?.waitingCount ?? 0),
    );
  }

  observePool(pool: Pool): void {
    this.pool = pool;
  }

  observe(statement: string, seconds: number): void {
    const observer = this.observers.get(statement) ?? this.add(statement);
    observer.observe(seconds);
  }

  trace(statement: string): ReturnType<NonNullable<StatementMeter['trace']>> {
    const span = startChildSpan(statement, SpanKind.CLIENT, {
      'db.system.name': 'postgresql',
      'db.namespace': this.app,
      'db.query.summary': statement,
    });
    return span && ((failure) => span.end({}, failure));
  }

  readonly onWaited = (seconds: number): void => this.waits.observe(seconds);

  private add(statement: string): Observer {
    const observer = this.seconds.labels(this.observers.size < maxStatements ? statement : 'other');
    this.observers.set(statement, observer);
    return observer;
  }
}
