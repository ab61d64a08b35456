import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { allEvents, durableConsumers } from '@tollbridge/contracts';
import {
  announcementOf,
  BusConnection,
  consumerLags,
  EventPublisher,
  IncompatibleStreamError,
  type OutgoingEvent,
} from '@tollbridge/rpc';
import { Database, Leases, OutboxRelay } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { publicationSpan } from './event-spans';
import { OutboxMetrics } from './outbox-metrics';
import { ServiceLogger, StreamMaxMb } from './service-tokens';
import { WorkHints } from './work-hints';

/** Publishes this service's events from its outbox. */
@Injectable()
export class OutboxWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly relay: OutboxRelay;
  private readonly publisher: EventPublisher;
  private readonly measured: OutboxMetrics;
  private isHeldBack = false;
  private readonly consumers: readonly string[];

  constructor(
    private readonly bus: BusConnection,
    database: Database,
    leases: Leases,
    metrics: Metrics,
    private readonly hints: WorkHints,
    @Inject(ServiceLogger) private readonly logger: Logger,
    @Inject(StreamMaxMb) streamMaxMb: number | undefined,
  ) {
    const measured = (this.measured = new OutboxMetrics(metrics));
    const consumers = (this.consumers = durableConsumers[bus.app] ?? []);
    const maxBytes = streamMaxMb && streamMaxMb * 2 ** 20;
    this.publisher = new EventPublisher(bus, {
      consumers,
      trace: publicationSpan,
      ...(maxBytes && { maxBytes }),
    });
    this.relay = new OutboxRelay({
      pool: database.pool,
      lease: leases.candidate('outbox'),
      ensureStream: () => this.ensureStream(),
      countFitting: (events) => this.countFitting(events),
      publish: (events) => this.publish(events),
      onPublished: (count) => measured.published.inc(count),
      onBacklog: (rows, oldestMs) => measured.setBacklog(rows, oldestMs),
      onStandby: () => measured.clear(),
      onRebuild: (reason) => logger.warn({ reason }, 'stream lost, republishing events'),
      onError: (error) => logger.warn({ err: error }, 'event publishing failed, retrying'),
    });
  }

  /** Fails the start when the stream is incompatible, but not while the bus is unreachable. */
  async onApplicationBootstrap(): Promise<void> {
    await this.publisher.checkStream().catch((error: unknown) => {
      if (error instanceof IncompatibleStreamError) throw error;
    });
    this.hints.onWork(() => this.relay.wake());
    this.relay.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.relay.stop();
  }

  /** Notifies that events were committed: the leading replica publishes them now, and waiting jobs run. */
  wake(): void {
    this.hints.written();
  }

  private async ensureStream(): Promise<{ createdAt: string }> {
    const stream = await this.publisher.ensureStream();
    this.measured.setFill(this.publisher.fill);
    // A figure that cannot be read must not stop publishing.
    const lags = await consumerLags(this.bus, this.consumers).catch(() => new Map<string, number>());
    this.measured.setLags(lags);
    return stream;
  }

  private async countFitting(events: readonly OutgoingEvent[]): Promise<number> {
    const count = await this.publisher.countFitting(events);
    const { fill } = this.publisher;
    this.measured.setFill(fill);
    const isHeldBack = count === 0;
    this.measured.setHeldBack(isHeldBack);
    if (isHeldBack && !this.isHeldBack)
      this.logger.warn({ consumer: fill.heldBackBy, bytes: fill.bytes }, 'publishing held back');
    if (!isHeldBack && this.isHeldBack) this.logger.info('publishing resumed');
    this.isHeldBack = isHeldBack;
    return count;
  }

  private async publish(events: readonly OutgoingEvent[]): Promise<void> {
    try {
      await this.publisher.publish(events);
    } catch (error) {
      this.measured.rejected.inc();
      throw error;
    }
    announce(this.bus, events);
  }
}

const announcedSubjects = new Set(
  allEvents.filter(({ isAnnounced }) => isAnnounced).map(({ subject }) => subject),
);

/** Wakes subscribers early. A lost hint delays them by some seconds. */
function announce(bus: BusConnection, events: readonly OutgoingEvent[]): void {
  for (const { subject, payload } of events)
    if (announcedSubjects.has(subject) && bus.isConnected)
      bus.publish(announcementOf(subject), Buffer.from(payload));
}
