import { feature, Flag, FreeForm, Integer, ListOf, Nested, OneOf, operation, Text } from '@tollbridge/rpc';

const serviceId = { description: 'The service', maxLength: 64, example: 'giftcard-order' };
const category = { description: 'What kind of service it is', maxLength: 64, example: 'gift' };

/**
 * - `free`: costs nothing
 * - `face_value`: what is bought has its price on it, such as a gift card
 * - `provider_price`: what the provider asks for each
 * - `percentage`: a part of the amount
 */
export const priceModels = ['free', 'face_value', 'provider_price', 'percentage'] as const;
export type PriceModel = (typeof priceModels)[number];

export class ServicePrice {
  @OneOf(priceModels, {
    description:
      'How it is priced: `free`, `face_value` (what is bought has its price on it), `provider_price` (what the provider asks for each), `percentage` (a part of the amount)',
    example: 'face_value',
  })
  model: PriceModel;
  @Text({
    description: 'The same for people',
    example: 'The price of the card, and the fee that its list shows.',
  })
  description: string;
}

export class ServiceRoute {
  @OneOf(['GET', 'POST'], { description: 'Method', example: 'POST' })
  method: 'GET' | 'POST';
  @Text({ description: 'Path', example: '/gift/giftcards/order' })
  route: string;
  @FreeForm(
    { type: 'object', additionalProperties: true },
    {
      description: 'An example of its fields: of the body with POST, of path and query with GET',
      example: { productId: 10, quantity: 1, unitPrice: 25 },
    },
  )
  request: Record<string, unknown>;
}

export class CatalogService {
  @Text(serviceId)
  id: string;
  @Text({ description: 'Name for people', example: 'Order a gift card' })
  name: string;
  @Text(category)
  category: string;
  @Text({ description: 'What it does', maxLength: 1_000, example: 'Buys a gift card of a brand.' })
  description: string;
  @Nested(() => ServicePrice, { description: 'What it costs' })
  price: ServicePrice;
  @OneOf(['GET', 'POST'], { description: 'Method of its first route', example: 'POST' })
  method: 'GET' | 'POST';
  @Text({ description: 'Path of its first route', example: '/gift/giftcards/order' })
  route: string;
  @FreeForm(
    { type: 'object', additionalProperties: true },
    {
      description: 'An example of the fields of its first route',
      example: { productId: 10, quantity: 1, unitPrice: 25 },
    },
  )
  request: Record<string, unknown>;
  @ListOf(() => ServiceRoute, { description: 'All its routes, the first one included', maxItems: 4 })
  routes: ServiceRoute[];
  @ListOf('string', {
    description: 'Further words that it is found by',
    maxItems: 20,
    example: ['voucher', 'shopping'],
  })
  keywords: string[];
  @Flag({ description: 'Whether it can be called here now', example: true })
  available: boolean;
  @OneOf(['available', 'not_configured'], {
    description: '`not_configured`: this deployment has no provider for it; calls are answered 503',
    example: 'available',
  })
  availability: 'available' | 'not_configured';
}

/** Many times what this product offers. */
export const maxServices = 1_000;
/** Nobody reads further; who does not find it there asks with more words. */
export const maxServicesFound = 50;

export class CatalogQuery {}

export class CatalogReply {
  @ListOf(() => CatalogService, {
    description: 'The services, in the order of the catalog',
    maxItems: maxServices,
  })
  services: CatalogService[];
  @Integer({ description: 'How many stand here', min: 0, example: 1 })
  count: number;
}

export class CatalogSearchQuery {
  @Text({
    description:
      'Words to be found, all of them, each from its beginning; signs are no words. Without it, all of the category',
    optional: true,
    maxLength: 256,
    example: 'gift card',
  })
  q?: string;
  @Text({ ...category, description: 'Only services of this category', optional: true })
  category?: string;
}

export class CatalogSearchReply {
  @ListOf(() => CatalogService, { description: 'What was found, the best first', maxItems: maxServicesFound })
  services: CatalogService[];
  @Integer({ description: 'How many stand here', min: 0, max: maxServicesFound, example: 1 })
  count: number;
}

export class CatalogServiceQuery {
  @Text(serviceId)
  id: string;
}

const auth = { key: 'secret', permission: 'read' } as const;

/** What can be bought here. */
export const catalogApi = feature('service-api', 'catalog', 'Service catalog', {
  listServices: operation({
    method: 'GET',
    path: '/catalog',
    summary: 'All services that can be called or bought here',
    description: `At most ${maxServices}.`,
    input: CatalogQuery,
    output: CatalogReply,
    errors: [],
    auth,
  }),
  searchServices: operation({
    method: 'GET',
    path: '/catalog/search',
    summary: 'Find services by words and category',
    description: `Names count more than descriptions, whole words more than beginnings. At most ${maxServicesFound} are answered.`,
    input: CatalogSearchQuery,
    output: CatalogSearchReply,
    errors: [],
    auth,
  }),
  getService: operation({
    method: 'GET',
    path: '/catalog/{id}',
    summary: 'One service',
    input: CatalogServiceQuery,
    output: CatalogService,
    errors: ['NOT_FOUND'],
    auth,
  }),
});
