import type { Consumer, ConsumerMessages, JsMsg } from 'nats';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BusConnection } from '../bus/bus-connection';
import { parseTraceparent } from '../calls/call-context';
import { DeliveryQueue, type Delivery } from './delivery-queue';
import { InvalidEventError, type EventDecoder } from './event-decoding';
import { EventRejectedError, eventTraceHeader, type EventVerifier } from './event-signatures';
import { streamOf, type EventEnvelope } from './events';
import { ackWaitMs } from './stream-provisioning';

export interface ConsumerOptions<D = unknown> {
  /** The app that publishes the events. */
  source: string;
  /** What the consumer is for; its durable name is `<own app>-<purpose>`. */
  purpose: string;
  /** Verifies that the source signed an event. Otherwise the event is dead-lettered immediately, and never handled. */
  verifier: EventVerifier;
  /** Validates an event before it is handled. An invalid event is dead-lettered immediately, and never handled. */
  decode: EventDecoder<D>;
  /**
   * Handles all of the events, in their order, or none of them. It throws when it could not; the consumer calls it
   * again with some or all of them. Must be safe to repeat (see `handleBatchOnce` of libs/platform/database).
   */
  handle(events: readonly EventEnvelope<D>[]): Promise<void>;
  /** Called for an event that failed `maxAttempts` times or is not valid; it is not delivered again. */
  onDead(text: string, reason: unknown): Promise<void>;
  /**
   * Whether a failure of `handle` has another cause than the events, such as an unreachable database. Default: false.
   */
  isOutage?(error: unknown): boolean;
  onError?(error: unknown): void;
  /** Called when the consumer was found, after each start and each loss of it. */
  onOpened?(): void;
  onHandled?(handled: HandledBatch): void;
  /** Attempts of one process at an event that fails by itself. */
  maxAttempts?: number;
}

/** An event that failed, by its position in the stream. */
interface Failed {
  seq: number;
  retryAtMs: number;
  /** When events behind it were last handed back, and when those come again. */
  heldAtMs: number;
  behindAtMs: number;
}

/** A batch that was handled and acknowledged. */
export interface HandledBatch {
  events: number;
  /** Events behind it that the consumer has not handled yet, as far as this process knows. */
  pending: number;
}

// What has waited for longer is handed back: it must not be handled here while another process gets it.
const maxWaitMs = ackWaitMs / 2;
// A commit, a round trip and the hot rows of a wallet cost a batch of 500 hardly more than one event.
const batchBounds = { maxEvents: 500, maxBytes: 4_000_000 };
// One batch waits while another is handled, and the server is asked in time for the one behind it.
const pulledAtOnce = 250;
const maxRetryDelayMs = 30_000;
const maxOutagePauseMs = 5_000;
// Events of an aggregate come some time after the failed one that they wait for, which another replica may get.
const behindMs = 50;
// So much later come those of the next batch: a delay is sent in whole milliseconds, and travels.
const apartMs = 10;
const holdsForMs = 1_000;
// How soon a consumer retries after its stream was lost, or its server did not answer in time after a restart.
const pullExpiresMs = 5_000;
const restartDelayMs = 500;
// nats-server 2.9 loses track of events that are negatively acknowledged in a row while no replica asks for more. Some
// come twice, others a minute later. Another replica, or the next start of this one, asks within this time.
const handOverDelayMs = 200;

/**
 * A durable JetStream consumer. Replicas of an app share the work. Events are handled in batches, in the order of the
 * stream, and acknowledged after they are handled; each delivery is answered once.
 *
 * When a batch fails, it is split until the event that fails is alone. That event is retried and in the end
 * dead-lettered; the others are handled. During an outage nothing is split and nothing is dead-lettered.
 *
 * Order: events of one aggregate are handled in the order of the stream as long as none fails. Those behind a failed
 * event are returned until it is handled or dead-lettered. They come again in their order unless the server or this
 * process is late. Another replica does not know of the failure, so events can still overtake each other: `handle` has
 * to compare `aggregateVersion`, or a version in the data, with what it knows.
 */
export class EventConsumer<D = unknown> {
  /** Its own, so that it can be drained: nats.js drains a whole connection, not the messages of a consumer. */
  private connection: BusConnection | undefined;
  private queue: DeliveryQueue<D> | undefined;
  private loop: Promise<void> = Promise.resolve();
  private working: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();
  /** Failed attempts of this process, by position in the stream. */
  private readonly attempts = new Map<number, number>();
  /** Aggregates with an event that failed in this process, and when that event is delivered again. */
  private readonly held = new Map<string, Failed>();
  private outages = 0;
  /**
   * Stopped, what must be handed back. It waits until the connection is being drained: the server would send it here
   * again, and nats-server 2.9 loses track of it.
   */
  private readonly leftover: JsMsg[] = [];

