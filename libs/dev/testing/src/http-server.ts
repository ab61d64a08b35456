import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  /** Encoded, as received. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * - `status`, `headers`, `body`: a response; a body other than text and bytes is sent as JSON
 * - `half`: announces twice the length, sends this text and closes the connection
 * - `begun`: sends the headers and this text, and nothing more
 * - `silent`: accepts the request and never responds
 */
export type HttpReply =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | { half: string }
  | { begun: string }
  | { silent: true };

type Answer = (request: SeenRequest) => HttpReply | Promise<HttpReply>;

/** A real HTTP server that responds as the test configures, and records its requests. */
export class HttpServer {
  readonly requests: SeenRequest[] = [];
  /** Requests that ended without a response: the client timed out or disconnected. */
  abandoned = 0;

  private constructor(
    public answer: Answer,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  static async start(answer: Answer): Promise<HttpServer> {
    const server = createServer();
    const started = new HttpServer(answer, server);
    server.on('request', (request, response) => {
      started.serve(request, response).catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => {
      if (!response.writableEnded) this.abandoned += 1;
    });
    const { pathname, searchParams } = new URL(message.url ?? '/', 'http://server');
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const request: SeenRequest = {
      method: message.method ?? '',
      path: pathname,
      query: searchParams,
      headers: message.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    this.requests.push(request);
    send(response, await this.answer(request));
  }
}

function send(response: ServerResponse, reply: HttpReply): void {
  if ('silent' in reply) return;
  if ('half' in reply) {
    response.writeHead(200, { 'content-length': String(Buffer.byteLength(reply.half) * 2) });
    response.write(reply.half, () => response.destroy());
    return;
  }
  if ('begun' in reply) {
    response.writeHead(200);
    response.write(reply.begun);
    return;
  }
  const { status = 200, headers = {}, body = '' } = reply;
  const isWritten = typeof body === 'string' || Buffer.isBuffer(body);
  response.writeHead(status, { ...(!isWritten && { 'content-type': 'application/json' }), ...headers });
  response.end(isWritten ? body : JSON.stringify(body));
}

export const startHttpServer = (answer: Answer): Promise<HttpServer> => HttpServer.start(answer);

/** A URL without a server. Its port was free a moment ago. */
export async function closedUrl(): Promise<string> {
  const server = await HttpServer.start(() => ({}));
  const { url } = server;
  await server.close();
  return url;
}
