// The HTTP side of the peer: each route is one request to the service by Nest's NATS transport.
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Module,
  Param,
  ParseUUIDPipe,
  Post,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClientProxy, ClientsModule, Transport } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Observable } from 'rxjs';
import { CreateOrder } from './create-order';
import { subjects, type PlainNestSettings } from './settings';

const { nats } = JSON.parse(process.argv[2]!) as PlainNestSettings;

@Controller('api/v1/pay')
class OrdersController {
  constructor(@Inject('BUS') private readonly bus: ClientProxy) {}

  @Post('create-order')
  @HttpCode(200)
  create(@Body() body: CreateOrder): Observable<unknown> {
    return this.bus.send(subjects.create, body);
  }

  @Get('order/:id')
  read(@Param('id', ParseUUIDPipe) id: string): Observable<unknown> {
    return this.bus.send(subjects.read, { id });
  }
}

@Module({
  imports: [ClientsModule.register([{ name: 'BUS', transport: Transport.NATS, options: nats }])],
  controllers: [OrdersController],
})
class GatewayModule {}

async function run(): Promise<void> {
  const app = await NestFactory.create(GatewayModule, new FastifyAdapter(), { logger: ['error'] });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }));
  await app.listen(0, '127.0.0.1');
  process.send!({ url: await app.getUrl() });
}
void run();
