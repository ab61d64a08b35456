import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BusConnection, IncompatibleStreamError } from '@tollbridge/rpc';
import { Database, Leases, OutboxRelay } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '../bus/service-tokens';
import { WorkHints } from '../work/work-hints';
import { OutboxMetrics } from './outbox-metrics';
import { OutboxPublisher } from './outbox-publisher';

/** Publishes this service's events from its outbox, in one replica at a time. */
@Injectable()
export class OutboxWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly relay: OutboxRelay;
  private stopListening: (() => void) | undefined;

  constructor(
    private readonly bus: BusConnection,
    private readonly publisher: OutboxPublisher,
    database: Database,
    leases: Leases,
    metrics: OutboxMetrics,
    private readonly hints: WorkHints,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    this.relay = new OutboxRelay({
      pool: database.pool,
      lease: leases.candidate('outbox'),
      ensureStream: () => publisher.checkStream(),
      countFitting: (events) => publisher.countFitting(events),
      publish: (events) => publisher.publish(events),
      onPublished: (count) => metrics.published.inc(count),
      onBacklog: (rows, oldestMs) => metrics.setBacklog(rows, oldestMs),
      onStandby: () => publisher.standBy(),
      onRebuild: (reason) => logger.warn({ reason }, 'stream lost, republishing events'),
      onError: (error) => publisher.report(error),
    });
  }

  /** Fails the start when the stream is incompatible, but not while the bus is unreachable. */
  async onApplicationBootstrap(): Promise<void> {
    await this.publisher.verifyStream().catch((error: unknown) => {
      if (error instanceof IncompatibleStreamError) throw error;
      this.publisher.report(error);
    });
    this.hints.onWork(() => this.relay.wake(), 'all');
    // A restarted NATS server may have lost its storage, and the provisioner may have created a new, empty stream.
    this.stopListening = this.bus.onInterruption(() => this.bus.isConnected && this.relay.recheckStream());
    this.relay.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopListening?.();
    await this.relay.stop();
  }

  /**
   * Announces committed events: the leading replica publishes them now, and waiting jobs run.
   * @param kind the kind of the work, if only jobs of that kind have work; by default all jobs run
   */
  wake(kind?: string): void {
    this.hints.written(kind);
  }
}
