import { SupportedRequest } from '@tollbridge/api';
import { BusConnection, feature, operation, type Operation } from '@tollbridge/bus';
import { natsTransport, Paywall } from '@tollbridge/paywall';
import { paywallPlugin } from '@tollbridge/paywall/fastify';
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Admit } from '../http/admission';
import { gate } from '../http/operation-routes';

/** A tenth of a cent. */
const priceAtomic = '1000';
/** Who is paid: an account of TON that is nobody's. */
export const demoSeller = `0:${createHash('sha256').update('tollbridge sandbox: demo seller').digest('hex')}`;

/** What the route is counted as. It is sold, and stands in no document of the API. */
const { readDemo } = feature('gateway', 'demo', 'Demo', {
  readDemo: operation({
    ...{ method: 'GET', path: '/demo/premium', summary: 'Read what is sold for a nano-payment' },
    ...{ input: SupportedRequest, output: SupportedRequest, errors: [], auth: 'public' },
  }),
}).operations;

/** `GET /demo/premium`: something to buy in the sandbox, sold by the same guard that sellers use. */
export function addDemoRoute(
  server: FastifyInstance,
  bus: BusConnection,
  { admit, publicUrl }: { admit: Admit; publicUrl: string },
): void {
  const paywall = new Paywall({
    ...{ baseUrl: publicUrl, gateway: publicUrl, to: demoSeller },
    transport: natsTransport({ connection: bus.nats, inboxPrefix: bus.inboxPrefix }),
  });
  void server.register(async (demo) => {
    await demo.register(paywallPlugin, { paywall });
    const onRequest = gate(readDemo as Operation<any, any>, admit);
    const paid = { amount: priceAtomic, description: 'The weather of Lisbon', mimeType: 'application/json' };
    demo.get('/demo/premium', { config: { style: 'bare', paid }, onRequest }, (request, reply) => {
      const { confirmationId, amount, from } = request.payment!;
      return reply.send({
        ...{ city: 'Lisbon', celsius: 21, sky: 'clear' },
        payment: { confirmationId, amount, from },
      });
    });
  });
}
