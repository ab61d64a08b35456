import { Injectable } from '@nestjs/common';
import type { Outcome } from '@tollbridge/nanopay-protocol';
import { Metrics } from '@tollbridge/observability';

// Enough for the slowest hundredth to be one.
const keptDurations = 1_024;

/** What was done since the start, and how long the last thousand took. */
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
      'Nano-payments answered by the enclave',
      ['outcome'],
    );
  }

  count(outcome: Outcome, durationMs: number): void {
    const { status } = outcome;
    if (status === 'captured') this.captured++;
    if (status === 'refused') this.rejected++;
    this.durationsMs[this.counted++ % keptDurations] = durationMs;
    const name = status === 'refused' ? outcome.reason : status;
    // To find a counter by its labels costs more than to count.
    let counter = this.counters.get(name);
    if (!counter) this.counters.set(name, (counter = this.answered.labels(name)));
    counter.inc();
  }

  /** Milliseconds, of the last thousand. */
  percentileMs(share: number): number {
    const sorted = this.durationsMs.slice(0, Math.min(this.counted, keptDurations)).sort();
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }
}
