import type { IncomingMessage } from 'node:http';

/**
 * The address that a client's sockets are counted by, as forwarded by the gateway. Only the gateway reaches this port.
 */
export function clientAddress({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const forwarded = headers['x-forwarded-for'];
  return (typeof forwarded === 'string' && forwarded) || socket.remoteAddress || 'unknown';
}
