import {
  feature,
  Flag,
  FreeForm,
  Integer,
  ListOf,
  merchantAuth,
  Nested,
  OneOf,
  operation,
  Text,
} from '@tollbridge/rpc';

const serviceId = { description: 'Id of the service', maxLength: 64, example: 'giftcard-order' };
const category = { description: 'Category of the service', maxLength: 64, example: 'gift' };

/**
 * - `free`: costs nothing
 * - `face_value`: the purchase has its own price, such as a gift card
 * - `provider_price`: the provider's price for each item
 * - `percentage`: a part of the amount
 */
export const priceModels = ['free', 'face_value', 'provider_price', 'percentage'] as const;
export type PriceModel = (typeof priceModels)[number];

export class ServicePrice {
  @OneOf(priceModels, {
    description:
      "Pricing model: `free`, `face_value` (the purchase has its own price), `provider_price` (the provider's price for each item), `percentage` (a part of the amount)",
    example: 'face_value',
  })
  model: PriceModel;
  @Text({
    description: 'Human-readable price',
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
      description: 'Example of the input: the body with POST, path and query with GET',
      example: { productId: 10, quantity: 1, unitPrice: 25 },
    },
  )
  request: Record<string, unknown>;
}

export class CatalogService {
  @Text(serviceId)
  id: string;
  @Text({ description: 'Display name', example: 'Order a gift card' })
  name: string;
  @Text(category)
  category: string;
  @Text({
    description: 'Description of the service',
    maxLength: 1_000,
    example: 'Buys a gift card of a brand.',
  })
  description: string;
  @Nested(() => ServicePrice, { description: 'Price' })
  price: ServicePrice;
  @OneOf(['GET', 'POST'], { description: 'Method of the first route', example: 'POST' })
  method: 'GET' | 'POST';
  @Text({ description: 'Path of the first route', example: '/gift/giftcards/order' })
  route: string;
  @FreeForm(
    { type: 'object', additionalProperties: true },
    {
      description: 'Example input of the first route',
      example: { productId: 10, quantity: 1, unitPrice: 25 },
    },
  )
  request: Record<string, unknown>;
  @ListOf(() => ServiceRoute, { description: 'All routes, including the first one', maxItems: 4 })
  routes: ServiceRoute[];
  @ListOf('string', {
    description: 'Additional search terms',
    maxItems: 20,
    example: ['voucher', 'shopping'],
  })
  keywords: string[];
  @Flag({ description: 'Whether the service is currently available', example: true })
  available: boolean;
  @OneOf(['available', 'not_configured'], {
    description: '`not_configured`: this deployment has no provider for it; calls return 503',
    example: 'available',
  })
  availability: 'available' | 'not_configured';
}

/** Many times the number of services of this product. */
export const maxServices = 1_000;
/** Clients do not read further; a narrower search finds the rest. */
export const maxServicesFound = 50;

export class CatalogQuery {}

export class CatalogReply {
  @ListOf(() => CatalogService, {
    description: 'Services in catalog order',
    maxItems: maxServices,
  })
  services: CatalogService[];
  @Integer({ description: 'Number of services in this reply', min: 0, example: 1 })
  count: number;
}

export class CatalogSearchQuery {
  @Text({
    description:
      'Search words; a service must match all of them, each as a prefix. Punctuation is ignored. Without words: all services of the category',
    optional: true,
    maxLength: 256,
    example: 'gift card',
  })
  q?: string;
  @Text({ ...category, description: 'Only services of this category', optional: true })
  category?: string;
}

export class CatalogSearchReply {
  @ListOf(() => CatalogService, {
    description: 'Matching services, best match first',
    maxItems: maxServicesFound,
  })
  services: CatalogService[];
  @Integer({ description: 'Number of services in this reply', min: 0, max: maxServicesFound, example: 1 })
  count: number;
}

export class CatalogServiceQuery {
  @Text(serviceId)
  id: string;
}

const auth = merchantAuth('read');

/** The service catalog. */
export const catalogApi = feature('service-api', 'catalog', 'Service catalog', {
  listServices: operation({
    method: 'GET',
    path: '/catalog',
    summary: 'List all available services',
    description: `At most ${maxServices}.`,
    input: CatalogQuery,
    output: CatalogReply,
    errors: [],
    auth,
  }),
  searchServices: operation({
    method: 'GET',
    path: '/catalog/search',
    summary: 'Search services by words and category',
    description: `Names rank above descriptions, and whole words above prefixes. At most ${maxServicesFound} services are returned.`,
    input: CatalogSearchQuery,
    output: CatalogSearchReply,
    errors: [],
    auth,
  }),
  getService: operation({
    method: 'GET',
    path: '/catalog/{id}',
    summary: 'Read a service',
    input: CatalogServiceQuery,
    output: CatalogService,
    errors: ['NOT_FOUND'],
    auth,
  }),
});
