import { runProgram } from '@tollbridge/testing';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  status: { code: number; message?: string };
}

interface Received {
  path: string;
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
}

const received: Received[] = [];
let collector: Server;
let endpoint: string;

beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url!, ...JSON.parse(Buffer.concat(chunks).toString()) });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});

afterAll(() => void collector.close());
beforeEach(() => void received.splice(0));

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = (flags: string) => `00-${traceId}-b7ad6b7169203331-${flags}`;

/** Runs two nested spans and returns the trace context that each of them passes on. */
async function trace(env: NodeJS.ProcessEnv, flags = '00') {
  const child = runProgram(
    `
    import { SpanKind, startTracing, stopTracing, withSpan } from '@tollbridge/observability';
    const given: string[] = [];
    void (async () => {
      await Promise.all([startTracing('shop'), startTracing('shop')]);
      await withSpan('outer', '${parent(flags)}', SpanKind.SERVER, async (traceparent) => {
        given.push(traceparent);
        await withSpan('inner', traceparent, SpanKind.CLIENT, async (next) => void given.push(next));
      });
      await withSpan('rejects', '${parent(flags)}', SpanKind.CLIENT, () => Promise.reject(new RangeError('no'))).catch(() => undefined);
      await withSpan('throws', '${parent(flags)}', SpanKind.CLIENT, async () => { throw new TypeError('no'); }).catch(() => undefined);
      const isLoaded = Object.keys(require.cache).some((file) => file.includes('@opentelemetry/sdk'));
      const startMs = performance.now();
      await stopTracing();
      process.stdout.write(JSON.stringify({ given, isLoaded, stopMs: performance.now() - startMs }));
      process.exit(0);
    })();
    `,
    env,
  );
  await child.ended;
  expect(child.errors()).toBe('');
  return JSON.parse(child.output()) as { given: string[]; isLoaded: boolean; stopMs: number };
}

const spansOf = () =>
  received.flatMap((one) => one.resourceSpans.flatMap((all) => all.scopeSpans.flatMap(({ spans }) => spans)));

describe('startTracing without an endpoint', () => {
  it('loads no SDK, sends nothing, and passes the trace context on unchanged', async () => {
    const { given, isLoaded } = await trace({});
    expect(isLoaded).toBe(false);
    expect(given).toEqual([parent('00'), parent('00')]);
    expect(received).toEqual([]);
  });
});

describe('startTracing with an endpoint', () => {
  it.each(['00', '01'])('sends every span of a trace with the flags %s', async (flags) => {
    const { given, isLoaded } = await trace({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, flags);
    expect(isLoaded).toBe(true);
    const [outer, inner, rejects, throws] = ['outer', 'inner', 'rejects', 'throws'].map((name) => {
      const found = spansOf().filter((span) => span.name === name);
      expect(found).toHaveLength(1);
      return found[0]!;
    });
    expect(outer).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', kind: 2 });
    expect(inner).toMatchObject({ traceId, parentSpanId: outer!.spanId, kind: 3, status: { code: 0 } });
    expect(given).toEqual([`00-${traceId}-${outer!.spanId}-01`, `00-${traceId}-${inner!.spanId}-01`]);
    // The message of an error must appear only in the log.
    expect(rejects!.status).toEqual({ code: 2, message: 'RangeError' });
    expect(throws!.status).toEqual({ code: 2, message: 'TypeError' });
  });

  it('sends only spans, with the service name but without the command line', async () => {
    await trace({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
    });
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
    const { attributes } = received[0]!.resourceSpans[0]!.resource;
    const sent = Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
    expect(sent).toMatchObject({ 'service.name': 'tollbridge-shop', 'deployment.environment': 'test' });
    expect(Object.keys(sent).filter((key) => key.startsWith('process.'))).toEqual([]);
  });

  it('uses the configured sampler', async () => {
    const { given } = await trace({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_TRACES_SAMPLER: 'always_off',
    });
    expect(spansOf()).toEqual([]);
    expect(given[0]).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  });

  it('does not delay the stop when the collector does not answer', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { stopMs } = await trace({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
    // The stop ends after two seconds; the exporter itself would wait for ten.
    expect(stopMs).toBeLessThan(8_000);
    silent.closeAllConnections();
    silent.close();
  });
});
