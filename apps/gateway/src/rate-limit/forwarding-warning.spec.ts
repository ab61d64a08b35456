import type { Socket } from 'node:net';
import { readProxies } from './client-address';
import { forwardingWarning } from './forwarding-warning';

const hourMs = 3_600_000;
let nowMs: number;
let warnings: object[];
let look: (remoteAddress: string, headers: Record<string, string>) => void;

beforeEach(() => {
  nowMs = 0;
  warnings = [];
  const logger = { warn: (fields: object) => void warnings.push(fields) };
  const warn = forwardingWarning(logger as never, readProxies('10.0.0.0/8')!, () => nowMs);
  look = (remoteAddress, headers) => warn({ headers, socket: { remoteAddress } as Socket });
});

it.each(['x-forwarded-for', 'forwarded'])('warns of %s from an unknown proxy, once an hour', (header) => {
  look('192.0.2.7', { [header]: '198.51.100.1' });
  look('192.0.2.8', { [header]: '198.51.100.1' });
  expect(warnings).toEqual([{ network: '192.0.2.0/24' }]);
  nowMs = hourMs;
  look('192.0.2.7', { [header]: '198.51.100.1' });
  expect(warnings).toHaveLength(2);
});

it('is silent about trusted proxies, in IPv6 notation too, and about requests without such headers', () => {
  look('10.1.2.3', { 'x-forwarded-for': '198.51.100.1' });
  look('::ffff:10.1.2.3', { 'x-forwarded-for': '198.51.100.1' });
  look('192.0.2.7', {});
  expect(warnings).toEqual([]);
});
