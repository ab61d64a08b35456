import { Module } from '@nestjs/common';
import { ApprovalPages } from './checkout/approval-pages';
import { AttemptPages } from './checkout/attempt-pages';
import { CheckoutPages } from './checkout/checkout-pages';
import { FirstPayment } from './checkout/first-payment';
import type { PageHandler } from './serving/page-handler';
import { PageHandlers, PageRoutes } from './serving/page-routes';
import { MissingPages } from './serving/missing-pages';
import { PayLinkPages } from './paylinks/paylink-pages';
import { QrController } from './parts/qr.controller';
import { SandboxPanelPages } from './checkout/sandbox-panel-pages';
import { TonManifestController } from './wallets/ton-manifest.controller';
import { PdfDocuments } from '../pdf/pdf-document';
import { PdfFonts } from '../pdf/pdf-fonts';
import { WebModule } from '../web/web.module';

const pageHandlers = {
  provide: PageHandlers,
  useFactory: (...pages: { handlers: readonly PageHandler[] }[]): PageHandler[] =>
    pages.flatMap(({ handlers }) => handlers),
  inject: [CheckoutPages, ApprovalPages, AttemptPages, PayLinkPages, FirstPayment, SandboxPanelPages],
};

@Module({
  imports: [WebModule],
  controllers: [QrController, TonManifestController],
  providers: [
    CheckoutPages,
    ApprovalPages,
    AttemptPages,
    PayLinkPages,
    FirstPayment,
    MissingPages,
    SandboxPanelPages,
    pageHandlers,
    PageRoutes,
    PdfFonts,
    PdfDocuments,
  ],
})
export class PagesModule {}
