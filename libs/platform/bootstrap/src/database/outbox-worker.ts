import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { durableConsumers } from '@tollbridge/contracts';
import {
  BusConnection,
  EventPublisher,
  IncompatibleStreamError,
  StreamMissingError,
  streamOf,
  type EventSigning,
  type OutgoingEvent,
} from '@tollbridge/rpc';
import { Database, Leases, OutboxRelay } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { publicationSpan } from '../bus/event-spans';
import { OutboxMetrics } from './outbox-metrics';
import { EventSigningToken, ServiceLogger, StreamLimitsToken } from '../bus/service-tokens';
import { publisherOptions, type StreamLimits } from '../bus/stream-limits';
import { StreamReadiness } from '../bus/stream-readiness';
import { WorkHints } from '../work/work-hints';

/** Publishes this service's events from its outbox. */
@Injectable()
export class OutboxWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly relay: OutboxRelay;
  private readonly publisher: EventPublisher;
  private readonly measured: OutboxMetrics;
  private isHeldBack = false;
  private stopListening: (() => void) | undefined;
  private differing = '';

  constructor(
    private readonly bus: BusConnection,
    database: Database,
    leases: Leases,
    metrics: Metrics,
    private readonly hints: WorkHints,
    private readonly streams: StreamReadiness,
    @Inject(ServiceLogger) private readonly logger: Logger,
    @Inject(StreamLimitsToken) limits: StreamLimits,
    @Inject(EventSigningToken) signing: EventSigning,
  ) {
    const measured = (this.measured = new OutboxMetrics(metrics));
    this.publisher = new EventPublisher(bus, {
      consumers: durableConsumers[bus.app] ?? [],
      signing,
      trace: publicationSpan,
      ...publisherOptions(limits),
    });
    this.relay = new OutboxRelay({
      pool: database.pool,
      lease: leases.candidate('outbox'),
      ensureStream: () => this.checkStream(),
      countFitting: (events) => this.countFitting(events),
      publish: (events) => this.publish(events),
      onPublished: (count) => measured.published.inc(count),
      onBacklog: (rows, oldestMs) => measured.setBacklog(rows, oldestMs),
      onStandby: () => this.standBy(),
      onRebuild: (reason) => logger.warn({ reason }, 'stream lost, republishing events'),
      onError: (error) => this.report(error),
    });
  }

  /** Fails the start when the stream is incompatible, but not while the bus is unreachable. */
  async onApplicationBootstrap(): Promise<void> {
    await this.publisher.checkStream().catch((error: unknown) => {
      if (error instanceof IncompatibleStreamError) throw error;
      this.report(error);
    });
    this.hints.onWork(() => this.relay.wake());
    // A server that restarted may have lost its storage, and the provisioner may have created the stream meanwhile.
    this.stopListening = this.bus.onInterruption(() => this.bus.isConnected && this.relay.recheckStream());
    this.relay.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopListening?.();
    await this.relay.stop();
  }

  /** Notifies that events were committed: the leading replica publishes them now, and waiting jobs run. */
  wake(): void {
    this.hints.written();
  }

  private async checkStream(): Promise<{ createdAt: string }> {
    const { createdAt, differing } = await this.publisher.checkStream();
    this.streams.isFound(streamOf(this.bus.app));
    const { fill } = this.publisher;
    this.measured.setFill(fill);
    this.measured.setUnacknowledged(fill.unacknowledged);
    this.measured.updateRejected.set(differing.length > 0 ? 1 : 0);
    // Checked every ten seconds, logged once.
    const options = differing.join(', ');
    if (options !== '' && options !== this.differing)
      this.logger.error({ options }, 'stream settings not applied: run npm run streams -- apply');
    this.differing = options;
    return { createdAt };
  }

  /** Another replica publishes, and checks the stream. */
  private standBy(): void {
    this.measured.clear();
    this.streams.isFound(streamOf(this.bus.app));
  }

  private report(error: unknown): void {
    if (error instanceof StreamMissingError) this.streams.isMissing(error.stream, error);
    else this.logger.warn({ err: error }, 'event publishing failed, retrying');
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
  }
}
