import type { FastifyReply } from 'fastify';
import type { Socket } from 'node:net';
import { httpLimits } from '../http/gateway-adapter';

/**
 * Begins a reply that ends with its connection, and finishes its request. Node.js and Fastify keep some four kilobytes
 * for a request in progress, and there are thousands of streams (bench:events). The access log shows the request with
 * status 200. A further request on the connection closes it (`RequestHooks`).
 * @param reply to the only request of its connection that is not answered
 * @param headers besides those of `reply`
 * @returns the connection, for the body
 */
export function beginEndlessReply(reply: FastifyReply, headers: Readonly<Record<string, string>>): Socket {
  const { raw } = reply;
  const socket = raw.socket!;
  reply.hijack();
  socket.write(headText({ ...reply.getHeaders(), ...headers, connection: 'close' }));
  raw.statusCode = 200;
  // Node.js takes the connection from the response, and emits its `close` in the next turn.
  raw.emit('finish');
  // Writes nothing, as there is no connection: the response counts as complete.
  raw.end();
  socket.setTimeout(httpLimits.silenceTimeoutMs);
  return socket;
}

function headText(headers: object): string {
  const lines = Object.entries({ ...headers, date: new Date().toUTCString() });
  return `HTTP/1.1 200 OK\r\n${lines.map(([name, value]) => `${name}: ${String(value)}\r\n`).join('')}\r\n`;
}
