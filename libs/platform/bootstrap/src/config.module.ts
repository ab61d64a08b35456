import { Module, type DynamicModule } from '@nestjs/common';
import { ServiceConfig } from './bus/service-tokens';

/** Provides the app's configuration, parsed and validated once, as `ServiceConfig`. */
@Module({})
export class ConfigModule {
  static forRoot(config: unknown): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: ServiceConfig, useValue: config }],
      exports: [ServiceConfig],
    };
  }
}
