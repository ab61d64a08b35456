import { Module } from '@nestjs/common';
import { WebhookEndpointsModule } from '../webhooks/webhook-endpoints.module';
import { PepperRotation } from './pepper-rotation.worker';
import { PeppersModule } from './peppers.module';
import { PeppersRepository } from './peppers.repository';

/** Replaces the pepper of stored secrets while the app runs. */
@Module({
  imports: [PeppersModule, WebhookEndpointsModule],
  providers: [PeppersRepository, PepperRotation],
})
export class PepperRotationModule {}
