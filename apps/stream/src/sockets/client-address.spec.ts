import type { IncomingMessage } from 'node:http';
import { clientAddress } from './client-address';

const of = (forwarded: string | undefined, remoteAddress?: string): string =>
  clientAddress({
    headers: { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  } as unknown as IncomingMessage);

describe('clientAddress', () => {
  it('returns the forwarded address, or otherwise the address of the connection', () => {
    expect(of('203.0.113.7', '127.0.0.1')).toBe('203.0.113.7');
    expect(of('2001:db8:1:2::/64', '127.0.0.1')).toBe('2001:db8:1:2::/64');
    expect(of(undefined, '127.0.0.1')).toBe('127.0.0.1');
    expect(of(undefined)).toBe('unknown');
  });
});
