import { Module } from '@nestjs/common';
import { ApprovalPages } from './approval-pages';
import { AttemptPages } from './attempt-pages';
import { CheckoutPages } from './checkout-pages';
import { FirstPayment } from './first-payment';
import type { PageHandler } from './page-handler';
import { PageHandlers, PageRoutes } from './page-routes';
import { MissingPages } from './missing-pages';
import { PayLinkPages } from './paylink-pages';
import { QrController } from './qr.controller';
import { SandboxPanelPages } from './sandbox-panel-pages';
import { TonManifestController } from './ton-manifest.controller';
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
