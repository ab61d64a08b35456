import type { TransactionUpdateMessage } from '@tollbridge/contracts';
import { once } from 'node:events';
import { request } from 'node:http';
import { WebSocket, type ClientOptions } from 'ws';

/** A real socket that records its messages. */
export class TestClient {
  readonly messages: any[] = [];
  /** The code and reason of the close frame. */
  closed: [number, string] | undefined;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => this.messages.push(JSON.parse((data as Buffer).toString())));
    socket.on('close', (code, reason) => (this.closed = [code, reason.toString()]));
    socket.on('error', () => undefined);
  }

  /** @param url the http URL of the server */
  static async open(url: string, options: ClientOptions = {}): Promise<TestClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/transaction/stream`, options);
    const client = new TestClient(socket);
    await once(socket, 'open');
    return client;
  }

  get updates(): TransactionUpdateMessage['data'][] {
    return this.messages.filter(({ type }) => type === 'transaction_update').map(({ data }) => data);
  }

  get versions(): number[] {
    return this.updates.map(({ version }) => version);
  }

  get types(): string[] {
    return this.messages.map(({ type }) => type as string);
  }

  send(message: unknown): this {
    this.socket.send(
      typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message),
    );
    return this;
  }

  subscribe(transactionId: string): this {
    return this.send({ action: 'subscribe', transactionId });
  }

  unsubscribe(transactionId: string): this {
    return this.send({ action: 'unsubscribe', transactionId });
  }

  close(): void {
    this.socket.terminate();
  }
}

export const handshake = {
  connection: 'upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

export interface Rejection {
  status: number | undefined;
  headers: NodeJS.Dict<string | string[]>;
  body: any;
}

/** Sends a handshake. @returns the HTTP reply to its rejection */
export async function rejectedHandshake(
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Rejection> {
  const sent = request(url, { method, headers }).end();
  const taken = once(sent, 'upgrade').then(([, socket]) => {
    socket.destroy();
    throw new Error('the handshake succeeded');
  });
  const [response] = await Promise.race([once(sent, 'response'), taken]);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  return { status: response.statusCode, headers: response.headers, body };
}
