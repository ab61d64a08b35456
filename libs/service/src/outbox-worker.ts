import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection, EventPublisher, IncompatibleStreamError } from '@tollbridge/bus';
import { Database, OutboxRelay } from '@tollbridge/data';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceLogger } from './service-tokens';

/** Publishes this service's events from its outbox. */
@Injectable()
export class OutboxWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly relay: OutboxRelay;
  private readonly publisher: EventPublisher;

  constructor(
    bus: BusConnection,
    database: Database,
    metrics: Metrics,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    const published = metrics.counter(
      'tollbridge_events_published_total',
      'Events published from the outbox',
    );
    const publisher = (this.publisher = new EventPublisher(bus));
    this.relay = new OutboxRelay({
      pool: database.pool,
      name: bus.app,
      ensureStream: () => publisher.ensureStream(),
      publish: (events) => publisher.publish(events),
      onPublished: (count) => published.inc(count),
      onRebuild: (reason) => logger.warn({ reason }, 'events are published again'),
      onError: (error) => logger.warn({ err: error }, 'events could not be published; trying again'),
    });
  }

  /** A stream that cannot be used any more stops the start, in words; a bus that is away for a while does not. */
  async onApplicationBootstrap(): Promise<void> {
    await this.publisher.checkStream().catch((error: unknown) => {
      if (error instanceof IncompatibleStreamError) throw error;
    });
    this.relay.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.relay.stop();
  }

  wake(): void {
    this.relay.wake();
  }
}
