import { exampleOf, exampleOfOutput, type JsonSchema, type Operation } from '@tollbridge/rpc';
import type { GatewayRoute } from '../routes/gateway-route';

/**
 * The routes that can be sold by HTTP 402: own routes that document a 402, and operations that declare `sale: 'buys'`.
 * Their reply shows whether they are sold at present.
 */
export const soldRoutes = (routes: readonly GatewayRoute[]): GatewayRoute[] =>
  routes.filter((route) => {
    if (route.kind === 'own') return route.documentation?.replies[402] !== undefined;
    const { sale, soldAt } = route.declaration as Operation;
    return sale === 'buys' && soldAt === undefined;
  });

const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' };
const text = { type: 'string' };

/** The extension `bazaar` of x402: how to call the resource, and an example of its output. */
export function bazaarOf(route: GatewayRoute): JsonSchema {
  if (route.kind !== 'own') return bazaarOfOperation(route.declaration);
  return bazaarWith(route.declaration, route.documentation?.replies[200]?.content?.example);
}

const ofOperations = new WeakMap<Operation, JsonSchema>();

/** The schema of an operation, created once. */
export function bazaarOfOperation(operation: Operation): JsonSchema {
  let bazaar = ofOperations.get(operation);
  if (!bazaar) {
    bazaar = bazaarWith(operation, exampleOfOutput(operation.output));
    ofOperations.set(operation, bazaar);
  }
  return bazaar;
}

function bazaarWith({ method, hasBody, input }: Operation, example: unknown): JsonSchema {
  const call = hasBody
    ? { type: 'http', method, bodyType: 'json', body: exampleOf(input) }
    : { type: 'http', method };
  return {
    info: { input: call, output: { type: 'json', example } },
    schema: {
      ...schema,
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { ...text, const: 'http' },
            method: { ...text, enum: [method] },
            ...(hasBody && { bodyType: { ...text, enum: ['json'] }, body: { type: 'object' } }),
          },
          required: hasBody ? ['type', 'method', 'bodyType', 'body'] : ['type', 'method'],
          additionalProperties: false,
        },
        output: { type: 'object', properties: { type: text, example: {} }, required: ['type'] },
      },
      required: ['input'],
    },
  };
}
