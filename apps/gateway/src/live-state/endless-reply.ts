import type { FastifyReply } from 'fastify';
import type { Socket } from 'node:net';
import { httpLimits } from '../http/gateway-adapter';

/**
 * Starts a reply that ends with its connection, and finishes the request. Node.js and Fastify keep about four kilobytes
 * for each request in progress, and there are thousands of streams (bench:events). The access log contains the request
 * with status 200. A further request on the connection closes it (`RequestHooks`).
 * @param reply the reply to the only unanswered request of its connection
 * @param headers are added to the headers of `reply`
 * @returns the connection, for the body
 */
export function beginEndlessReply(reply: FastifyReply, headers: Readonly<Record<string, string>>): Socket {
  const { raw } = reply;
  const socket = raw.socket!;
  reply.hijack();
  socket.write(headText({ ...reply.getHeaders(), ...headers, connection: 'close' }));
  raw.statusCode = 200;
  // Node.js detaches the connection from the response, and emits `close` of the response in the next turn.
  raw.emit('finish');
  // Marks the response as complete. Nothing is written, because the connection is detached.
  raw.end();
  socket.setTimeout(httpLimits.silenceTimeoutMs);
  return socket;
}

function headText(headers: object): string {
  const lines = Object.entries({ ...headers, date: new Date().toUTCString() });
  return `HTTP/1.1 200 OK\r\n${lines.map(([name, value]) => `${name}: ${String(value)}\r\n`).join('')}\r\n`;
}
