import { smsApi } from '@tollbridge/contracts';
import {
  bazaarResourceServerExtension,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions';
import type { FastifyReply } from 'fastify';
import { demoRoutes } from '../demo/demo.routes';
import { declareRoute, type OwnRoute } from '../routes/gateway-route';
import { gatewayRoutes, operationRoutes } from '../routes/gateway-routes';
import { Guides } from '../site/guides';
import { GatewayHarness, samplePublicUrl } from '../testing/gateway-harness';
import { DiscoveryController } from './discovery.controller';
import { discoveryRoutes } from './discovery.routes';
import { bazaarOf, soldRoutes } from './sold-routes';
import { SoldResources } from './sold-resources';

const evm = { scheme: 'exact', network: 'eip155:8453', payTo: '0xAbC0000000000000000000000000000000000001' };
const ton = { scheme: 'ton-nanopay', network: 'tvm:-239', payTo: 'EQ-Seller' };

const soldRoute = (name: string): OwnRoute => ({
  kind: 'own',
  isAdmitted: true,
  declaration: declareRoute('sold', name, { method: 'GET', path: `/sold/${name}`, summary: 'Sold' }),
  documentation: { tag: 'Nano-payments', replies: { 402: { description: 'A payment is required' } } },
});
const names = ['weather', 'news', 'closed'];
const guides = [{ slug: 'pay', title: 'Pay', summary: 'Take a payment.', markdown: '# Pay\n\nText\n' }];

let harness: GatewayHarness;
let asked: string[];
let offers: Record<string, { status?: number; accepts?: object[]; extensions?: object }>;

beforeEach(async () => {
  asked = [];
  offers = {
    weather: { accepts: [ton, evm], extensions: { 'payment-identifier': { info: {} } } },
    news: { accepts: [ton] },
    closed: { status: 503 },
  };
  harness = await GatewayHarness.open({
    controllers: [DiscoveryController],
    providers: [SoldResources, { provide: Guides, useValue: { all: guides } }],
    routes: [...discoveryRoutes, ...names.map(soldRoute)],
    register: (server) => {
      for (const name of names) server.get(`/sold/${name}`, (_request, reply) => answer(name, reply));
    },
  });
});
afterEach(() => harness.close());

function answer(name: string, reply: FastifyReply): FastifyReply {
  asked.push(name);
  const { status = 402, accepts, extensions } = offers[name]!;
  const resource = { url: `https://seller.example/sold/${name}`, description: name, mimeType: 'text/plain' };
  return reply.status(status).send({ x402Version: 2, resource, accepts, extensions });
}

async function list(query = '') {
  const { statusCode, body } = await harness.send('GET', `/discovery/resources${query}`);
  const { items = [], pagination, ...rest } = JSON.parse(body);
  const urls = items.map(({ resource }: { resource: string }) => resource.split('/').at(-1));
  return { status: statusCode, urls, items, pagination, ...rest };
}

describe('GET /discovery/resources', () => {
  it('lists the resources that return 402, with the content of that reply', async () => {
    const { urls, items, pagination, x402Version } = await list();
    expect(x402Version).toBe(2);
    expect(urls).toEqual(['weather', 'news']);
    expect(pagination).toEqual({ limit: 20, offset: 0, total: 2 });
    expect(items[0]).toMatchObject({
      resource: 'https://seller.example/sold/weather',
      type: 'http',
      accepts: [ton, evm],
      description: 'weather',
      mimeType: 'text/plain',
      extensions: { 'payment-identifier': { info: {} }, bazaar: { info: { input: { method: 'GET' } } } },
    });
    expect(Date.parse(items[0].lastUpdated)).toBeLessThanOrEqual(Date.now());
  });

  it('caches complete lists for a minute, and reports since when a resource is offered unchanged', async () => {
    offers['closed'] = { accepts: [evm] };
    const before = await list();
    await list();
    expect(asked).toEqual(names);
    const later = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
    offers['news'] = { accepts: [evm] };
    const after = await list();
    later.mockRestore();
    expect(after.items[0].lastUpdated).toBe(before.items[0].lastUpdated);
    expect(after.items[1].accepts).toEqual([evm]);
  });

  it('omits the offer, which differs in each 402 because it is for one buyer', async () => {
    const offered = (offer: string) => ({ ...evm, extra: { name: 'USD Coin', offer } });
    offers['closed'] = { accepts: [evm] };
    offers['news'] = { accepts: [offered('first')] };
    const before = await list();
    offers['news'] = { accepts: [offered('second')] };
    const later = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
    const after = await list();
    later.mockRestore();
    expect(after.items[1]).toEqual(before.items[1]);
    expect(after.items[1].accepts).toEqual([{ ...evm, extra: { name: 'USD Coin' } }]);
  });

  it('reads an unavailable resource again after some seconds', async () => {
    await list();
    offers['closed'] = { accepts: [evm] };
    expect((await list()).urls).not.toContain('closed');
    const later = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_001);
    expect((await list()).urls).toEqual(names);
    later.mockRestore();
    expect(asked).toEqual([...names, ...names]);
  });

  it.each([
    ['?type=http', ['weather', 'news']],
    ['?type=mcp', []],
    ['?scheme=exact', ['weather']],
    ['?scheme=batch-settlement', []],
    ['?network=tvm:-239', ['weather', 'news']],
    ['?network=eip155:999999999', []],
    [`?payTo=${evm.payTo.toLowerCase()}`, ['weather']],
    ['?payTo=eq-seller', []],
    ['?extensions=payment-identifier', ['weather']],
    ['?extensions=toString', []],
    // No single offer matches both parameters.
    ['?scheme=exact&network=tvm:-239', []],
  ])('applies %s, and counts the matches', async (query, expected) => {
    const { urls, pagination } = await list(query);
    expect([urls, pagination.total]).toEqual([expected, expected.length]);
  });

  it.each([
    ['?limit=1', ['weather']],
    ['?limit=1&offset=1', ['news']],
    ['?offset=2', []],
  ])('counts all resources with %s', async (query, expected) => {
    const { urls, pagination } = await list(query);
    expect([urls, pagination.total]).toEqual([expected, 2]);
  });

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=1.5', 'limit'],
    ['?offset=-1', 'offset'],
    ['?network=!!!', 'network'],
    ['?type=', 'type'],
    ['?asset=usdc', 'asset'],
    ['?scheme=exact&scheme=upto', 'scheme'],
  ])('rejects %s', async (query, field) => {
    const { status, code, error, details } = await list(query);
    expect([status, code, details[0].field]).toEqual([400, 'VALIDATION_ERROR', field]);
    expect(error).not.toBe('');
  });

  it('returns an error for a repeated parameter', async () => {
    const { status, details } = await list('?limit=2&limit=3');
    expect([status, details]).toEqual([400, [{ field: 'limit', message: 'must not be repeated' }]]);
  });
});

