import { keyPrincipal } from '@tollbridge/bus';
import { encodeOutcomes } from '@tollbridge/nanopay';
import type { AddressInfo } from 'node:net';
import { addPaymentFrames } from '../payments/payment-frames';
import { readProxies } from '../rate-limit/client-address';
import { SampleFront } from './sample-front';

/**
 * Listens with the sample operations and `POST /payments`, and prints its port. Each line that it reads is answered by the
 * largest resident memory that this process has had, in bytes. Clients send their address in `x-forwarded-for` and are
 * taken to be authenticated by any `authorization`.
 */
export async function runFloodedGateway(): Promise<void> {
  const front = new SampleFront({}, { proxies: readProxies('127.0.0.1')!, timeoutMs: 60_000 });
  front.admit = (_operation, { call, headers }) => {
    if (headers.authorization) call.principal = keyPrincipal(headers.authorization, '0xOwner');
  };
  const outcomes = encodeOutcomes([{ status: 'unknown' }]);
  const bus = { request: async () => ({ data: outcomes }) };
  addPaymentFrames(front.server, bus, { admit: (...request) => front.admit(...request) });
  await front.server.listen({ port: 0, host: '127.0.0.1' });
  const print = (number: number) => process.stdout.write(`${number}\n`);
  print((front.server.server.address() as AddressInfo).port);
  process.stdin.on('data', () => print(process.resourceUsage().maxRSS * 1024));
}
