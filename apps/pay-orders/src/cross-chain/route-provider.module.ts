import { Module } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { RouteProvider, routeProviderOf } from './route-provider';

/** The configured provider of cross-chain routes. */
@Module({
  providers: [{ provide: RouteProvider, inject: [ServiceConfig], useFactory: routeProviderOf }],
  exports: [RouteProvider],
})
export class RouteProviderModule {}