describe('the declaration of a sold route', () => {
  it.each([
    ['the demo route', demoRoutes[0]!],
    ['an operation with a body', operationRoutes(smsApi)[0]!],
  ])('passes the validation of the official package: %s', (_name, route) => {
    const extension = bazaarOf(route);
    expect(validateDiscoveryExtension(extension as never)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec(extension)).toEqual({ valid: true });
    expect(bazaarResourceServerExtension.key).toBe('bazaar');
  });

  // Clients return the extension in the header of their payment.
  it.each(soldRoutes(gatewayRoutes('sandbox')).map((route) => [route.declaration.path, route] as const))(
    'passes the validation for %s, and fits into a header',
    (_path, route) => {
      const extension = bazaarOf(route);
      expect(validateDiscoveryExtension(extension as never)).toEqual({ valid: true });
      expect(JSON.stringify(extension).length).toBeLessThan(4_096);
    },
  );

  it('depends on the flag of the operation', () => {
    const [sold, other] = operationRoutes(smsApi);
    const declaration = { ...sold!.declaration, sale: 'buys' as const };
    expect(soldRoutes([{ ...sold!, declaration }, other!])).toHaveLength(1);
  });
});

describe('documents for programs', () => {
  it('contain links to pages of this gateway', async () => {
    const { body, headers } = await harness.send('GET', '/llms.txt');
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(body).toMatch(/^# Tollbridge\n\n> /);
    expect(body).toContain(`- [Pay](${samplePublicUrl}/guides/pay.md): Take a payment.`);
    expect(body).toContain(`POST ${samplePublicUrl}/mcp`);
  });

  it('include all guides', async () => {
    const { body } = await harness.send('GET', '/llms-full.txt');
    expect(body).toBe(`<!-- ${samplePublicUrl}/guides/pay -->\n\n# Pay\n\nText\n`);
  });

  it('list the documents of the API as RFC 9727 specifies', async () => {
    const { body, headers } = await harness.send('GET', '/.well-known/api-catalog');
    expect(headers['content-type']).toMatch(/^application\/linkset\+json; profile="/);
    expect(headers['link']).toBe(`<${samplePublicUrl}/.well-known/api-catalog>; rel="api-catalog"`);
    const [set] = JSON.parse(body).linkset;
    expect(set.anchor).toBe(samplePublicUrl);
    expect(set['service-desc'][0].href).toBe(`${samplePublicUrl}/openapi.json`);
  });
});
