import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller';
import { WebFiles } from './web-files';

@Module({
  controllers: [AssetsController],
  providers: [{ provide: WebFiles, useFactory: () => new WebFiles() }],
  exports: [WebFiles],
})
export class WebModule {}
