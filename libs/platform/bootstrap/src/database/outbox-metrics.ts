import { Injectable } from '@nestjs/common';
import type { StreamFill, Unacknowledged } from '@tollbridge/rpc';
import { Metrics } from '@tollbridge/observability';
import type { Counter, Gauge } from 'prom-client';

/** Metrics of an app's outbox and stream. Only the publishing replica sets the gauges. */
@Injectable()
export class OutboxMetrics {
  readonly published: Counter;
  readonly rejected: Counter;
  private readonly heldBack: Gauge;
  private readonly waiting: Gauge;
  private readonly oldest: Gauge;
  private readonly lag: Gauge<'consumer'>;
  private readonly bytes: Gauge;
  private readonly maxBytes: Gauge;
  private readonly fillRatio: Gauge;
  /** 1 while NATS rejects a change of the stream, for example more replicas than the cluster has servers. */
  readonly updateRejected: Gauge;
  private readonly unacknowledgedRatio: Gauge<'consumer'>;

  constructor(metrics: Metrics) {
    this.published = metrics.counter(
      'messaging_client_sent_messages_total',
      'Events published from the outbox',
    );
    this.rejected = metrics.counter(
      'tollbridge_event_publish_failures_total',
      'Pages of events that the stream did not store or did not confirm; they are retried',
    );
    this.waiting = metrics.gauge(
      'tollbridge_outbox_waiting',
      'Events in the outbox that are not published yet',
    );
    this.oldest = metrics.gauge('tollbridge_outbox_oldest_seconds', 'Age of the oldest of them');
    this.heldBack = metrics.gauge(
      'tollbridge_outbox_held_back',
      '1 while publishing waits for a consumer because the stream is full of events that it has not acknowledged',
    );
    this.lag = metrics.gauge(
      'tollbridge_consumer_lag',
      'Events of the stream that a durable consumer has not acknowledged',
      ['consumer'],
    );
    this.bytes = metrics.gauge('tollbridge_stream_bytes', 'Size of the event stream');
    this.maxBytes = metrics.gauge('tollbridge_stream_max_bytes', 'Bound of the event stream');
    this.fillRatio = metrics.gauge('tollbridge_stream_fill_ratio', 'Size of the event stream by its bound');
    this.updateRejected = metrics.gauge(
      'tollbridge_stream_update_rejected',
      '1 while NATS rejects a change of the event stream that the settings ask for',
    );
    this.unacknowledgedRatio = metrics.gauge(
      'tollbridge_stream_unacknowledged_ratio',
      'Share of the usable size of the stream that a durable consumer has not acknowledged; at 1 publishing waits for it',
      ['consumer'],
    );
    // A gauge without labels starts at 0. A replica that does not publish must not report this value.
    this.clear();
  }

  setBacklog(rows: number, oldestMs: number): void {
    this.waiting.set(rows);
    this.oldest.set(oldestMs / 1000);
  }

  setHeldBack(isHeldBack: boolean): void {
    this.heldBack.set(isHeldBack ? 1 : 0);
  }

  setFill({ bytes, maxBytes }: StreamFill): void {
    this.bytes.set(bytes);
    this.maxBytes.set(maxBytes);
    this.fillRatio.set(bytes / maxBytes);
  }

  setUnacknowledged(unacknowledged: readonly Unacknowledged[]): void {
    // Removes the series of consumers that were deleted.
    this.lag.reset();
    this.unacknowledgedRatio.reset();
    for (const { consumer, events, ratio } of unacknowledged) {
      this.lag.set({ consumer }, events);
      this.unacknowledgedRatio.set({ consumer }, ratio);
    }
  }

  /** Removes the gauges, because another replica publishes and reports them. */
  clear(): void {
    const { waiting, oldest, heldBack, bytes, maxBytes, fillRatio, updateRejected } = this;
    for (const gauge of [waiting, oldest, heldBack, bytes, maxBytes, fillRatio, updateRejected])
      gauge.remove();
    this.setUnacknowledged([]);
  }
}
