import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { MetricsRoute } from './metrics-route';
import { ServicesHealthReader } from './services-health';

@Module({ controllers: [HealthController], providers: [MetricsRoute, ServicesHealthReader] })
export class HealthModule {}
