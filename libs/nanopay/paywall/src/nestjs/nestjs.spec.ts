import { request as httpRequest } from 'node:http';
import {
  BadRequestException,
  Body,
  Catch,
  Controller,
  Get,
  Inject,
  Param,
  ParseIntPipe,
  Post,
  Res,
  Type,
  type ArgumentsHost,
  type ExceptionFilter,
  type INestApplication,
  type PipeTransform,
} from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { PaymentRequired } from '@tollbridge/nanopay-protocol';
import { describeAdapter, type AdapterHarness } from '../testing/adapter-conformance';
import { buyerAddress, deployment, headerFor, sampleHarness, seller } from '../testing/samples';
import { paid } from '../express';
import { Paid, Payment, PaywallModule, Paywall, type PaymentContext } from './index';

const adapterHarness = Symbol('AdapterHarness');

class PromptPipe implements PipeTransform {
  transform(body: { prompt?: unknown } | undefined): unknown {
    if (typeof body?.prompt !== 'string') throw new BadRequestException();
    return body;
  }
}

class Unlucky extends Error {}

/** A filter that converts a domain error to a status. Filters run after every interceptor. */
@Catch(Unlucky)
class UnluckyFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}
  catch(_error: Unlucky, host: ArgumentsHost): void {
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), { code: 'unlucky' }, 503);
  }
}

@Controller()
class Shop {
  constructor(@Inject(adapterHarness) private readonly harness: AdapterHarness) {}

  @Paid({ price: '$0.001' })
  @Get('sold')
  sold(@Payment() payment: PaymentContext, @Res({ passthrough: true }) response: any) {
    return this.serve(payment, response);
  }

  @Paid({ price: '$0.001' })
  @Post('sold')
  alsoSold(@Payment() payment: PaymentContext, @Res({ passthrough: true }) response: any) {
    return this.serve(payment, response);
  }

  @Get('free')
  free(@Payment() payment: PaymentContext | undefined) {
    return { isFree: payment === undefined };
  }

  @Paid({ amount: '1000', bindBody: true })
  @Post('bound')
  bound(@Body() body: unknown) {
    return { echo: body };
  }

  @Paid({ price: '$0.001', signIn: { accessS: 60 } })
  @Post('typed/:id')
  typed(@Param('id', ParseIntPipe) id: number, @Body(new PromptPipe()) body: { prompt: string }) {
    return { id, body };
  }

  private serve(payment: PaymentContext, response: any) {
    const { handler } = this.harness;
    handler.calls++;
    if (handler.throws) throw new Unlucky();
    response.status(handler.status);
    return { paidBy: payment.from };
  }
}

@Paid({ amount: '5' })
@Controller('club')
class Club {
  @Get('entry')
  entry() {
    return 'in';
  }

  @Paid({ amount: '7' })
  @Get('bar')
  bar() {
    return 'drink';
  }
}

async function start(
  harness: AdapterHarness,
  platform: Type<ExpressAdapter | FastifyAdapter>,
  before: (app: INestApplication) => void = () => undefined,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const module = {
    module: class Root {},
    controllers: [Shop, Club],
    imports: [
      PaywallModule.forRootAsync({ useFactory: () => ({ ...harness.options, transport: harness.ledger }) }),
    ],
    providers: [{ provide: adapterHarness, useValue: harness }],
  };
  const app: INestApplication = await NestFactory.create(module, new platform(), {
    logger: false,
    rawBody: true,
  });
  before(app);
  app.useGlobalFilters(new UnluckyFilter(app.get(HttpAdapterHost)));
  app.enableCors(app.get(Paywall).corsOptions());
  await app.listen(0, '127.0.0.1');
  return { url: await app.getUrl(), stop: () => app.close() };
}

describeAdapter('NestJS on Express', (harness) => start(harness, ExpressAdapter), httpRequest);
describeAdapter('NestJS on Fastify', (harness) => start(harness, FastifyAdapter as never), httpRequest);

it('prefers the price of the method to the price of the class, and charges nothing without a price', async () => {
  const { ledger } = sampleHarness();
  const options = { baseUrl: 'https://api.example.com', to: seller, deployment };
  const handler = { status: 200, throws: false, calls: 0 };
  const { url, stop } = await start({ ledger, options, handler } as never, ExpressAdapter);
  const priceOf = async (path: string) =>
    ((await (await fetch(`${url}${path}`)).json()) as PaymentRequired).accepts[0]!.amount;
  expect(await priceOf('/club/entry')).toBe('5');
  expect(await priceOf('/club/bar')).toBe('7');
  expect(await (await fetch(`${url}/free`)).json()).toEqual({ isFree: true });
  const required = (await fetch(`${url}/club/bar`)).headers.get('payment-required')!;
  const headers = { 'payment-signature': await headerFor(required) };
  const paid = await fetch(`${url}/club/bar`, { headers });
  expect(await paid.text()).toBe('drink');
  // The guard runs for the class and for the method, but charges only once.
  expect(1_000_000n - ledger.balanceOf(buyerAddress)).toBe(7n);
  await stop();
});

it('charges nothing for a request with two prices', async () => {
  const { ledger } = sampleHarness();
  const options = { baseUrl: 'https://api.example.com', to: seller, deployment };
  const handler = { status: 200, throws: false, calls: 0 };
  const cheaper = (app: INestApplication) => {
    app.use('/club/bar', paid(app.get(Paywall), { amount: '1' }));
  };
  const { url, stop } = await start({ ledger, options, handler } as never, ExpressAdapter, cheaper);
  const required = (await fetch(`${url}/club/bar`)).headers.get('payment-required')!;
  const headers = { 'payment-signature': await headerFor(required) };
  const response = await fetch(`${url}/club/bar`, { headers });
  expect(response.status).toBe(500);
  expect(await response.text()).not.toBe('drink');
  expect(ledger.balanceOf(seller)).toBe(0n);
  await stop();
});
