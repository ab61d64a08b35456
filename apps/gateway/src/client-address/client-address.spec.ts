import type { IncomingMessage } from 'node:http';
import { clientAddress, networkOf, readProxies } from './client-address';

const from = (remoteAddress: string | undefined, forwarded?: string, proxies = '') =>
  clientAddress(
    {
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    } as unknown as IncomingMessage,
    readProxies(proxies)!,
  );

describe('clientAddress', () => {
  it('returns the address of the connection for a client without a trusted proxy', () => {
    expect(from('203.0.113.7', '10.0.0.1')).toBe('203.0.113.7');
    expect(from('203.0.113.7', '10.0.0.1', '10.0.0.0/8')).toBe('203.0.113.7');
    expect(from(undefined, '10.0.0.1')).toBe('');
  });

  it.each([
    ['198.51.100.9', '198.51.100.9'],
    ['1.1.1.1, 198.51.100.9', '198.51.100.9'],
    ['1.1.1.1, 198.51.100.9, 10.1.2.3', '198.51.100.9'],
    ['1.1.1.1,198.51.100.9:4711,10.1.2.3', '198.51.100.9'],
    ['[2001:db8:1:2:3:4:5:6]:443', '2001:db8:1:2::/64'],
    ['10.2.2.2, 10.1.2.3', '10.2.2.2'],
    // An entry that no proxy writes ends the chain of trust.
    ['198.51.100.9, unknown', '10.0.0.1'],
    ['198.51.100.9, nonsense, 10.1.2.3', '10.1.2.3'],
    ['', '10.0.0.1'],
    [',', '10.0.0.1'],
  ])('reads the forwarded address of a trusted proxy: %j', (forwarded, address) => {
    expect(from('10.0.0.1', forwarded, '10.0.0.0/8')).toBe(address);
    expect(from('::ffff:10.0.0.1', forwarded, '10.0.0.0/8')).toBe(address);
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
  ])('returns the /64 network of an IPv6 address: %s', (address, network) => {
    expect(from(address)).toBe(network);
  });

  it('reads the forwarded address of an IPv6 proxy', () => {
    expect(from('fd00::1', '198.51.100.9', 'fd00::/8')).toBe('198.51.100.9');
  });
});

describe('readProxies', () => {
  it.each(['', '10.0.0.1', '10.0.0.0/8,::1', ' 10.0.0.0/8 , fd00::/8', '0.0.0.0/0'])('accepts %j', (text) => {
    expect(readProxies(text)).toBeDefined();
  });

  it.each([
    'ten',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::/129',
    '10.0.0',
    'localhost',
    '10.0.0.1/1.5',
  ])('rejects %j', (text) => {
    expect(readProxies(text)).toBeUndefined();
  });
});

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['203.0.113.255', '203.0.113.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1:2::/64'],
  ['', ''],
])('networkOf(%j) returns %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
