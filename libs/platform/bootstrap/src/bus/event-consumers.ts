import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { declaredStreams } from '@tollbridge/contracts';
import {
  BusConnection,
  ConsumerMissingError,
  EventConsumer,
  EventVerifier,
  InvalidEventError,
  eventDecoder,
  subjectPattern,
  type EventCheck,
  type EventDeclaration,
  type EventDecoder,
  type EventEnvelope,
} from '@tollbridge/rpc';
import {
  countDeadLetters,
  Database,
  databaseFailure,
  storeDeadLetter,
  putBackDeadLetter,
  removeDeadLetter,
  retryUnreadable,
  takeDeadLetters,
} from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { handleTraced } from './event-spans';
import type { Counter, Gauge, Histogram } from 'prom-client';
import { PollingLoop, type PollResult } from '../work/polling-loop';
import { ServiceLogger } from './service-tokens';
import { StreamReadiness } from './stream-readiness';

const batchBuckets = [1, 2, 5, 10, 25, 50, 100, 250, 500];
const retryEveryMs = 5_000;
const retryAtOnce = 20;
// Longer than the handling of one batch of dead letters.
const retryLeaseMs = 60_000;

export interface ConsumedEvents<D> {
  /** Purpose of the consumer; its durable name is `<own app>-<purpose>`. */
  purpose: string;
  /** The events that the consumer handles, all of one app. */
  events: readonly [EventDeclaration<D>, ...EventDeclaration<D>[]];
  /** Validates fields that the declaration cannot validate, such as a chain of the registry. */
  check?: EventCheck<D>;
  /** Handles a batch of events; see `ConsumerOptions`. */
  handle(events: readonly EventEnvelope<D>[]): Promise<void>;
}

/**
 * Opens consumers that run until the app stops. Their dead letters are stored in the database, counted, and
 * retried when an operator asks for it.
 */
