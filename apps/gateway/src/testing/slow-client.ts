import { connect, type Socket } from 'node:net';

/** Sends the head of a request and a part of its body, but never the end. */
export class SlowClient {
  received = '';
  isClosed = false;
  private readonly socket: Socket;

  constructor(
    port: number,
    path: string,
    headers: Record<string, string | number>,
    body: Buffer | string = '',
  ) {
    const lines = Object.entries({ host: 'gateway', ...headers }).map(([name, value]) => `${name}: ${value}`);
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (chunk: Buffer) => (this.received += chunk.toString()));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.isClosed = true));
    this.socket.write([`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    this.socket.write(body);
  }

  /** 0 before a reply. */
  get status(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.received)?.[1] ?? 0);
  }

  send(body: Buffer | string): void {
    this.socket.write(body);
  }

  abort(): void {
    this.socket.resetAndDestroy();
  }
}
