import type { Socket } from 'node:net';
import { readProxies } from '../client-address/client-address';
import { ForwardingWarning } from './forwarding-warning';

const hourMs = 3_600_000;
let nowMs: number;
let warnings: object[];
let check: (remoteAddress: string, headers: Record<string, string>) => void;

beforeEach(() => {
  nowMs = 0;
  warnings = [];
  const logger = { warn: (fields: object) => void warnings.push(fields) };
  const warning = new ForwardingWarning(logger as never, readProxies('10.0.0.0/8')!);
  check = (remoteAddress, headers) =>
    warning.check({ headers, socket: { remoteAddress } as Socket }, () => nowMs);
});

it.each(['x-forwarded-for', 'forwarded'])('warns of %s from an unknown proxy, once an hour', (header) => {
  check('192.0.2.7', { [header]: '198.51.100.1' });
  check('192.0.2.8', { [header]: '198.51.100.1' });
  expect(warnings).toEqual([{ network: '192.0.2.0/24' }]);
  nowMs = hourMs;
  check('192.0.2.7', { [header]: '198.51.100.1' });
  expect(warnings).toHaveLength(2);
});

it('does not warn of trusted proxies, or of requests without such headers', () => {
  check('10.1.2.3', { 'x-forwarded-for': '198.51.100.1' });
  check('::ffff:10.1.2.3', { 'x-forwarded-for': '198.51.100.1' });
  check('192.0.2.7', {});
  expect(warnings).toEqual([]);
});
