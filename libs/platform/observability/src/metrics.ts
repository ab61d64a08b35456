import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

// From a fraction of the fastest reply to the time-out of a call.
const secondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

// Every measurement wakes the process: the default of 10 ms caused most of the CPU time of an idle app (`npm run bench:idle`).
// Reported lags include this interval.
const eventLoopIntervalMs = 100;

/** One app's metrics, in Prometheus' text format at `/metrics` of its management port. */
export class Metrics {
  readonly registry = new Registry();

  constructor(app: string) {
    this.registry.setDefaultLabels({ app });
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: eventLoopIntervalMs });
  }

  /** @param buckets upper bounds; of seconds by default */
  histogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: number[] = secondsBuckets,
  ): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  gauge<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}
