import { feature, merchantAuth, operation } from '@tollbridge/rpc';
import { Flag, FreeForm, Integer, ListOf, Nested, OneOf, Text, Unsigned } from '../decorators';

const ServiceId = () => Text('Id of the service', { maxLength: 64, example: 'giftcard-order' });
const category = { description: 'Category of the service', maxLength: 64, example: 'gift' };

/**
 * - `free`: the item costs nothing
 * - `face_value`: each purchase has its own price, such as a gift card
 * - `provider_price`: the provider's price for each item
 * - `percentage`: a percentage of the amount
 */
export const priceModels = ['free', 'face_value', 'provider_price', 'percentage'] as const;
export type PriceModel = (typeof priceModels)[number];

export class ServicePrice {
  @OneOf(
    priceModels,
    "Pricing model: `free`, `face_value` (the purchase has its own price), `provider_price` (the provider's price for each item), `percentage` (a part of the amount)",
    { example: 'face_value' },
  )
  model: PriceModel;
  @Text('Human-readable price', { example: 'The price of the card, and the fee that its list shows.' })
  description: string;
}

export class ServiceRoute {
  @OneOf(['GET', 'POST'], 'Method', { example: 'POST' }) method: 'GET' | 'POST';
  @Text('Path', { example: '/gift/giftcards/order' }) route: string;
  @FreeForm(
    { type: 'object', additionalProperties: true },
    'Example of the input: the body with POST, path and query with GET',
    { example: { productId: 10, quantity: 1, unitPrice: 25 } },
  )
  request: Record<string, unknown>;
}

export class CatalogService {
  @ServiceId() id: string;
  @Text('Display name', { example: 'Order a gift card' }) name: string;
  @Text(category) category: string;
  @Text('Description of the service', { maxLength: 1_000, example: 'Buys a gift card of a brand.' })
  description: string;
  @Nested(() => ServicePrice, 'Price') price: ServicePrice;
  @OneOf(['GET', 'POST'], 'Method of the first route', { example: 'POST' }) method: 'GET' | 'POST';
  @Text('Path of the first route', { example: '/gift/giftcards/order' }) route: string;
  @FreeForm({ type: 'object', additionalProperties: true }, 'Example input of the first route', {
    example: { productId: 10, quantity: 1, unitPrice: 25 },
  })
  request: Record<string, unknown>;
  @ListOf(() => ServiceRoute, 'All routes, including the first one', { maxItems: 4 }) routes: ServiceRoute[];
  @ListOf('string', 'Additional search terms', { maxItems: 20, example: ['voucher', 'shopping'] })
  keywords: string[];
  @Flag('Whether the service is currently available') available: boolean;
  @OneOf(
    ['available', 'not_configured'],
    '`not_configured`: this deployment has no provider for it; calls return 503',
  )
  availability: 'available' | 'not_configured';
}

/** Maximum length of the list, far above the number of services. */
export const maxServices = 1_000;
/** Maximum results of a search. A narrower search finds the omitted services. */
export const maxServicesFound = 50;

export class CatalogQuery {}

export class CatalogReply {
  @ListOf(() => CatalogService, 'Services in catalog order', { maxItems: maxServices })
  services: CatalogService[];
  @Unsigned('Number of services in this reply', { example: 1 }) count: number;
}

export class CatalogSearchQuery {
  @Text(
    'Search words; a service must match all of them, each as a prefix. Punctuation is ignored. Without words: all services of the category',
    { optional: true, maxLength: 256, example: 'gift card' },
  )
  q?: string;
  @Text('Only services of this category', { ...category, optional: true }) category?: string;
}

export class CatalogSearchReply {
  @ListOf(() => CatalogService, 'Matching services, best match first', { maxItems: maxServicesFound })
  services: CatalogService[];
  @Integer('Number of services in this reply', { min: 0, max: maxServicesFound, example: 1 }) count: number;
}

export class CatalogServiceQuery {
  @ServiceId() id: string;
}

const auth = merchantAuth('read');

/** The service catalog. */
export const catalogApi = feature('service-api', 'catalog', 'Service catalog', {
  listServices: operation('GET /catalog', {
    summary: 'List all available services',
    description: `At most ${maxServices}.`,
    input: CatalogQuery,
    output: CatalogReply,
    auth,
  }),
  searchServices: operation('GET /catalog/search', {
    summary: 'Search services by words and category',
    description: `Names rank above descriptions, and whole words above prefixes. At most ${maxServicesFound} services are returned.`,
    input: CatalogSearchQuery,
    output: CatalogSearchReply,
    auth,
  }),
  getService: operation('GET /catalog/{id}', {
    summary: 'Read a service',
    input: CatalogServiceQuery,
    output: CatalogService,
    errors: ['NOT_FOUND'],
    auth,
  }),
});
