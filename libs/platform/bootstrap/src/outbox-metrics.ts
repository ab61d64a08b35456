import type { StreamFill } from '@tollbridge/rpc';
import type { Metrics } from '@tollbridge/observability';
import type { Counter, Gauge } from 'prom-client';

/** How an app's outbox and stream are filled, by the replica that publishes; the gauges of the others are 0. */
export class OutboxMetrics {
  readonly published: Counter;
  readonly rejected: Counter;
  readonly backlog: Gauge;
  readonly heldBack: Gauge;
  private readonly bytes: Gauge;
  private readonly maxBytes: Gauge;
  private readonly fillRatio: Gauge;

  constructor(metrics: Metrics) {
    this.published = metrics.counter('tollbridge_events_published_total', 'Events published from the outbox');
    this.rejected = metrics.counter(
      'tollbridge_event_publish_failures_total',
      'Pages of events that the stream did not store or did not confirm; they are retried',
    );
    this.backlog = metrics.gauge(
      'tollbridge_outbox_backlog',
      'Events in the outbox that are not published yet',
    );
    this.heldBack = metrics.gauge(
      'tollbridge_outbox_held_back',
      '1 while publishing waits for a consumer because the stream is full of events that it has not acknowledged',
    );
    this.bytes = metrics.gauge('tollbridge_stream_bytes', 'Size of the event stream');
    this.maxBytes = metrics.gauge('tollbridge_stream_max_bytes', 'Bound of the event stream');
    this.fillRatio = metrics.gauge('tollbridge_stream_fill_ratio', 'Size of the event stream by its bound');
  }

  setFill({ bytes, maxBytes }: StreamFill): void {
    this.bytes.set(bytes);
    this.maxBytes.set(maxBytes);
    this.fillRatio.set(bytes / maxBytes);
  }

  /** Another replica publishes, and has the figures. */
  clear(): void {
    for (const gauge of [this.backlog, this.heldBack, this.bytes, this.maxBytes, this.fillRatio])
      gauge.set(0);
  }
}
