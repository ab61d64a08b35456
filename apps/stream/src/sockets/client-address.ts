import type { IncomingMessage } from 'node:http';

/** By what the sockets of one client are counted: the gateway says whose socket it is, and nobody else reaches this port. */
export function clientAddress({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const forwarded = headers['x-forwarded-for'];
  return (typeof forwarded === 'string' && forwarded) || socket.remoteAddress || 'unknown';
}
