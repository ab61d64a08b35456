import { keyPrincipal } from '@tollbridge/rpc';
import { encodeOutcomes } from '@tollbridge/nanopay-protocol';
import type { AddressInfo } from 'node:net';
import type { BodyBounds } from '../http/body-admission';
import { addPaymentFrames } from '../payments/payment-frames';
import { readProxies } from '../rate-limit/client-address';
import { SampleFront } from './sample-front';

/**
 * Listens with the sample operations and `POST /payments`. Clients send their address in `x-forwarded-for` and are taken
 * to be authenticated by any `authorization`: a publishable key begins with `pk`.
 */
export async function listenWithFrames(
  bodies: Partial<BodyBounds> = {},
): Promise<{ front: SampleFront; port: number }> {
  const front = new SampleFront({}, { proxies: readProxies('127.0.0.1')!, ...bodies });
  front.admit = (_operation, { call, headers }) => {
    const { authorization: key } = headers;
    if (key) call.principal = keyPrincipal(key, '0xOwner', key.startsWith('pk') ? 'publishable' : 'secret');
  };
  const outcomes = encodeOutcomes([{ status: 'unknown' }]);
  const bus = { request: async () => ({ data: outcomes }) };
  addPaymentFrames(front.server, bus, { admit: (...request) => front.admit(...request) });
  await front.server.listen({ port: 0, host: '127.0.0.1' });
  return { front, port: (front.server.server.address() as AddressInfo).port };
}
