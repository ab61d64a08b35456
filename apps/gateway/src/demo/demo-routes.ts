import { SupportedRequest } from '@tollbridge/contracts';
import { BusConnection, feature, operation, type JsonSchema, type Operation } from '@tollbridge/rpc';
import { natsTransport, Paywall } from '@tollbridge/paywall';
import { paywallPlugin } from '@tollbridge/paywall/fastify';
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Admit } from '../http/admission';
import { gate } from '../http/operation-routes';
import { describedAs, type DocumentedRoute } from '../openapi/documented-route';

const demoExample = {
  ...{ city: 'Lisbon', celsius: 21, sky: 'clear' },
  payment: {
    ...{ confirmationId: '10544e37a677a39143455b88b3d95d11', amount: '1000' },
    from: `0:${'ab'.repeat(32)}`,
  },
};
const demoSchema: JsonSchema = {
  type: 'object',
  required: ['city', 'celsius', 'sky', 'payment'],
  properties: {
    city: { type: 'string', description: 'City', examples: ['Lisbon'] },
    celsius: { type: 'integer', description: 'Degrees', examples: [21] },
    sky: { type: 'string', description: 'Sky', examples: ['clear'] },
    payment: { type: 'object', description: 'The payment that bought it', examples: [demoExample.payment] },
  },
};

/** A tenth of a cent. */
const priceAtomic = '1000';
/** Who is paid: an account of TON that is nobody's. */
export const demoSeller = `0:${createHash('sha256').update('tollbridge sandbox: demo seller').digest('hex')}`;

/** What the route is counted as. */
const { readDemo } = feature('gateway', 'demo', 'Demo', {
  readDemo: operation({
    ...{ method: 'GET', path: '/demo/premium', summary: 'Read what is sold for a nano-payment' },
    ...{ input: SupportedRequest, output: SupportedRequest, errors: [], auth: 'public' },
  }),
}).operations;

const header = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
});

/** `GET /demo/premium` in the document of a sandbox. */
export const demoRoute: DocumentedRoute = {
  tag: 'Nano-payments',
  operation: describedAs(readDemo as Operation<any, any>, 'buyDemoResource', {
    isSandboxOnly: true,
    description:
      'Answers `402` with the price. A client of x402 signs a payment and repeats the request with `Payment-Signature`.',
  }),
  headers: [
    {
      ...{ name: 'Payment-Signature', in: 'header', required: false },
      description: 'The signed payment, base64 of JSON, as x402 version 2 says',
      schema: { type: 'string', examples: ['eyJ4NDAyVmVyc2lvbiI6Mn0'] },
    },
  ],
  replies: {
    200: {
      description: 'What was bought',
      content: { type: 'application/json', schema: demoSchema, example: demoExample },
      headers: {
        'payment-response': header('The receipt, base64 of JSON', 'eyJzdWNjZXNzIjp0cnVlfQ'),
      },
    },
    402: {
      description: 'A payment is required: the body and the header say what is accepted',
      content: {
        type: 'application/json',
        schema: {
          type: 'object',
          required: ['x402Version', 'code', 'error', 'accepts'],
          properties: {
            x402Version: { type: 'integer', description: 'Version of x402', examples: [2] },
            code: { type: 'string', description: 'Stable reason', examples: ['payment_required'] },
            error: { type: 'string', description: 'What to do', examples: ['Pay as accepts says.'] },
            resource: { type: 'object', description: 'What is sold', examples: [{}] },
            accepts: {
              type: 'array',
              items: { type: 'object' },
              description: 'Payments that are accepted',
              examples: [[]],
            },
          },
        },
        example: { x402Version: 2, code: 'payment_required', error: 'Pay as accepts says.', accepts: [] },
      },
      headers: {
        'payment-required': header('The same, base64 of JSON', 'eyJ4NDAyVmVyc2lvbiI6Mn0'),
      },
    },
  },
};

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
