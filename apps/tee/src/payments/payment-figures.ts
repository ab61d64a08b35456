import { Injectable } from '@nestjs/common';
import type { Outcome } from '@tollbridge/nanopay-protocol';
import { Metrics } from '@tollbridge/observability';

// Enough values for the 99th percentile.
const keptDurations = 1_024;

/** Counters since the start, and durations of the last thousand payments. */
@Injectable()
export class PaymentFigures {
  captured = 0;
  rejected = 0;
  private readonly durationsMs = new Float64Array(keptDurations);
  private counted = 0;
  private readonly answered;
  private readonly counters = new Map<string, { inc(): void }>();

  constructor(metrics: Metrics) {
    this.answered = metrics.counter(
      'tollbridge_nano_payments_total',
      'Nano-payments answered by the payment ledger service, by outcome',
      ['outcome'],
    );
    this.answered.inc({ outcome: 'captured' }, 0);
  }

  count(outcome: Outcome, durationMs: number): void {
    const { status } = outcome;
    if (status === 'captured') this.captured++;
    if (status === 'rejected') this.rejected++;
    this.durationsMs[this.counted++ % keptDurations] = durationMs;
    const name = status === 'rejected' ? outcome.reason : status;
    // Looking up a counter by its labels costs more than counting (row `tollbridge: paid`).
    let counter = this.counters.get(name);
    if (!counter) this.counters.set(name, (counter = this.answered.labels(name)));
    counter.inc();
  }

  /** Returns milliseconds, over the last thousand payments. */
  percentileMs(share: number): number {
    const sorted = this.durationsMs.slice(0, Math.min(this.counted, keptDurations)).sort();
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }
}
