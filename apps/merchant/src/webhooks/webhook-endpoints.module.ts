import { Module } from '@nestjs/common';
import { PeppersModule } from '../peppers/peppers.module';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository';
import { WebhookSecrets } from './webhook-secrets';

/**
 * Webhook endpoints. They are separate from the delivery, because the settings write endpoints, and webhook tests read
 * settings.
 */
@Module({
  imports: [PeppersModule],
  providers: [WebhookSecrets, WebhookEndpointsRepository],
  exports: [WebhookSecrets, WebhookEndpointsRepository],
})
export class WebhookEndpointsModule {}
