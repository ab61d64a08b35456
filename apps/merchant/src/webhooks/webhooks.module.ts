import { Module } from '@nestjs/common';
import { PaymentReferencesModule } from '../payments/requests/payment-references.module';
import { SettingsModule } from '../settings/settings.module';
import { OrderWebhooks } from './order-webhooks';
import { WebhookEndpointsModule } from './webhook-endpoints.module';
import { WebhookFigures } from './webhook-figures';
import { WebhookMessagesRepository } from './webhook-messages.repository';
import { WebhookQueueRepository } from './webhook-queue.repository';
import { WebhookSender } from './webhook-sender';
import { WebhookTests } from './webhook-tests';
import { WebhooksHandlers } from './webhooks.handlers';
import { WebhooksWorker } from './webhooks.worker';

/** Webhook messages: their queue, their delivery, and the merchants' operations on both. */
@Module({
  imports: [WebhookEndpointsModule, SettingsModule, PaymentReferencesModule],
  controllers: [WebhooksHandlers],
  providers: [
    WebhookMessagesRepository,
    WebhookQueueRepository,
    WebhookFigures,
    WebhookSender,
    WebhooksWorker,
    WebhookTests,
    OrderWebhooks,
  ],
  exports: [OrderWebhooks],
})
export class WebhooksModule {}
