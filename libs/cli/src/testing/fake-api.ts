import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface FakeReply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** An HTTP server for tests, which records requests. */
export class FakeApi {
  readonly requests: SeenRequest[] = [];

  private constructor(private readonly server: Server) {}

  /** @param answer returns the reply of a request; an undefined body is sent as an empty object */
  static async start(answer: (request: SeenRequest) => FakeReply): Promise<FakeApi> {
    const server = createServer();
    const api = new FakeApi(server);
    server.on('request', (request, response) => void api.reply(request, response, answer));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return api;
  }

  private async reply(
    request: IncomingMessage,
    response: ServerResponse,
    answer: (request: SeenRequest) => FakeReply,
  ): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = '', url = '', headers } = request;
    const seen = { method, path: url, headers, body };
    this.requests.push(seen);
    const { status = 200, headers: more = {}, body: reply = {} } = answer(seen);
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}
