import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { tlsFilesOf } from '@tollbridge/config';
import type { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { BusModule, type BusModuleOptions } from './bus/bus.module';
import { ConfigModule } from './config.module';
import { Connections } from './bus/connections';
import { DatabaseModule, type AppDatabase } from './database/database.module';
import { peerOptionsOf } from './bus/event-signing';
import { Health, healthHandlersOf } from './health';
import { SandboxClockFollower } from './work/sandbox-clock';
import { ObservabilityModule } from './observability.module';
import { Stopping } from './work/stopping';

export interface PlatformOptions {
  /** The app's root module, which imports its features. */
  module: Type;
  config: unknown;
  bus: BusModuleOptions;
  database?: AppDatabase | undefined;
  clock?: Clock | undefined;
  /** Uses the time of the sandbox app (`POST /sandbox/clock`). */
  followsSandboxClock?: boolean | undefined;
  replySecret?: string | undefined;
}

/** Objects that are created before the Nest container of an app. */
export interface Platform {
  logger: Logger;
  connections: Connections;
  stopping: Stopping;
}

/** The platform modules of every app: configuration, logs, metrics, the bus, and a database if the app has one. */
@Module({})
export class PlatformModule {
  static forRoot(
    { module, config, bus, database, clock, followsSandboxClock, replySecret }: PlatformOptions,
    { logger, connections, stopping }: Platform,
  ): DynamicModule {
    const databaseModule = database
      ? DatabaseModule.forRootAsync({
          useFactory: () => ({
            tls: tlsFilesOf(config, 'database'),
            ...database,
            app: bus.app,
            ...(clock && { clock }),
            ...(followsSandboxClock && { followsSandboxClock }),
            ...(replySecret !== undefined && { replySecret }),
          }),
        })
      : DatabaseModule.withoutDatabase(clock);
    return {
      module: PlatformModule,
      global: true,
      imports: [
        ConfigModule.forRoot(config),
        ObservabilityModule.forRoot({ app: bus.app, logger }),
        BusModule.forRootAsync({
          useFactory: () => ({
            tls: tlsFilesOf(config, 'nats'),
            peers: peerOptionsOf(bus.app, config),
            ...bus,
          }),
        }),
        databaseModule,
        module,
      ],
      controllers: healthHandlersOf(bus.app),
      providers: [
        { provide: Connections, useValue: connections },
        { provide: Stopping, useValue: stopping },
        SandboxClockFollower,
        Health,
      ],
      exports: [Connections, Stopping, Health],
    };
  }
}
