import { Module } from '@nestjs/common';
import { SiteModule } from '../site/site.module';
import { DiscoveryController } from './discovery.controller';
import { SoldResources } from './sold-resources';

@Module({
  imports: [SiteModule],
  controllers: [DiscoveryController],
  providers: [SoldResources],
  exports: [SoldResources],
})
export class DiscoveryModule {}
