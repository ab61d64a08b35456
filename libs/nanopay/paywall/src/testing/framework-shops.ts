import { Controller, Get } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import fastify from 'fastify';
import { paywallPlugin } from '../fastify';
import { Paid, Payment, PaywallModule, type PaymentContext } from '../nestjs';
import { Paywall, type PaywallOptions } from '../paywall';

/** A seller's process with the route `/sold` ($0.001). */
export interface FrameworkShop {
  url: string;
  stop(): Promise<void>;
}

export async function startFastifyShop(options: PaywallOptions): Promise<FrameworkShop> {
  const paywall = new Paywall(options);
  const app = fastify();
  await app.register(paywallPlugin, { paywall });
  app.get('/sold', { config: { paid: { price: '$0.001' } } }, async ({ payment }) => ({
    paidBy: payment!.from,
  }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const stop = () => app.close().then(() => paywall.close());
  return { url: app.listeningOrigin, stop };
}

@Controller()
class Shop {
  @Paid({ price: '$0.001' })
  @Get('sold')
  sold(@Payment() payment: PaymentContext) {
    return { paidBy: payment.from };
  }
}

export async function startNestShop(options: PaywallOptions): Promise<FrameworkShop> {
  class ShopModule {}
  const imports = [PaywallModule.forRootAsync({ useFactory: () => options })];
  const module = { module: ShopModule, controllers: [Shop], imports };
  const app = await NestFactory.create(module, new FastifyAdapter() as never, { logger: false });
  await app.listen(0, '127.0.0.1');
  return { url: await app.getUrl(), stop: () => app.close() };
}
