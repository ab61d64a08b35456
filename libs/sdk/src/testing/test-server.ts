import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Answer = (response: ServerResponse, request: SeenRequest) => void;

/** Creates a JSON reply. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

/** Creates a failure in the format of the API, without an envelope. */
export const failure = (
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): Answer => json({ error: `Message of ${code}`, code, request_id: 'request-1', ...more }, status, headers);

/** Closes the connection without a reply. */
export const hangUp: Answer = (response) => void response.socket!.destroy();

/** A real HTTP server that returns the queued answers. The last answer also applies to all later requests. */
export class TestServer {
  readonly seen: SeenRequest[] = [];
  private answers: Answer[] = [];

  private constructor(readonly server: Server) {}

  static async start(): Promise<TestServer> {
    const server = createServer();
    const started = new TestServer(server);
    server.on('request', (request, response) => void started.handle(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Clears the recorded requests, and sets the answers. */
  answer(...answers: Answer[]): void {
    this.seen.length = 0;
    this.answers = answers;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
    this.seen.push(seen);
    const answer = this.answers.length > 1 ? this.answers.shift()! : this.answers[0]!;
    answer(response, seen);
  }
}
