import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { createHash } from 'node:crypto';
import { fastifyOf } from '../http/gateway-adapter';
import type { GatewayRoute } from '../routes/gateway-route';
import { RouteTable } from '../routes/route-table';
import { hasCaip2Network } from '../sales/payment-required';
import { bazaarOf, soldRoutes } from './sold-routes';

/** `DiscoveryResource` of x402. */
export interface SoldResource {
  resource: string;
  type: 'http';
  x402Version: number;
  accepts: readonly Record<string, unknown>[];
  /** In dollars, where the operation names its price so. */
  priceUsd?: string;
  /** Whether that and the amounts are a lower bound: what is sold costs more or less by its input. */
  isFrom?: boolean;
  /** ISO time since when this process has seen it like this. */
  lastUpdated: string;
  description?: string;
  mimeType?: string;
  extensions: Record<string, unknown>;
}

interface Offer {
  subject: string;
  resource: SoldResource;
}

interface PaymentRequired {
  x402Version: number;
  resource?: { url?: string; description?: string; mimeType?: string };
  accepts: Record<string, unknown>[];
  extensions?: Record<string, unknown>;
  priceUsd?: string;
  isFrom?: boolean;
}

/** How long a list is served. A list that lacks a route is read sooner: a service may not have answered. */
const [freshMs, incompleteMs] = [60_000, 5_000];

/**
 * What the gateway sells. It reads the 402 of each route by a request without payment, as an indexer does. The list
 * cannot differ from what a buyer gets.
 */
@Injectable()
export class SoldResources {
  private current: { untilMs: number; offers: Promise<readonly Offer[]> } | undefined;
  private readonly seen = new Map<string, { digest: string; since: string }>();

  private readonly routes: readonly GatewayRoute[];

  constructor(
    private readonly host: HttpAdapterHost,
    { routes }: RouteTable,
  ) {
    this.routes = soldRoutes(routes);
  }

  /** In the order of the route table. A route that does not answer 402 is not sold at present. */
  async list(): Promise<readonly SoldResource[]> {
    return (await this.offers()).map(({ resource }) => resource);
  }

  /** Subjects of the operations that are sold. */
  async subjects(): Promise<ReadonlySet<string>> {
    return new Set((await this.offers()).map(({ subject }) => subject));
  }

  private offers(): Promise<readonly Offer[]> {
    const now = performance.now();
    if (!this.current || now >= this.current.untilMs) {
      const current = { untilMs: now + freshMs, offers: this.read() };
      this.current = current;
      const keep = (isComplete: boolean) => {
        if (!isComplete) current.untilMs = now + incompleteMs;
      };
      current.offers.then(
        ({ length }) => keep(length === this.routes.length),
        () => keep(false),
      );
    }
    return this.current.offers;
  }

  private async read(): Promise<readonly Offer[]> {
    const found: Offer[] = [];
    // One after the other: several services are asked for their prices.
    for (const route of this.routes) {
      const answer = await this.probe(route);
      if (answer)
        found.push({ subject: route.declaration.subject, resource: this.resourceOf(route, answer) });
    }
    return found;
  }

  private async probe({ declaration: { method, path } }: GatewayRoute): Promise<PaymentRequired | undefined> {
    const { statusCode, body } = await fastifyOf(this.host).inject({ method, url: path });
    return statusCode === 402 ? (JSON.parse(body) as PaymentRequired) : undefined;
  }

  private resourceOf(route: GatewayRoute, answer: PaymentRequired): SoldResource {
    const { x402Version, resource = {}, extensions, priceUsd, isFrom } = answer;
    const { url = route.declaration.path, description, mimeType } = resource;
    const item = {
      resource: url,
      type: 'http' as const,
      x402Version,
      accepts: answer.accepts.filter(hasCaip2Network).map(withoutOffer),
      ...(priceUsd !== undefined && { priceUsd }),
      ...(isFrom !== undefined && { isFrom }),
      ...(description !== undefined && { description }),
      ...(mimeType !== undefined && { mimeType }),
      extensions: { bazaar: bazaarOf(route), ...extensions },
    };
    return { ...item, lastUpdated: this.sinceOf(item) };
  }

  private sinceOf(item: { resource: string }): string {
    const digest = createHash('sha256').update(JSON.stringify(item)).digest('base64url');
    const before = this.seen.get(item.resource);
    if (before?.digest === digest) return before.since;
    const since = new Date().toISOString();
    this.seen.set(item.resource, { digest, since });
    return since;
  }
}

/** An offer is for one buyer, who gets it in a 402. */
function withoutOffer({ extra, ...accepted }: Record<string, unknown>): Record<string, unknown> {
  if (extra === undefined) return accepted;
  const { offer: _, ...shared } = extra as Record<string, unknown>;
  return { ...accepted, extra: shared };
}
