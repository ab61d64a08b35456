import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { BusConnection } from '@tollbridge/rpc';
import { natsTransport, Paywall } from '@tollbridge/paywall';
import { paywallPlugin } from '@tollbridge/paywall/fastify';
import { randomBytes } from 'node:crypto';
import type { GatewayConfig } from '../config';
import { bazaarOf } from '../discovery/sold-routes';
import { fastifyOf } from '../http/gateway-adapter';
import { RouteTable } from '../routes/route-table';
import { demoSeller, demoWays } from './demo-ways';
import { buyDemoResource } from './demo.routes';

const price = '$0.001';
// The lifetime of buyers' signatures. The time of a local chain may be minutes ahead.
const maxTimeoutS = 300;

/**
 * `GET /demo/premium`: a resource to buy in the sandbox, sold by the same paywall plugin that sellers use. Not a
 * controller, because it is a Fastify plugin and the route exists in the sandbox only.
 */
@Injectable()
export class DemoRoute implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly table: RouteTable,
    private readonly bus: BusConnection,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL' | 'CHAINS_FILE'>,
  ) {}

  onModuleInit(): void {
    if (!this.table.has(buyDemoResource)) return;
    const { GATEWAY_PUBLIC_URL: publicUrl, CHAINS_FILE: chainsFile } = this.config;
    const { nats: connection, inboxPrefix } = this.bus;
    const paywall = new Paywall({
      baseUrl: publicUrl,
      gateway: publicUrl,
      to: demoSeller,
      transport: natsTransport({ connection, inboxPrefix }),
      accepts: demoWays(chainsFile),
      // The random secret is sufficient, because the sandbox runs only one process that verifies the challenges.
      mpp: { secret: randomBytes(32).toString('hex') },
    });
    void fastifyOf(this.host).register(async (server) => {
      await server.register(paywallPlugin, { paywall });
      const paid = {
        price,
        maxTimeoutS,
        description: 'The weather of Lisbon',
        mimeType: 'application/json',
        extensions: { bazaar: bazaarOf(buyDemoResource) },
      };
      server.get(buyDemoResource.declaration.path, { config: { paid } }, (request, reply) => {
        const { confirmationId, amount, from } = request.payment!;
        return reply.send({
          city: 'Lisbon',
          celsius: 21,
          sky: 'clear',
          payment: { confirmationId, amount, from },
        });
      });
    });
  }
}
