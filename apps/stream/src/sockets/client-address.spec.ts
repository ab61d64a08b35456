import type { IncomingMessage } from 'node:http';
import { clientAddress } from './client-address';

const of = (forwarded: string | undefined, remoteAddress?: string): string =>
  clientAddress({
    headers: { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  } as unknown as IncomingMessage);

describe('the address of a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['2001:db8:1::', '2001:db8:1:0'],
  ])('is what the gateway says: %s counts as %s', (given, counted) => {
    expect(of(given, '127.0.0.1')).toBe(counted);
  });

  it('is that of the connection when nobody says', () => {
    expect(of(undefined, '::ffff:127.0.0.1')).toBe('127.0.0.1');
    expect(of(undefined)).toBe('unknown');
  });
});
