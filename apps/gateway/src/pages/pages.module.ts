import { Module } from '@nestjs/common';
import { CheckoutPages } from './checkout-pages';
import type { PageHandler } from './page-handler';
import { PageHandlers, PageRoutes } from './page-routes';
import { PayLinkPages } from './paylink-pages';
import { QrController } from './qr.controller';
import { TonManifestController } from './ton-manifest.controller';
import { WebModule } from '../web/web.module';

const pageHandlers = {
  provide: PageHandlers,
  useFactory: (checkout: CheckoutPages, payLinks: PayLinkPages): PageHandler[] => [
    ...checkout.handlers,
    ...payLinks.handlers,
  ],
  inject: [CheckoutPages, PayLinkPages],
};

@Module({
  imports: [WebModule],
  controllers: [QrController, TonManifestController],
  providers: [CheckoutPages, PayLinkPages, pageHandlers, PageRoutes],
})
export class PagesModule {}