  constructor(
    private readonly bus: BusConnection,
    private readonly options: ConsumerOptions<D>,
  ) {}

  start(): void {
    this.loop = this.run();
  }

  /** Resolves when the batch under way is handled, and what waited or was on its way from the server is handed back. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.queue?.close();
    await this.working;
    const { connection } = this;
    const closed = connection?.close();
    this.handBack();
    await closed;
    await this.loop;
    // Opened meanwhile.
    if (this.connection !== connection) await this.connection?.close();
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        this.connection ??= await this.bus.openEvents(this.options.purpose);
        if (this.stopped) break;
        await this.consume(this.connection);
      } catch (error) {
        if (this.stopped) break;
        this.options.onError?.(error);
      }
      // The stream may not exist yet, or the bus may be away.
      if (!this.stopped) await this.pause(restartDelayMs);
    }
  }

  /** Handles events until stopped, or until the consumer was deleted with its stream: then it is opened again. */
  private async consume(connection: BusConnection): Promise<void> {
    const consumer = await this.open(connection);
    this.options.onOpened?.();
    this.attempts.clear();
    this.held.clear();
    const messages = await consumer.consume({
      max_messages: pulledAtOnce,
      expires: pullExpiresMs,
      abort_on_missing_resource: true,
    });
    // A connection that is closed without its server ends no iterator.
    void connection.closed.then(() => messages.stop());
    const queue = new DeliveryQueue<D>(batchBounds);
    this.queue = queue;
    this.working = this.work(queue);
    try {
      await this.read(messages, queue);
    } finally {
      queue.close();
      await this.working;
    }
  }

  private async read(messages: ConsumerMessages, queue: DeliveryQueue<D>): Promise<void> {
    for await (const message of messages) {
      if (!this.stopped) await this.receive(message, queue);
      else if (this.connection?.isDraining) message.nak(handOverDelayMs);
      else this.leftover.push(message);
    }
  }

  /** What waits here when stopped goes to another replica now, not when its time is up. */
  private handBack(): void {
    for (const message of this.leftover.splice(0)) message.nak(handOverDelayMs);
  }

  /** The only place where an event is read: one that is not valid is dead-lettered here. */
  private async receive(message: JsMsg, queue: DeliveryQueue<D>): Promise<void> {
    const text = message.string();
    try {
      this.options.verifier.verify(this.options.source, message);
      const event = this.options.decode(text, message.subject);
      // A newer publisher may know types that this release does not.
      if (!event) return message.ack();
      const traceparent = parseTraceparent(message.headers?.get(eventTraceHeader));
      if (traceparent !== undefined) event.traceparent = traceparent;
      await queue.push({ message, text, event, receivedAtMs: performance.now() });
    } catch (error) {
      this.options.onError?.(error);
      // Anything else is a fault of this process, such as too little memory.
      if (error instanceof InvalidEventError) await this.bury(message, text, error);
      else if (error instanceof EventRejectedError)
        await this.bury(message, this.options.verifier.toDeadLetter(message), error);
      else message.nak(maxRetryDelayMs);
    }
  }

  private async work(queue: DeliveryQueue<D>): Promise<void> {
    for (;;) {
      const batch = await queue.take(batchBounds);
      if (batch.length === 0) return;
      const oldestMs = performance.now() - maxWaitMs;
      if (this.stopped) {
        this.leftover.push(...batch.map(({ message }) => message));
        continue;
      }
      const isLate = ({ receivedAtMs }: Delivery<D>): boolean => receivedAtMs < oldestMs;
      for (const { message } of batch.filter(isLate)) message.nak(handOverDelayMs);
      await this.attempt(
        batch.filter((delivery) => !isLate(delivery)),
        () => queue.size,
      );
    }
  }

  /** Opens the consumer that the provisioner has created. @throws ConsumerMissingError */
  private async open(connection: BusConnection): Promise<Consumer> {
    const stream = streamOf(this.options.source);
    const name = `${connection.app}-${this.options.purpose}`;
    return connection
      .jetstream()
      .consumers.get(stream, name)
      .catch((error: { api_error?: { code: number } }) => {
        throw error.api_error?.code === 404 ? new ConsumerMissingError(name, stream) : error;
      });
  }

