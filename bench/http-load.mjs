import { connect } from 'node:net';
import { measure } from './measure.mjs';

const endOfHead = Buffer.from('\r\n\r\n');

/**
 * One kept-alive connection, one request at a time. Node's own client costs more than the servers that are measured
 * here; this one only finds the status and the end of a reply.
 */
class Connection {
  constructor(origin, key) {
    this.authorization = key === undefined ? '' : `authorization: Bearer ${key}\r\n`;
    const { hostname, port } = new URL(origin);
    this.host = `${hostname}:${port}`;
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.socket.on('data', (chunk) => this.read(chunk));
    this.socket.on('error', (error) => this.fail(error));
    this.socket.on('close', () => this.fail(new Error('the connection was closed')));
    this.received = Buffer.alloc(0);
  }

  send({ method = 'GET', path, body }) {
    const content = body
      ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
      : '\r\n';
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(
        `${method} ${path} HTTP/1.1\r\nhost: ${this.host}\r\n${this.authorization}${content}`,
      );
    });
  }

  read(chunk) {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const head = this.received.indexOf(endOfHead);
    if (head < 0) return;
    const text = this.received.latin1Slice(0, head);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? NaN);
    if (Number.isNaN(length)) return this.fail(new Error('a reply without content-length'));
    if (this.received.length < head + 4 + length) return;
    const reply = {
      status: Number(text.slice(9, 12)),
      body: this.received.subarray(head + 4, head + 4 + length),
    };
    this.received = this.received.subarray(head + 4 + length);
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(reply);
  }

  fail(error) {
    this.waiting?.reject(error);
    this.waiting = undefined;
  }

  close() {
    this.socket.destroy();
  }
}

/** A fixed number of connections, each used by one call at a time; with an API key they send it. */
export class Connections {
  constructor(origin, count, key) {
    this.all = Array.from({ length: count }, () => new Connection(origin, key));
    this.free = [...this.all];
  }

  /** Sends a request and answers the body; anything but 200 is a failure. */
  async send(request) {
    const connection = this.free.pop();
    if (!connection) throw new Error('more calls than connections');
    try {
      const { status, body } = await connection.send(request);
      if (status !== 200) throw new Error(`status ${status}: ${body}`);
      return body;
    } finally {
      this.free.push(connection);
    }
  }

  close() {
    for (const connection of this.all) connection.close();
  }
}

/** Measures HTTP calls; `next` gives method, path and body of each. */
export async function measureHttp(origin, next, inFlight, seconds, key) {
  const connections = new Connections(origin, inFlight, key);
  try {
    return await measure(() => connections.send(next()), inFlight, seconds);
  } finally {
    connections.close();
  }
}
