import { isIPv4 } from 'node:net';

/** Whether a host is a loopback address or name: RFC 1122, 3.2.1.3; RFC 4291, 2.5.3; RFC 6761, 6.3. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$|\.$/g, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return isIPv4(name) ? name.startsWith('127.') : name === '::1';
}
