import type { GatewayRoute } from './gateway-route';

/** The declared routes, by the method and URL pattern of the router. */
export class RouteTable {
  private readonly byPattern = new Map<string, GatewayRoute>();

  constructor(readonly routes: readonly GatewayRoute[]) {
    for (const route of routes) {
      const { method, path } = route.declaration;
      const key = `${method} ${patternOf(path)}`;
      if (this.byPattern.has(key)) throw new Error(`Route ${key} is declared twice`);
      this.byPattern.set(key, route);
    }
  }

  /** @param url in the syntax of the router: `/checkout/:id` */
  find(method: string, url: string): GatewayRoute | undefined {
    // Fastify adds a HEAD route to every GET route.
    return this.byPattern.get(`${method === 'HEAD' ? 'GET' : method} ${url}`);
  }

  has({ declaration: { method, path } }: GatewayRoute): boolean {
    return this.find(method, patternOf(path)) !== undefined;
  }
}

/** Converts `/checkout/{id}` to the syntax of the router: `/checkout/:id`. */
export const patternOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');
