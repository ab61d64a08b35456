import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span in OTLP, with the app that sent it. */
export interface ReceivedSpan {
  app: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<ReceivedSpan, 'app'>[] }[];
  }[];
}

/** Receives traces by OTLP over HTTP, as a collector does. */
export class TraceCollector {
  readonly spans: ReceivedSpan[] = [];
  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url === '/v1/traces')
          collector.add(JSON.parse(Buffer.concat(chunks).toString()) as Export);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    }).listen(0, '127.0.0.1');
    const collector = new TraceCollector(server);
    await once(server, 'listening');
    return collector;
  }

  /** Settings of the apps for this collector. */
  get settings(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    return { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_BSP_SCHEDULE_DELAY: '500' };
  }

  trace(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private add({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const name = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      const app = name.replace(/^tollbridge-/, '');
      for (const { spans } of scopeSpans) this.spans.push(...spans.map((span) => ({ ...span, app })));
    }
  }
}

/** The span and its ancestors, the span first, as `app: name (kind)`. Also the parent id of the last of them. */
export function ancestry(spans: readonly ReceivedSpan[], from: ReceivedSpan): [string[], string | undefined] {
  const path: string[] = [];
  let [span, above]: [ReceivedSpan | undefined, string | undefined] = [from, undefined];
  while (span) {
    path.push(`${span.app}: ${span.name} (${span.kind})`);
    above = span.parentSpanId;
    span = spans.find(({ spanId }) => spanId === above);
  }
  return [path, above];
}
