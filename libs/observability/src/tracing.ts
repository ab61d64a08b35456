import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

let isOn = false;
let stop: () => Promise<void> = async () => undefined;

/**
 * Starts OpenTelemetry when `OTEL_EXPORTER_OTLP_ENDPOINT` is set, and costs nothing otherwise: the SDK is not even
 * loaded. Spans go to that endpoint by OTLP over HTTP.
 */
export async function startTracing(app: string): Promise<void> {
  if (!process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] || isOn) return;
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const sdk = new NodeSDK({
    serviceName: `tollbridge-${app}`,
    traceExporter: new OTLPTraceExporter(),
    instrumentations: [],
  });
  sdk.start();
  isOn = true;
  stop = () => sdk.shutdown();
}

export async function stopTracing(): Promise<void> {
  isOn = false;
  await stop();
}

/**
 * Runs one hop of a request in a span, child of the hop that `traceparent` names, and gives the work the
 * `traceparent` to send on. Off, it only calls the work.
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
  return work(carrier['traceparent'] ?? traceparent)
    .catch((error: Error) => {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.name });
      throw error;
    })
    .finally(() => span.end());
}

export { SpanKind };
