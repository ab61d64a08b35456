import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

let isOn = false;
let starting: Promise<void> | undefined;
let stop: () => Promise<void> = async () => undefined;

// An unreachable collector must not delay the end of a process.
const stopTimeoutMs = 2_000;

/**
 * Starts OpenTelemetry when `OTEL_EXPORTER_OTLP_ENDPOINT` is set, and costs nothing otherwise: the SDK is not even
 * loaded. Spans go to that endpoint by OTLP over HTTP, all of them unless `OTEL_TRACES_SAMPLER` says otherwise.
 */
export async function startTracing(app: string): Promise<void> {
  if (!process.env['OTEL_EXPORTER_OTLP_ENDPOINT']) return;
  await (starting ??= start(app));
}

async function start(app: string): Promise<void> {
  const { NodeSDK, resources, tracing } = await import('@opentelemetry/sdk-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  // The SDK's own default follows the caller, and a caller that sends no trace would never be sampled.
  const sampler = process.env['OTEL_TRACES_SAMPLER'] ? {} : { sampler: new tracing.AlwaysOnSampler() };
  const sdk = new NodeSDK({
    serviceName: `tollbridge-${app}`,
    traceExporter: new OTLPTraceExporter(),
    ...sampler,
    instrumentations: [],
    // Metrics are at /metrics, logs on standard output.
    metricReaders: [],
    logRecordProcessors: [],
    // Without the process detector, which publishes the command line.
    resourceDetectors: [resources.envDetector, resources.hostDetector],
  });
  sdk.start();
  isOn = true;
  stop = () => sdk.shutdown();
}

/** Sends the remaining spans, if the collector accepts them in time. */
export async function stopTracing(): Promise<void> {
  isOn = false;
  starting = undefined;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, stopTimeoutMs)));
  await Promise.race([stop().catch(() => undefined), timeout]);
  clearTimeout(timer);
}

/**
 * Runs the work in a span, a child of `traceparent`, and passes it the `traceparent` to send on. Without tracing it only
 * calls the work.
 */
export function withSpan<T>(
  name: string,
  traceparent: string,
  kind: SpanKind,
  work: (traceparent: string) => Promise<T>,
): Promise<T> {
  if (!isOn) return work(traceparent);
  const parent = propagation.extract(context.active(), { traceparent });
  const span = trace.getTracer('tollbridge').startSpan(name, { kind }, parent);
  const carrier: Record<string, string> = {};
  propagation.inject(trace.setSpan(parent, span), carrier);
  return Promise.resolve(carrier['traceparent'] ?? traceparent)
    .then(work)
    .catch((error: Error) => {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.name });
      throw error;
    })
    .finally(() => span.end());
}

export { SpanKind };
