import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  BusConnection,
  EventConsumer,
  readEnvelope,
  type ConsumerOptions,
  type EventEnvelope,
} from '@tollbridge/bus';
import {
  countDeadLetters,
  Database,
  keepDeadLetter,
  putBackDeadLetter,
  removeDeadLetter,
  takeDeadLetters,
} from '@tollbridge/data';
import { Metrics, type Logger } from '@tollbridge/observability';
import type { Gauge } from 'prom-client';
import { Repeat } from './repeat';
import { ServiceLogger } from './service-tokens';

const retryEveryMs = 5_000;
const retryAtOnce = 20;
// Longer than handling so many takes.
const retryLeaseMs = 60_000;

export type HeardEvents = Pick<ConsumerOptions, 'source' | 'purpose' | 'event' | 'handle'>;

/**
 * Opens consumers that run as long as the app does. Their dead letters are kept in the database, counted, and handled
 * again when a person says so.
 */
@Injectable()
export class EventConsumers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly opened: { start(): void; stop(): Promise<void> }[] = [];
  private readonly kept: Gauge<'consumer'>;

  constructor(
    private readonly bus: BusConnection,
    private readonly database: Database,
    metrics: Metrics,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.kept = metrics.gauge('tollbridge_dead_letters', 'Events that could not be handled', ['consumer']);
  }

  /** To be called while the app is put together. Answers the consumer's name, under which the inbox knows it. */
  open(heard: HeardEvents): string {
    const { pool } = this.database;
    const name = `${this.bus.app}-${heard.purpose}`;
    const consumer = new EventConsumer(this.bus, {
      ...heard,
      onDead: async (text, reason) => {
        await keepDeadLetter(pool, name, text, reason);
        this.logger.error({ consumer: name, err: reason }, 'an event was put aside: see the dead letters');
      },
      onError: (error) => this.logger.warn({ consumer: name, err: error }, 'an event could not be handled'),
    });
    const onError = (error: unknown) =>
      this.logger.warn({ consumer: name, err: error }, 'dead letters could not be looked at; trying again');
    const retries = new Repeat(() => this.retry(name, (event) => heard.handle(event)), retryEveryMs, onError);
    this.opened.push(consumer, retries);
    return name;
  }

  onApplicationBootstrap(): void {
    for (const job of this.opened) job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.opened.map((job) => job.stop()));
  }

  private async retry(
    name: string,
    handle: (event: EventEnvelope) => Promise<void>,
  ): Promise<'more' | 'done'> {
    const { pool } = this.database;
    const letters = await takeDeadLetters(pool, name, { limit: retryAtOnce, leaseMs: retryLeaseMs });
    for (const { id, event: text } of letters) {
      try {
        const event = readEnvelope(text, '');
        if (event instanceof Error) throw event;
        await handle(event);
        await removeDeadLetter(pool, id);
        this.logger.info(
          { consumer: name, eventId: event.id },
          'an event that was put aside has been handled',
        );
      } catch (error) {
        this.logger.warn(
          { consumer: name, deadLetter: id, err: error },
          'an event could not be handled again',
        );
        await putBackDeadLetter(pool, id, error);
      }
    }
    this.kept.set({ consumer: name }, await countDeadLetters(pool, name));
    return letters.length === retryAtOnce ? 'more' : 'done';
  }
}
