import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { BusConnection } from '@tollbridge/rpc';
import { natsTransport, Paywall } from '@tollbridge/paywall';
import { paywallPlugin } from '@tollbridge/paywall/fastify';
import { createHash } from 'node:crypto';
import type { GatewayConfig } from '../config';
import { fastifyOf } from '../http/gateway-adapter';
import { RouteTable } from '../routes/route-table';
import { buyDemoResource } from './demo.routes';

/** A tenth of a cent. */
const priceAtomic = '1000';
/** A TON address without a private key. */
const demoSeller = `0:${createHash('sha256').update('tollbridge sandbox: demo seller').digest('hex')}`;

/**
 * `GET /demo/premium`: a resource to buy in the sandbox, sold by the same paywall plugin that sellers use. Not a
 * controller, because the plugin is one of Fastify and the route exists in the sandbox only.
 */
@Injectable()
export class DemoRoute implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly table: RouteTable,
    private readonly bus: BusConnection,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
  ) {}

  onModuleInit(): void {
    if (!this.table.has(buyDemoResource)) return;
    const { GATEWAY_PUBLIC_URL: publicUrl } = this.config;
    const { nats: connection, inboxPrefix } = this.bus;
    const paywall = new Paywall({
      baseUrl: publicUrl,
      gateway: publicUrl,
      to: demoSeller,
      transport: natsTransport({ connection, inboxPrefix }),
    });
    void fastifyOf(this.host).register(async (server) => {
      await server.register(paywallPlugin, { paywall });
      const paid = {
        amount: priceAtomic,
        description: 'The weather of Lisbon',
        mimeType: 'application/json',
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
