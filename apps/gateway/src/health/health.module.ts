import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { MetricsRoute } from './metrics-route';

@Module({ controllers: [HealthController], providers: [MetricsRoute] })
export class HealthModule {}
