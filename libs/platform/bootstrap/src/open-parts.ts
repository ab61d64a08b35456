import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { callAccess } from '@tollbridge/contracts';
import { Clock, systemClock } from '@tollbridge/database';
import { Metrics } from '@tollbridge/observability';
import { BusClient, BusConnection, MemoryReplies } from '@tollbridge/rpc';
import { preparePlatform, type ServiceOptions, type ServiceParts } from './service';
import { ServiceConfig, ServiceLogger } from './service-tokens';

// What the gateway opens before its container, until its connections come from the platform modules.

@Module({})
export class ServiceModule {
  static with(parts: ServiceParts, config: unknown, module: Type): DynamicModule {
    const providers = [
      { provide: ServiceLogger, useValue: parts.logger },
      { provide: ServiceConfig, useValue: config },
      { provide: Metrics, useValue: parts.metrics },
      { provide: BusConnection, useValue: parts.bus },
      { provide: BusClient, useValue: parts.busClient },
      { provide: Clock, useValue: parts.clock },
    ];
    return { module: ServiceModule, global: true, providers, exports: providers, imports: [module] };
  }
}

export async function openParts(options: Omit<ServiceOptions, 'database'>): Promise<ServiceParts> {
  const { app, identity, access = callAccess } = options;
  const { logger, connections } = await preparePlatform(app, options.config);
  const metrics = new Metrics(app);
  const bus = await BusConnection.open({ app, url: options.natsUrl });
  connections.add('bus', () => bus.close());
  const busClient = new BusClient(bus, identity, access);
  connections.add('busClient', () => busClient.close());
  const clock = systemClock;
  const replies = new MemoryReplies(() => clock.now());
  return { app, logger, metrics, bus, busClient, database: undefined, clock, replies, connections };
}
