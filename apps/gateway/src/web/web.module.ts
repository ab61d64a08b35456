import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller';
import { EmbedController } from './embed.controller';
import { PageRenderer } from '../pages/parts/layout';
import { WebFiles } from './web-files';

@Module({
  controllers: [AssetsController, EmbedController],
  providers: [{ provide: WebFiles, useFactory: () => new WebFiles() }, PageRenderer],
  exports: [WebFiles, PageRenderer],
})
export class WebModule {}
