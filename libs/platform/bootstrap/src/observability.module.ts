import { Module, type DynamicModule } from '@nestjs/common';
import { Metrics, type Logger } from '@tollbridge/observability';
import { observeProviders } from './work/provider-metrics';
import { ServiceLogger } from './bus/service-tokens';

/** Provides `ServiceLogger` and `Metrics` to every feature. */
@Module({})
export class ObservabilityModule {
  static forRoot({ app, logger }: { app: string; logger: Logger }): DynamicModule {
    return {
      module: ObservabilityModule,
      global: true,
      providers: [
        { provide: ServiceLogger, useValue: logger },
        { provide: Metrics, useFactory: () => metricsOf(app) },
      ],
      exports: [ServiceLogger, Metrics],
    };
  }
}

function metricsOf(app: string): Metrics {
  const metrics = new Metrics(app);
  observeProviders(metrics);
  return metrics;
}
