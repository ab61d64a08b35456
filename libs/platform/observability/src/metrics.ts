import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type RegistryContentType,
} from 'prom-client';
import { buildInfo } from './build-info';

// Buckets from a fraction of the fastest reply to the time-out of a call, in seconds.
const secondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

// Every measurement wakes the process. The default of 10 ms caused most of the CPU time of an idle app (`npm
// run bench:idle`). Reported lags include this interval.
const eventLoopIntervalMs = 100;

/** Metrics of one app, served at `/metrics` of its management port as Prometheus text or OpenMetrics. */
export class Metrics {
  readonly registry = new Registry<RegistryContentType>();
  private readonly refreshes: (() => Promise<void>)[] = [];
  private rendering: Promise<unknown> = Promise.resolve();

  constructor(app: string) {
    this.registry.setDefaultLabels({ app });
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: eventLoopIntervalMs });
    const { version, commit, node } = buildInfo();
    this.gauge('tollbridge_build_info', 'Always 1; which build runs', ['version', 'commit', 'node']).set(
      { version, commit, node },
      1,
    );
  }

  /**
   * @param buckets upper bounds, by default in seconds
   * @returns a histogram to observe through its children (`labels`)
   */
  histogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: readonly number[] = secondsBuckets,
  ): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [this.registry] });
  }

  /** Same as `histogram`, with exemplars: trace ids of single observations (`observeTraced`). */
  tracedHistogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: readonly number[] = secondsBuckets,
  ): Histogram<L> {
    // prom-client accepts exemplars only while the registry has this content type.
    this.registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    try {
      const options = { name, help, labelNames, buckets: [...buckets], registers: [this.registry] };
      return new Histogram({ ...options, enableExemplars: true });
    } finally {
      this.registry.setContentType(Registry.PROMETHEUS_CONTENT_TYPE);
    }
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** @param collect sets the gauge at each scrape, only from memory */
  gauge<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    collect?: (gauge: Gauge<L>) => void,
  ): Gauge<L> {
    return new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      ...(collect && {
        collect() {
          collect(this as unknown as Gauge<L>);
        },
      }),
    });
  }

  /** Registers a function to run before each scrape. It must resolve soon, limit its own work, and never reject. */
  onScrape(refresh: () => Promise<void>): void {
    this.refreshes.push(refresh);
  }

  /**
   * Returns all metrics in a format that the scraper accepts. Only OpenMetrics contains exemplars.
   * @param accept the Accept header of the scrape
   */
  exposition(accept = ''): Promise<{ contentType: string; text: string }> {
    const contentType = accept.includes('application/openmetrics-text')
      ? Registry.OPENMETRICS_CONTENT_TYPE
      : Registry.PROMETHEUS_CONTENT_TYPE;
    // Scrapes run one after the other, because the format is a state of the registry.
    const refreshed = Promise.all(this.refreshes.map((refresh) => refresh()));
    const rendered = Promise.all([refreshed, this.rendering]).then(() => this.render(contentType));
    this.rendering = rendered.catch(() => undefined);
    return rendered;
  }

  private async render(contentType: RegistryContentType): Promise<{ contentType: string; text: string }> {
    const metrics = this.registry.getMetricsAsArray() as unknown as { name: string }[];
    // In this format prom-client removes `_total` from the names of counters, and does not restore it.
    const names = metrics.map(({ name }) => name);
    this.registry.setContentType(contentType);
    try {
      return { contentType, text: await this.registry.metrics() };
    } finally {
      metrics.forEach((metric, at) => (metric.name = names[at]!));
      this.registry.setContentType(Registry.PROMETHEUS_CONTENT_TYPE);
    }
  }
}

/** Observes a value with its trace id as exemplar. Use it for sampled traces only, because it hashes the labels. */
export function observeTraced<L extends string>(
  histogram: Histogram<L>,
  labels: Record<L, string>,
  value: number,
  traceId: string,
): void {
  // The types of prom-client accept only the histogram's own labels for an exemplar.
  const exemplarLabels = { trace_id: traceId } as never;
  histogram.observe({ labels, value, exemplarLabels });
}
