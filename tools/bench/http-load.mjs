import { connect } from 'node:net';
import { measure, measurePaced } from './measure.mjs';

const endOfHead = Buffer.from('\r\n\r\n');

/**
 * One keep-alive connection with one request at a time. Node's own client uses more processor time than the measured
 * servers. This client parses only the status and the end of a reply.
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
    this.isBroken = false;
  }

  send({ method = 'GET', path, headers, body }) {
    let head = `${method} ${path} HTTP/1.1\r\nhost: ${this.host}\r\n${this.authorization}`;
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
    const content = body
      ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
      : '\r\n';
    // Headers are ASCII, so they need no encoder.
    const encoding = body ? 'utf8' : 'latin1';
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(head + content, encoding);
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
    this.isBroken = true;
    this.waiting?.reject(error);
    this.waiting = undefined;
  }

  close() {
    this.socket.destroy();
  }
}

/** A fixed number of connections, each used by one call at a time. They send the API key, if given. */
export class Connections {
  constructor(origin, count, key) {
    this.open = () => new Connection(origin, key);
    this.all = new Set(Array.from({ length: count }, this.open));
    this.free = [...this.all];
  }

  /** Sends a request and returns the body. A status other than 200, or than the expected one, is a failure. */
  async send(request) {
    const connection = this.take();
    try {
      const { status, body } = await connection.send(request);
      if (status !== (request.status ?? 200)) throw new Error(`status ${status}: ${body}`);
      return body;
    } finally {
      this.free.push(connection);
    }
  }

  take() {
    const connection = this.free.pop();
    if (!connection) throw new Error('more calls than connections');
    if (!connection.isBroken) return connection;
    // Servers close connections that were idle for several seconds.
    this.all.delete(connection);
    const opened = this.open();
    this.all.add(opened);
    return opened;
  }

  /**
   * Sends one request on each connection before the measurement. A busy Node server accepts few new connections at a
   * time, which must not count.
   */
  async warm(request) {
    const requests = [...this.all].map(() => this.send(request));
    await Promise.all(requests);
  }

  close() {
    for (const connection of this.all) connection.close();
  }
}

/** Measures HTTP calls. `next` returns method, path, headers and body of each call, or undefined when none is left. */
export function measureHttp(origin, next, inFlight, seconds, key) {
  return withConnections(origin, inFlight, key, (connections) => {
    const call = () => {
      const request = next();
      return request && connections.send(request);
    };
    return measure(call, inFlight, seconds);
  });
}

/** Measures HTTP calls on one connection, with a pause between them. */
export const measurePacedHttp = (origin, next, everyMs, seconds, key) =>
  withConnections(origin, 1, key, (connections) =>
    measurePaced(() => connections.send(next()), everyMs, seconds),
  );

/** @returns the body of the reply to one request on a separate connection */
export const sendOnce = (origin, request, key) =>
  withConnections(origin, 1, key, (connections) => connections.send(request));

async function withConnections(origin, count, key, use) {
  const connections = new Connections(origin, count, key);
  try {
    return await use(connections);
  } finally {
    connections.close();
  }
}
