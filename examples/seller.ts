import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Paid, PaywallModule } from '@tollbridge/paywall/nestjs';

@Controller()
class Shop {
  @Paid({ amount: '1000', to: `0:${'5e'.repeat(32)}` }) // a tenth of a cent, to your account of TON
  @Get('forecast')
  forecast() {
    return { tomorrow: 'sunny' };
  }
}

const places = { baseUrl: 'http://127.0.0.1:4020', gateway: 'http://127.0.0.1:3000' };
@Module({ imports: [PaywallModule.forRoot(places)], controllers: [Shop] })
class App {}
void NestFactory.create(App, { logger: false }).then((app) => app.listen(4020));
