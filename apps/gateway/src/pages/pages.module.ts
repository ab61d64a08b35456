import { Module } from '@nestjs/common';
import { CheckoutPages } from './checkout-pages';
import { FirstPayment } from './first-payment';
import type { PageHandler } from './page-handler';
import { PageHandlers, PageRoutes } from './page-routes';
import { PayLinkPages } from './paylink-pages';
import { QrController } from './qr.controller';
import { TonManifestController } from './ton-manifest.controller';
import { PdfDocuments } from '../pdf/pdf-document';
import { PdfFonts } from '../pdf/pdf-fonts';
import { WebModule } from '../web/web.module';

const pageHandlers = {
  provide: PageHandlers,
  useFactory: (...pages: { handlers: readonly PageHandler[] }[]): PageHandler[] =>
    pages.flatMap(({ handlers }) => handlers),
  inject: [CheckoutPages, PayLinkPages, FirstPayment],
};

@Module({
  imports: [WebModule],
  controllers: [QrController, TonManifestController],
  providers: [CheckoutPages, PayLinkPages, FirstPayment, pageHandlers, PageRoutes, PdfFonts, PdfDocuments],
})
export class PagesModule {}