  /**
   * Handles a batch, or as much of it as can be handled.
   * @returns false during an outage: the rest of the batch is not tried then
   */
  private async attempt(batch: readonly Delivery<D>[], waiting: () => number): Promise<boolean> {
    const nowMs = performance.now();
    const ready = batch.filter((delivery) => !this.holdBack(delivery, nowMs));
    const last = ready.at(-1);
    if (!last) return true;
    try {
      await this.options.handle(ready.map(({ event }) => event));
    } catch (error) {
      this.options.onError?.(error);
      return this.fail(ready, error, waiting);
    }
    this.outages = 0;
    for (const delivery of ready) {
      this.forget(delivery);
      delivery.message.ack();
    }
    this.options.onHandled?.({ events: ready.length, pending: last.message.info.pending + waiting() });
    return true;
  }

  private async fail(batch: readonly Delivery<D>[], error: unknown, waiting: () => number): Promise<boolean> {
    const [first] = batch as [Delivery<D>];
    const isOutage = this.options.isOutage?.(error) ?? false;
    // While others are handled it is this event that takes too long, or is too large.
    const isAlone = batch.length === 1 && (!isOutage || this.outages === 0);
    if (isAlone) await this.failAlone(first, error);
    if (isOutage) {
      const pauseMs = Math.min(restartDelayMs * 2 ** this.outages++, maxOutagePauseMs);
      if (!isAlone) for (const { message } of batch) message.nak(pauseMs);
      await this.pause(pauseMs);
      return false;
    }
    if (batch.length === 1) return true;
    const middle = batch.length >> 1;
    const rest = batch.slice(middle);
    const goesOn = await this.attempt(batch.slice(0, middle), waiting);
    if (goesOn) return this.attempt(rest, waiting);
    for (const { message } of rest) message.nak(handOverDelayMs);
    return false;
  }

  private async failAlone(delivery: Delivery<D>, error: unknown): Promise<void> {
    const { message, text } = delivery;
    const { maxAttempts = 10 } = this.options;
    const attempts = (this.attempts.get(message.seq) ?? 0) + 1;
    if (attempts >= maxAttempts) {
      this.forget(delivery);
      return this.bury(message, text, error);
    }
    this.attempts.set(message.seq, attempts);
    const delayMs = Math.min(100 * 2 ** attempts, maxRetryDelayMs);
    this.holdBehind(delivery, delayMs);
    message.nak(delayMs);
  }

  private holdBehind({ message, event }: Delivery<D>, delayMs: number): void {
    const nowMs = performance.now();
    for (const [aggregate, { retryAtMs }] of this.held)
      if (nowMs > retryAtMs + holdsForMs) this.held.delete(aggregate);
    const known = this.held.get(event.aggregateId);
    if (known && known.seq < message.seq) return;
    const retryAtMs = nowMs + delayMs;
    this.held.set(event.aggregateId, {
      seq: message.seq,
      retryAtMs,
      heldAtMs: nowMs,
      behindAtMs: retryAtMs + behindMs,
    });
  }

  /**
   * Hands a delivery back that is behind a failed one of its aggregate; answers whether it was.
   * @param nowMs when its batch was taken: all of a batch come back at one time, and before those of later batches
   */
  private holdBack({ message, event }: Delivery<D>, nowMs: number): boolean {
    const failed = this.held.get(event.aggregateId);
    if (!failed || message.seq <= failed.seq || nowMs > failed.retryAtMs + holdsForMs) return false;
    if (failed.heldAtMs !== nowMs) {
      failed.behindAtMs = Math.max(
        failed.retryAtMs + behindMs,
        nowMs + behindMs,
        failed.behindAtMs + apartMs,
      );
      failed.heldAtMs = nowMs;
    }
    message.nak(Math.ceil(failed.behindAtMs - nowMs));
    return true;
  }

  private forget({ message, event }: Delivery<D>): void {
    this.attempts.delete(message.seq);
    if (this.held.get(event.aggregateId)?.seq === message.seq) this.held.delete(event.aggregateId);
  }

  private async bury(message: JsMsg, text: string, reason: unknown): Promise<void> {
    try {
      await this.options.onDead(text, reason);
      message.term();
    } catch (error) {
      // Nothing is lost while the dead letter cannot be stored: the event is delivered again.
      this.options.onError?.(error);
      message.nak(maxRetryDelayMs);
    }
  }

  private async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

/** A durable consumer, or its stream, does not exist. Only the provisioner may create it. */
export class ConsumerMissingError extends Error {
  constructor(
    readonly consumer: string,
    stream: string,
  ) {
    super(
      `the consumer ${consumer} of the event stream ${stream} does not exist. Run: npm run streams -- apply`,
    );
    this.name = 'ConsumerMissingError';
  }
}
