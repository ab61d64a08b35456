import { Integer, Text, type JsonSchema } from '@tollbridge/rpc';
import { declareRoute, openRoute, type OwnRoute } from '../routes/gateway-route';

export const mostSold = 100;
const defaultSold = 20;

export class DiscoveryQuery {
  @Text('Only resources of this protocol: `http` or `mcp`', {
    optional: true,
    pattern: /^[a-z][a-z0-9-]{0,31}$/,
    patternMessage: 'must be the name of a protocol, such as http',
    example: 'http',
  })
  type?: string;
  @Text('Only resources that accept a payment to this address', {
    optional: true,
    maxLength: 128,
    hasNoSpaces: true,
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  payTo?: string;
  @Text('Only resources that accept this scheme', {
    optional: true,
    pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    patternMessage: 'must be the name of a scheme, such as exact',
    example: 'exact',
  })
  scheme?: string;
  @Text('Only resources that accept a payment on this network', {
    optional: true,
    pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}(:[A-Za-z0-9_-]{1,64})?$/,
    patternMessage: 'must be the name of a network, such as eip155:8453',
    example: 'eip155:8453',
  })
  network?: string;
  @Text('Only resources with this extension of x402', {
    optional: true,
    pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    patternMessage: 'must be the name of an extension, such as bazaar',
    example: 'bazaar',
  })
  extensions?: string;
  @Integer('Number of resources in the reply', { default: defaultSold, min: 1, max: mostSold, example: 20 })
  limit: number;
  @Integer('Number of resources to skip', { default: 0, min: 0, max: 100_000, example: 0 })
  offset: number;
}

const described = (type: string, description: string, example: unknown): JsonSchema => ({
  type,
  description,
  examples: [example],
});

const acceptsExample = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '1000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  maxTimeoutSeconds: 60,
};

const itemExample = {
  resource: 'http://127.0.0.1:3000/demo/premium',
  type: 'http',
  x402Version: 2,
  accepts: [acceptsExample],
  priceUsd: '0.001',
  isFrom: false,
  lastUpdated: '2026-11-22T12:00:00.000Z',
  description: 'The weather of Lisbon',
  mimeType: 'application/json',
  extensions: {},
};

const itemSchema: JsonSchema = {
  type: 'object',
  required: ['resource', 'type', 'x402Version', 'accepts', 'lastUpdated', 'extensions'],
  properties: {
    resource: described('string', 'URL of the resource', itemExample.resource),
    type: described('string', 'Protocol', 'http'),
    x402Version: described('integer', 'Version of x402', 2),
    accepts: {
      type: 'array',
      description:
        'Payment options of the 402 with a CAIP-2 network, without `extra.offer`, which differs for each buyer',
      items: { type: 'object' },
      examples: [[acceptsExample]],
    },
    priceUsd: described('string', 'Price in US dollars; absent when the 402 has none', itemExample.priceUsd),
    isFrom: described(
      'boolean',
      'Whether the price and the amounts are lower bounds. The 402 of a request with a valid body has the exact price',
      itemExample.isFrom,
    ),
    lastUpdated: {
      ...described('string', 'When this gateway first saw these terms', itemExample.lastUpdated),
      format: 'date-time',
    },
    description: described('string', 'Description of the resource', itemExample.description),
    mimeType: described('string', 'Media type of the reply', 'application/json'),
    extensions: described('object', 'Extensions of x402, by name', {}),
  },
};

const countOf = (description: string, example: number) => described('integer', description, example);

export const listSoldResources: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareRoute('discovery', 'listSold', {
    method: 'GET',
    path: '/discovery/resources',
    operationId: 'listSoldResources',
    summary: 'List the resources that this gateway sells by HTTP 402',
    description:
      'The format is that of x402 facilitators. A resource must match all filters, and `total` counts the matching resources. An unknown parameter is rejected. The gateway reads the prices from the 402 of each resource at most a minute before; only the 402 itself is binding.',
    input: DiscoveryQuery,
  }),
  documentation: {
    tag: 'Nano-payments',
    replies: {
      200: {
        description: 'One page of the resources',
        content: {
          type: 'application/json',
          schema: {
            type: 'object',
            required: ['x402Version', 'items', 'pagination'],
            properties: {
              x402Version: described('integer', 'Version of x402', 2),
              items: {
                type: 'array',
                description: 'Resources',
                items: itemSchema,
                examples: [[itemExample]],
              },
              pagination: {
                type: 'object',
                description: 'Position of this page in the list',
                required: ['limit', 'offset', 'total'],
                properties: {
                  limit: countOf('Requested number of resources', 20),
                  offset: countOf('Number of skipped resources', 0),
                  total: countOf('Number of matching resources', 1),
                },
              },
            },
          },
          example: {
            x402Version: 2,
            items: [itemExample],
            pagination: { limit: 20, offset: 0, total: 1 },
          },
        },
      },
    },
  },
};

export const readLlms = openRoute('discovery', 'readLlms', '/llms.txt', 'Read an API overview in Markdown');
export const readLlmsFull = openRoute(
  'discovery',
  'readLlmsFull',
  '/llms-full.txt',
  'Read all guides as one Markdown text',
);
export const readApiCatalog = openRoute(
  'discovery',
  'readApiCatalog',
  '/.well-known/api-catalog',
  'Read the links of the API (RFC 9727)',
);

export const discoveryRoutes = [listSoldResources, readLlms, readLlmsFull, readApiCatalog];
