import { features } from '@tollbridge/contracts';
import { decode, type Operation } from '@tollbridge/rpc';
import { settings } from '../config';
import { providers } from './providers';
import { services } from './services';

const operations = features.flatMap((feature) => Object.values(feature.operations) as Operation[]);
const declared = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
const routes = services.flatMap((service) => service.routes);
const nameOf = ({ method, route }: { method: string; route: string }): string => `${method} ${route}`;

describe('Catalog services', () => {
  it('lists 22 services and 25 routes, each once', () => {
    expect(services).toHaveLength(22);
    expect(new Set(services.map(({ id }) => id)).size).toBe(22);
    expect(routes).toHaveLength(25);
    expect(new Set(routes.map(nameOf)).size).toBe(25);
  });

  it('lists only served routes', () => {
    const missing = routes.map(nameOf).filter((name) => !declared.has(name));
    expect(missing).toEqual([]);
  });

  it('shows valid request examples', () => {
    const wrong = routes.flatMap((route) => {
      const operation = declared.get(nameOf(route));
      if (!operation) return [];
      const decoded = decode(operation.input, route.request, { fromText: !operation.hasBody });
      return decoded.ok ? [] : [{ route: nameOf(route), errors: decoded.errors }];
    });
    expect(wrong).toEqual([]);
  });

  it('lists every paid route of the service API', () => {
    const own = [
      'GET /catalog',
      'GET /catalog/search',
      'GET /catalog/{id}',
      'GET /payout',
      'GET /payout/{id}',
      'POST /payout/{id}/approve',
      'POST /payout/{id}/reject',
    ];
    const served = [...declared].filter(([, { app }]) => app === 'service-api').map(([name]) => name);
    const listed = routes.map(nameOf);
    expect(served.filter((name) => !listed.includes(name) && !own.includes(name))).toEqual([]);
  });

  it('maps each service to a provider with existing settings', () => {
    expect(services.map(({ provider }) => provider).filter((name) => !providers[name])).toEqual([]);
    const named = Object.values(providers).flat(2);
    expect(named.filter((name) => !(name in settings))).toEqual([]);
  });

  it('keeps the limits that the contract declares', () => {
    for (const { id, category, description, keywords, routes } of services) {
      expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(id.length).toBeLessThanOrEqual(64);
      expect(category).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(description.length).toBeLessThanOrEqual(1_000);
      expect(keywords.length).toBeLessThanOrEqual(20);
      expect(routes.length).toBeGreaterThan(0);
      expect(routes.length).toBeLessThanOrEqual(4);
    }
  });
});
