import { keyPrincipal } from '@tollbridge/rpc';
import { encodeOutcomes } from '@tollbridge/nanopay-protocol';
import type { BodyBounds } from '../http/body-admission';
import type { HttpLimits } from '../http/gateway-adapter';
import { PaymentFramesModule } from '../payment-frames/payment-frames.module';
import { paymentFrameRoutes } from '../payment-frames/payment-frames.routes';
import { GatewayHarness } from './gateway-harness';

/**
 * Listens with the sample operations and `POST /payments`. Clients send their address in `x-forwarded-for`, and any
 * `authorization` authenticates them. A publishable key begins with `pk`.
 */
export async function listenWithFrames(
  bodies: Partial<BodyBounds> = {},
  limits: Partial<HttpLimits> = {},
): Promise<{ harness: GatewayHarness; port: number }> {
  const outcomes = encodeOutcomes([{ status: 'unknown' }]);
  const harness = await GatewayHarness.open({
    imports: [PaymentFramesModule],
    routes: paymentFrameRoutes,
    bodies,
    limits,
    config: { GATEWAY_TRUSTED_PROXIES: '127.0.0.1' },
    bus: { request: async () => ({ data: outcomes }) },
  });
  harness.admit = (_rule, { call, headers }) => {
    const { authorization: key } = headers;
    if (key) call.principal = keyPrincipal(key, '0xOwner', key.startsWith('pk') ? 'publishable' : 'secret');
  };
  return { harness, port: await harness.listen() };
}
