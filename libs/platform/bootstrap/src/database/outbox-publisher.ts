import { Inject, Injectable } from '@nestjs/common';
import { durableConsumers } from '@tollbridge/contracts';
import {
  BusConnection,
  EventPublisher,
  StreamMissingError,
  streamOf,
  type EventSigning,
  type OutgoingEvent,
} from '@tollbridge/rpc';
import type { Logger } from '@tollbridge/observability';
import { publicationSpan } from '../bus/event-spans';
import { EventSigningToken, ServiceLogger, StreamLimitsToken } from '../bus/service-tokens';
import { publisherOptions, type StreamLimits } from '../bus/stream-limits';
import { StreamReadiness } from '../bus/stream-readiness';
import { OutboxMetrics } from './outbox-metrics';

/** Publishes events to the stream of this service, and reports the stream's state in logs, metrics and readiness. */
@Injectable()
export class OutboxPublisher {
  private readonly publisher: EventPublisher;
  private isHeldBack = false;
  private differing = '';

  constructor(
    private readonly bus: BusConnection,
    private readonly metrics: OutboxMetrics,
    private readonly streams: StreamReadiness,
    @Inject(ServiceLogger) private readonly logger: Logger,
    @Inject(StreamLimitsToken) limits: StreamLimits,
    @Inject(EventSigningToken) signing: EventSigning,
  ) {
    this.publisher = new EventPublisher(bus, {
      consumers: durableConsumers[bus.app] ?? [],
      signing,
      trace: publicationSpan,
      ...publisherOptions(limits),
    });
  }

  /**
   * Verifies the stream at the start, before one replica has become the publisher.
   * @throws IncompatibleStreamError, StreamMissingError, or the error of an unreachable bus
   */
  async verifyStream(): Promise<void> {
    await this.publisher.checkStream();
  }

  /** Verifies the stream while this replica publishes, and reports its state. @throws as `verifyStream` */
  async checkStream(): Promise<{ createdAt: string }> {
    const { createdAt, differing } = await this.publisher.checkStream();
    this.streams.isFound(streamOf(this.bus.app));
    const { fill } = this.publisher;
    this.metrics.setFill(fill);
    this.metrics.setUnacknowledged(fill.unacknowledged);
    this.metrics.updateRejected.set(differing.length > 0 ? 1 : 0);
    // The check runs every ten seconds, but a difference is logged once.
    const options = differing.join(', ');
    if (options !== '' && options !== this.differing)
      this.logger.error({ options }, 'stream settings not applied: run npm run streams -- apply');
    this.differing = options;
    return { createdAt };
  }

  /** Clears the metrics, because another replica publishes and checks the stream. */
  standBy(): void {
    this.metrics.clear();
    this.streams.isFound(streamOf(this.bus.app));
  }

  /** Logs a failure or marks the stream as missing. The outbox retries. */
  report(error: unknown): void {
    if (error instanceof StreamMissingError) this.streams.isMissing(error.stream, error);
    else this.logger.warn({ err: error }, 'event publishing failed, retrying');
  }

  /** Returns how many of the events, counted from the first, fit into the stream now. */
  async countFitting(events: readonly OutgoingEvent[]): Promise<number> {
    const count = await this.publisher.countFitting(events);
    const { fill } = this.publisher;
    this.metrics.setFill(fill);
    const isHeldBack = count === 0;
    this.metrics.setHeldBack(isHeldBack);
    if (isHeldBack && !this.isHeldBack)
      this.logger.warn({ consumer: fill.heldBackBy, bytes: fill.bytes }, 'publishing held back');
    if (!isHeldBack && this.isHeldBack) this.logger.info('publishing resumed');
    this.isHeldBack = isHeldBack;
    return count;
  }

  async publish(events: readonly OutgoingEvent[]): Promise<void> {
    try {
      await this.publisher.publish(events);
    } catch (error) {
      this.metrics.rejected.inc();
      throw error;
    }
  }
}
