import { Injectable } from '@nestjs/common';
import type { BlockRef } from '@tollbridge/chain-port';
import { Metrics } from '@tollbridge/observability';
import type { Counter, Gauge, Histogram } from 'prom-client';

// The buckets range from the block time of the fastest chains to an outage of an hour.
const delayBuckets = [0.5, 1, 2.5, 5, 10, 15, 30, 60, 120, 300, 900, 3_600];

/** Metrics of the progress on each chain. Only the replica that watches a chain exports them. */
@Injectable()
export class ChainFigures {
  private readonly polledAt: Gauge<'chain'>;
  private readonly headAge: Gauge<'chain'>;
  private readonly lag: Gauge<'chain'>;
  private readonly delays: Histogram<'chain'>;
  private readonly mismatches: Counter<'chain'>;

  constructor(metrics: Metrics) {
    const labels = ['chain'] as const;
    this.polledAt = metrics.gauge(
      'tollbridge_chain_polled_timestamp_seconds',
      'When the head of the chain was last read',
      labels,
    );
    this.headAge = metrics.gauge(
      'tollbridge_chain_head_lag_seconds',
      'Age of the newest block of the chain when it was read',
      labels,
    );
    this.lag = metrics.gauge(
      'tollbridge_chain_scan_lag_blocks',
      'Blocks of the chain that are not applied yet',
      labels,
    );
    this.delays = metrics.histogram(
      'tollbridge_order_settle_delay_seconds',
      'Time from the block with the last required confirmation to the settlement of an order',
      labels,
      delayBuckets,
    );
    this.mismatches = metrics.counter(
      'tollbridge_payments_mismatched_total',
      'Payments on the chain that do not match their order',
      labels,
    );
  }

  /** Registers a chain that this process may watch. */
  add(chain: string): void {
    this.delays.zero({ chain });
    this.mismatches.inc({ chain }, 0);
  }

  read(chain: string, head: BlockRef, appliedHeight: number | undefined, nowMs: number): void {
    this.polledAt.set({ chain }, nowMs / 1000);
    this.headAge.set({ chain }, Math.max(0, nowMs - head.timeMs) / 1000);
    if (appliedHeight !== undefined) this.lag.set({ chain }, Math.max(0, head.height - appliedHeight));
  }

  /** @param confirmedBy the first block of the update, so that the delay is never reported too short */
  settled(chain: string, orders: number, confirmedBy: BlockRef, nowMs: number): void {
    const seconds = Math.max(0, nowMs - confirmedBy.timeMs) / 1000;
    for (let each = 0; each < orders; each++) this.delays.observe({ chain }, seconds);
  }

  mismatched(chain: string, payments: number): void {
    if (payments > 0) this.mismatches.inc({ chain }, payments);
  }

  /** Removes the metrics of a chain that another replica watches now. */
  clear(chain: string): void {
    for (const gauge of [this.polledAt, this.headAge, this.lag]) gauge.remove({ chain });
  }
}
