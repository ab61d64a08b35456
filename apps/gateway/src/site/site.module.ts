import { Module } from '@nestjs/common';
import { WebModule } from '../web/web.module';
import { Guides } from './guides';
import { GuidesController } from './guides.controller';
import { LandingController } from './landing.controller';

@Module({
  imports: [WebModule],
  controllers: [LandingController, GuidesController],
  providers: [Guides],
  exports: [Guides],
})
export class SiteModule {}