@Injectable()
export class EventConsumers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly names: string[] = [];
  private readonly opened: { start(): void; stop(): Promise<void> }[] = [];
  private readonly deadLetters: Gauge<'consumer'>;
  private readonly pending: Gauge<'consumer'>;
  private readonly handled: Counter<'messaging_consumer_group_name'>;
  private readonly batches: Histogram<'consumer'>;
  private readonly seconds: Histogram<'messaging_consumer_group_name'>;

  constructor(
    private readonly bus: BusConnection,
    private readonly database: Database,
    metrics: Metrics,
    private readonly streams: StreamReadiness,
    private readonly verifier: EventVerifier,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.deadLetters = metrics.gauge('tollbridge_dead_letters', 'Events that could not be handled', [
      'consumer',
    ]);
    this.pending = metrics.gauge(
      'tollbridge_consumer_pending',
      'Events that a consumer has not handled yet, as of its last batch',
      ['consumer'],
    );
    this.handled = metrics.counter(
      'messaging_client_consumed_messages_total',
      'Events that a consumer has handled',
      ['messaging_consumer_group_name'],
    );
    this.seconds = metrics.histogram(
      'messaging_process_duration_seconds',
      'Time to handle a batch of events, whatever its outcome',
      ['messaging_consumer_group_name'],
    );
    this.batches = metrics.histogram(
      'tollbridge_event_batch_size',
      'Events that were handled in one transaction',
      ['consumer'],
      batchBuckets,
    );
  }

  /**
   * Registers a consumer. Call this method while the app starts.
   * @returns the consumer's name, which is also its name in the inbox
   * @throws Error when the stream of the source does not retain these events for the consumer
   */
  open<D>({ purpose, events, check, handle }: ConsumedEvents<D>): string {
    const { pool } = this.database;
    const source = events[0].app;
    const name = `${this.bus.app}-${purpose}`;
    checkDeclared(name, source, events);
    const decode = eventDecoder(events, check);
    const [handled, pending] = [this.handled.labels(name), this.pending.labels(name)];
    const [seconds, batches] = [this.seconds.labels(name), this.batches.labels(name)];
    this.deadLetters.set({ consumer: name }, 0);
    const measured = async (events: readonly EventEnvelope<D>[]): Promise<void> => {
      const startedMs = performance.now();
      await handleTraced(name, events, handle).finally(() =>
        seconds.observe((performance.now() - startedMs) / 1000),
      );
    };
    const consumer = new EventConsumer<D>(this.bus, {
      source,
      purpose,
      verifier: this.verifier,
      decode,
      handle: measured,
      isOutage: (error) => databaseFailure(error) !== undefined,
      onDead: async (text, reason) => {
        await storeDeadLetter(pool, name, text, reason);
        this.logger.error({ consumer: name, err: reason }, 'event dead-lettered');
      },
      onError: (error) => this.report(name, error),
      onOpened: () => this.streams.isFound(name),
      onHandled: (batch) => {
        handled.inc(batch.events);
        batches.observe(batch.events);
        pending.set(batch.pending);
      },
    });
    const onError = (error: unknown) =>
      this.logger.warn({ consumer: name, err: error }, 'dead letter scan failed, retrying');
    const retries = new PollingLoop(
      () => this.retry({ name, source, decode }, (event) => measured([event])),
      retryEveryMs,
      onError,
    );
    this.opened.push(consumer, retries);
    this.names.push(name);
    return name;
  }

  private report(consumer: string, error: unknown): void {
    if (error instanceof ConsumerMissingError) this.streams.isMissing(consumer, error);
    else this.logger.warn({ consumer, err: error }, 'event handling failed');
  }

  onApplicationBootstrap(): void {
    for (const job of this.opened) job.start();
    for (const name of this.names) void this.retryEventsOfNewerReleases(name);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.opened.map((job) => job.stop()));
  }

  /** Retries events that the previous release could not read, because this release may be able to read them. */
  private async retryEventsOfNewerReleases(name: string): Promise<void> {
    try {
      const count = await retryUnreadable(this.database.pool, name, InvalidEventError.prefix);
      if (count > 0) this.logger.info({ consumer: name, count }, 'dead letters of unreadable events retried');
    } catch (error) {
      this.logger.warn({ consumer: name, err: error }, 'dead letters were not retried');
    }
  }

  private async retry<D>(
    { name, source, decode }: { name: string; source: string; decode: EventDecoder<D> },
    handle: (event: EventEnvelope<D>) => Promise<void>,
  ): Promise<PollResult> {
    const { pool } = this.database;
    const letters = await takeDeadLetters(pool, name, { limit: retryAtOnce, leaseMs: retryLeaseMs });
    for (const { id, event: letter } of letters) {
      try {
        const { text, subject } = this.verifier.readDeadLetter(source, letter);
        const event = decode(text, subject);
        if (!event) throw new Error('this release does not declare the type of the event');
        await handle(event);
        await removeDeadLetter(pool, id);
        this.logger.info({ consumer: name, eventId: event.id }, 'dead letter handled');
      } catch (error) {
        this.logger.warn({ consumer: name, deadLetter: id, err: error }, 'dead letter retry failed');
        await putBackDeadLetter(pool, id, error);
      }
    }
    this.deadLetters.set({ consumer: name }, await countDeadLetters(pool, name));
    return { kind: letters.length === retryAtOnce ? 'more' : 'done' };
  }
}

/** @throws Error when declaredStreams has no such consumer for the source; tests with their own streams are exempt */
function checkDeclared(name: string, source: string, events: readonly EventDeclaration<any>[]): void {
  const stream = declaredStreams.find(({ app }) => app === source);
  if (!stream) return;
  const consumer = stream.consumers.find((declared) => declared.name === name);
  if (!consumer)
    throw new Error(`${name} is not declared as a consumer of ${source}; add it to declaredStreams`);
  const { subject } = consumer;
  const lost = events.find((event) => subject !== undefined && subjectPattern(event) !== subject);
  if (lost)
    throw new Error(`${name} receives ${subject} only; change declaredStreams to handle ${lost.subject}`);
}
