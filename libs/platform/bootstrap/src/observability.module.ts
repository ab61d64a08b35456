import { Module, type DynamicModule } from '@nestjs/common';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceLogger } from './service-tokens';

/** Provides `ServiceLogger` and `Metrics` to every feature. */
@Module({})
export class ObservabilityModule {
  static forRoot({ app, logger }: { app: string; logger: Logger }): DynamicModule {
    return {
      module: ObservabilityModule,
      global: true,
      providers: [
        { provide: ServiceLogger, useValue: logger },
        { provide: Metrics, useFactory: () => new Metrics(app) },
      ],
      exports: [ServiceLogger, Metrics],
    };
  }
}
