import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { createHash } from 'node:crypto';
import { fastifyOf } from '../http/gateway-adapter';
import type { GatewayRoute } from '../routes/gateway-route';
import { RouteTable } from '../routes/route-table';
import { hasCaip2Network } from '../sales/payment-required';
import { bazaarOf, soldRoutes } from './sold-routes';

/** The `DiscoveryResource` of x402. */
export interface SoldResource {
  resource: string;
  type: 'http';
  x402Version: number;
  accepts: readonly Record<string, unknown>[];
  /** In US dollars, if the operation declares a price in dollars. */
  priceUsd?: string;
  /** Whether the price and the amounts are lower bounds, because the price depends on the input. */
  isFrom?: boolean;
  /** ISO time when this process first saw the resource with its present terms. */
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

/** The cache lifetime of a list. An incomplete list expires sooner, because a service may not have answered. */
const [freshMs, incompleteMs] = [60_000, 5_000];

/**
 * Requests each sold route without a payment, and reads the resource from its 402. So the list has the prices that a
 * buyer gets, at most a minute old.
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

  /** The sold resources in the order of the route table. A route that does not return 402 is not sold at present. */
  async list(): Promise<readonly SoldResource[]> {
    return (await this.offers()).map(({ resource }) => resource);
  }

  /** The subjects of the operations that are sold. */
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
    // Reads one route after the other, because a 402 may need the prices of several services.
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

/** Removes the offer, which is for one buyer only. */
function withoutOffer({ extra, ...accepted }: Record<string, unknown>): Record<string, unknown> {
  if (extra === undefined) return accepted;
  const { offer: _, ...shared } = extra as Record<string, unknown>;
  return { ...accepted, extra: shared };
}
