import { Module } from '@nestjs/common';
import { CheckoutPages } from './checkout-pages';
import { FirstPayment } from './first-payment';
import type { PageHandler } from './page-handler';
import { PageHandlers, PageRoutes } from './page-routes';
import { PayLinkPages } from './paylink-pages';
import { QrController } from './qr.controller';

const pageHandlers = {
  provide: PageHandlers,
  useFactory: (...pages: { handlers: readonly PageHandler[] }[]): PageHandler[] =>
    pages.flatMap(({ handlers }) => handlers),
  inject: [CheckoutPages, PayLinkPages, FirstPayment],
};

@Module({
  controllers: [QrController],
  providers: [CheckoutPages, PayLinkPages, FirstPayment, pageHandlers, PageRoutes],
})
export class PagesModule {}
