import { openRoute } from './gateway-route';
import { gatewayRoutes } from './gateway-routes';
import { RouteTable } from './route-table';

const item = openRoute('items', 'readItem', '/items/{id}', 'Read an item');

describe('RouteTable', () => {
  const table = new RouteTable([item]);

  it('finds a route by its method and the pattern of the router', () => {
    expect(table.find('GET', '/items/:id')).toBe(item);
    expect(table.has(item)).toBe(true);
  });

  it('treats HEAD as GET', () => {
    expect(table.find('HEAD', '/items/:id')).toBe(item);
  });

  it.each([
    ['POST', '/items/:id'],
    ['GET', '/items/1'],
    ['GET', '/items'],
  ])('finds no route for %s %s', (method, url) => {
    expect(table.find(method, url)).toBeUndefined();
  });

  it('rejects a route that is declared twice', () => {
    expect(() => new RouteTable([item, item])).toThrow('Route GET /items/:id is declared twice');
  });
});

describe('gatewayRoutes', () => {
  it('declares no route twice', () => {
    expect(() => new RouteTable(gatewayRoutes('sandbox'))).not.toThrow();
  });

  it('omits sandbox-only routes outside the sandbox', () => {
    const sandboxOnly = [
      '/sandbox',
      '/demo/premium',
      '/metrics',
      '/dashboard/session/demo',
      '/checkout/{id}/{payment}/sandbox',
    ];
    const pathsOf = (environment: 'sandbox' | 'production') =>
      gatewayRoutes(environment).map(({ declaration }) => declaration.path);
    expect(pathsOf('sandbox')).toEqual(expect.arrayContaining(sandboxOnly));
    for (const path of sandboxOnly) expect(pathsOf('production')).not.toContain(path);
  });

  it('admits every own route except health, metrics, logos, documents, pages without data and the stream handshake', () => {
    const open = gatewayRoutes('sandbox').flatMap((route) =>
      route.kind === 'own' && !route.isAdmitted ? [route.declaration.path] : [],
    );
    expect(open).toEqual([
      '/v1/transaction/stream',
      '/tonconnect-manifest.json',
      '/health/live',
      '/health/ready',
      '/health/services',
      '/metrics',
      '/logos/*',
      '/assets/logos/{hash}',
      '/openapi.json',
      '/asyncapi.json',
      '/docs',
      '/docs/errors',
      '/docs/{group}',
      '/assets/{file}',
      '/embed.js',
      '/',
      '/guides',
      '/guides/{slug}',
      '/dashboard',
      '/dashboard/*',
      '/dashboard/qr/{id}',
      '/llms.txt',
      '/llms-full.txt',
      '/.well-known/api-catalog',
    ]);
  });
});
