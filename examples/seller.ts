import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Paid, PaywallModule } from '@tollbridge/paywall/nestjs';

@Controller()
class Shop {
  @Paid({ amount: '1000', to: `0:${'5e'.repeat(32)}` }) // 0.001 USDT, to your TON account
  @Get('forecast')
  forecast() {
    return { tomorrow: 'sunny' };
  }
}

const gateway = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
@Module({
  imports: [PaywallModule.forRoot({ baseUrl: 'http://127.0.0.1:4020', gateway })],
  controllers: [Shop],
})
class App {}
void NestFactory.create(App, { logger: false }).then((app) => app.listen(4020));
