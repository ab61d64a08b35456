import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

const mappedForm = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * By what the sockets of one client are counted. The gateway says whose socket it is: nobody else reaches this port.
 * Who has one IPv6 address has all of its network.
 */
export function clientAddress({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const forwarded = headers['x-forwarded-for'];
  const given = (typeof forwarded === 'string' && forwarded) || socket.remoteAddress || 'unknown';
  const address = mappedForm.exec(given)?.[1] ?? given;
  return isIPv6(address) ? networkOf(address) : address;
}

/** The first 64 bits: `2001:db8::1` is in `2001:db8:0:0`. */
function networkOf(address: string): string {
  const [left = '', right] = address.split('%', 1)[0]!.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right ? right.split(':') : [];
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  return [...head, ...Array.from({ length: zeros }, () => '0'), ...tail]
    .slice(0, 4)
    .map((part) => parseInt(part, 16).toString(16))
    .join(':');
}
