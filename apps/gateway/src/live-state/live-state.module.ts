import { Module } from '@nestjs/common';
import { ClientAddressModule } from '../client-address/client-address.module';
import { Feeds } from './feeds';
import { LiveStateRoutes } from './live-state-routes';

@Module({ imports: [ClientAddressModule], providers: [Feeds, LiveStateRoutes], exports: [Feeds] })
export class LiveStateModule {}
