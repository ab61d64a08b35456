import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { samplingOf, TraceSampler } from './trace-sampler';

let isOn = false;
let starting: Promise<void> | undefined;
let stop: () => Promise<void> = async () => undefined;

// An unreachable collector must not delay the end of the process.
const stopTimeoutMs = 2_000;

/**
 * Starts OpenTelemetry when `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Otherwise the SDK is not loaded. Spans are
 * sent to that endpoint by OTLP over HTTP, all of them unless `OTEL_TRACES_SAMPLER` selects fewer.
 * @throws ConfigurationError for an unknown sampler or an invalid ratio
 */
export async function startTracing(app: string): Promise<void> {
  if (!process.env['OTEL_EXPORTER_OTLP_ENDPOINT']) return;
  await (starting ??= start(app));
}

async function start(app: string): Promise<void> {
  const sampling = samplingOf(process.env);
  const { NodeSDK, resources, tracing } = await import('@opentelemetry/sdk-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const sampler = new TraceSampler(sampling, {
    byTraceId: new tracing.TraceIdRatioBasedSampler(sampling.ratio),
    isSampled: (parent) => isSampled(trace.getSpan(parent)),
    recorded: tracing.SamplingDecision.RECORD_AND_SAMPLED,
  });
  const sdk = new NodeSDK({
    serviceName: `tollbridge-${app}`,
    traceExporter: new OTLPTraceExporter(),
    sampler,
    instrumentations: [],
    // Metrics are served at /metrics, and logs are written to standard output.
    metricReaders: [],
    logRecordProcessors: [],
    // Excludes the process detector, which publishes the command line.
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

/** Whether tracing is on, to skip work that only spans need. */
export const isTracing = (): boolean => isOn;

/** A span that has not ended. */
export interface OpenSpan {
  /** Trace context to pass on, with this span as the parent. */
  readonly traceparent: string;
  /** Trace id, if the trace is recorded. */
  readonly sampledTraceId: string | undefined;
  /** Runs work inside the span; its statements become children of this span. */
  run<T>(work: () => T): T;
  /** @param error name of the failure; the message is only logged */
  end(attributes?: Attributes, error?: string): void;
}

/** Starts a child of `traceparent`; undefined without tracing. */
export function startSpan(
  name: string,
  traceparent: string,
  kind: SpanKind,
  attributes: Attributes = {},
): OpenSpan | undefined {
  if (!isOn) return undefined;
  const parent = propagation.extract(context.active(), { traceparent });
  return open(parent, { name, kind, attributes });
}

/**
 * Starts a child of the active span. Undefined without tracing or without an active span, so that polls start
 * no traces.
 */
export function startChildSpan(name: string, kind: SpanKind, attributes: Attributes): OpenSpan | undefined {
  if (!isOn) return undefined;
  const active = context.active();
  return isSampled(trace.getSpan(active)) ? open(active, { name, kind, attributes }) : undefined;
}

/**
 * Runs the work in a child span of `traceparent`, and passes it the `traceparent` for further calls. Without
 * tracing it only runs the work.
 */
export function withSpan<T>(
  name: string,
  traceparent: string,
  kind: SpanKind,
  work: (traceparent: string) => Promise<T>,
  attributes: Attributes = {},
): Promise<T> {
  const span = startSpan(name, traceparent, kind, attributes);
  if (!span) return work(traceparent);
  return span
    .run(() => Promise.resolve(span.traceparent).then(work))
    .then(
      (result) => {
        span.end();
        return result;
      },
      (error: Error) => {
        span.end({}, error.name);
        throw error;
      },
    );
}

const isSampled = (span: Span | undefined): boolean =>
  span !== undefined && (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;

function open(
  parent: Context,
  { name, kind, attributes }: { name: string; kind: SpanKind; attributes: Attributes },
): OpenSpan {
  const span = trace.getTracer('tollbridge').startSpan(name, { kind, attributes }, parent);
  const active = trace.setSpan(parent, span);
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    sampledTraceId: isSampled(span) ? traceId : undefined,
    run: (work) => context.with(active, work),
    end: (ended, error) => {
      if (ended) span.setAttributes(ended);
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end();
    },
  };
}

export { SpanKind };
