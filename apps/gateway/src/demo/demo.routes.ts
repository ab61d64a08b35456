import { SupportedRequest } from '@tollbridge/contracts';
import type { JsonSchema } from '@tollbridge/rpc';
import { declareRoute, type OwnRoute } from '../routes/gateway-route';

const demoExample = {
  city: 'Lisbon',
  celsius: 21,
  sky: 'clear',
  payment: {
    confirmationId: '10544e37a677a39143455b88b3d95d11',
    amount: '1000',
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

const requirementSchema: JsonSchema = {
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
};

const header = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
});

export const buyDemoResource: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareRoute('demo', 'readDemo', {
    method: 'GET',
    path: '/demo/premium',
    operationId: 'buyDemoResource',
    isSandboxOnly: true,
    summary: 'Read a resource that is sold by HTTP 402',
    description:
      'Answers `402` with the price, as a nano-payment and in USDC on one EVM chain and on Solana. An x402 client signs a payment and repeats the request with `Payment-Signature`. A client of the scheme `Payment` sends `Authorization` instead.',
    input: SupportedRequest,
    output: SupportedRequest,
  }),
  documentation: {
    tag: 'Nano-payments',
    offers: [{ intent: 'charge', method: 'ton-nanopay', amount: '1000', currency: 'USDT' }],
    headers: [
      {
        name: 'Payment-Signature',
        in: 'header',
        required: false,
        description: 'The signed payment, base64 of JSON, as x402 version 2 says',
        schema: { type: 'string', examples: ['eyJ4NDAyVmVyc2lvbiI6Mn0'] },
      },
    ],
    replies: {
      200: {
        description: 'The resource',
        content: { type: 'application/json', schema: demoSchema, example: demoExample },
        headers: { 'payment-response': header('The receipt, base64 of JSON', 'eyJzdWNjZXNzIjp0cnVlfQ') },
      },
      402: {
        description: 'A payment is required: the body and the header say what is accepted',
        content: {
          type: 'application/json',
          schema: requirementSchema,
          example: { x402Version: 2, code: 'payment_required', error: 'Pay as accepts says.', accepts: [] },
        },
        headers: {
          'payment-required': header('The same, base64 of JSON', 'eyJ4NDAyVmVyc2lvbiI6Mn0'),
          'www-authenticate': header('Challenges of the scheme Payment', 'Payment id="x"'),
        },
      },
    },
  },
};

export const demoRoutes = [buyDemoResource];
