import { Module } from '@nestjs/common';
import { PeppersModule } from '../peppers/peppers.module';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository';
import { WebhookSecrets } from './webhook-secrets';

/**
 * Endpoints of webhooks. Apart from their delivery, since settings write endpoints and tests of webhooks read settings.
 */
@Module({
  imports: [PeppersModule],
  providers: [WebhookSecrets, WebhookEndpointsRepository],
  exports: [WebhookSecrets, WebhookEndpointsRepository],
})
export class WebhookEndpointsModule {}
