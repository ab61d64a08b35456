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
  /** Purpose of the consumer; its durable name is `<own app>-<purpose>`. */
  purpose: string;
  /** Verifies that the source signed an event. An event without a valid signature is dead-lettered immediately. */
  verifier: EventVerifier;
  /** Decodes and validates an event. An invalid event is dead-lettered immediately. */
  decode: EventDecoder<D>;
  /**
   * Handles all of the events, in their order, or none of them. After an error the consumer calls it again with some or
   * all of the events. It must be safe to repeat (see `handleBatchOnce` of libs/platform/database).
   */
  handle(events: readonly EventEnvelope<D>[]): Promise<void>;
  /** Called for an event that is invalid or failed `maxAttempts` times. The event is not delivered again. */
  onDead(text: string, reason: unknown): Promise<void>;
  /** Whether a failure of `handle` is not caused by the events, such as an unreachable database. Default: false. */
  isOutage?(error: unknown): boolean;
  onError?(error: unknown): void;
  /** Called when the consumer was found, after each start and after each loss. */
  onOpened?(): void;
  onHandled?(handled: HandledBatch): void;
  /** Maximum attempts of one process for an event that fails alone; 10 by default. */
  maxAttempts?: number;
}

/** A failed event of an aggregate. */
interface Failed {
  seq: number;
  retryAtMs: number;
  /** When later events of the aggregate were last returned, and the time of their redelivery. */
  heldAtMs: number;
  behindAtMs: number;
}

/** A handled and acknowledged batch. */
export interface HandledBatch {
  events: number;
  /**
   * Number of later events that the consumer has not handled, from the server's last figure and this process's queue.
   */
  pending: number;
}

// An event that waited longer is returned, so that this process does not handle it while another process receives it.
const maxWaitMs = ackWaitMs / 2;
// A batch of 500 costs hardly more than one event: one commit, one round trip, one update of a wallet's hot rows.
const batchBounds = { maxEvents: 500, maxBytes: 4_000_000 };
// Events that follow one another share a batch. The first event after a pause is handled immediately.
const batchIntervalMs = 50;
// One batch waits while another is handled. The next pull starts in time for the batch after it.
const pulledAtOnce = 250;
const maxRetryDelayMs = 30_000;
const maxOutagePauseMs = 5_000;
// Later events of the aggregate are redelivered this much after the failed event, which another replica may receive.
const behindMs = 50;
// Delay between the events of consecutive batches. Delays are whole milliseconds, and need time on the network.
const apartMs = 10;
const holdsForMs = 1_000;
// Time-out of a pull. It determines how soon a consumer retries after a lost stream or a server restart.
const pullExpiresMs = 5_000;
const restartDelayMs = 500;
// nats-server 2.9 loses track of consecutive negative acknowledgements while no replica pulls. Some events are
// delivered twice, others a minute later. Within this delay another replica, or the restarted process, pulls again.
const handOverDelayMs = 200;

/**
 * A durable JetStream consumer. Replicas of an app share the work. Events are handled in batches, in the order of the
 * stream, and acknowledged after they are handled. Each delivery is answered once.
 *
 * A failed batch is split until the failing event is alone. That event is retried and finally dead-lettered; the other
 * events are handled. During an outage no batch is split and no event is dead-lettered.
 *
 * Order: without failures, events of one aggregate are handled in the order of the stream. Events that follow a failed
 * event of the same aggregate are returned until it is handled or dead-lettered. They are redelivered in order unless
 * the server or this process is late. Another replica is not aware of the failure, so events can still overtake each
 * other. `handle` must therefore compare `aggregateVersion`, or a version in the data, with its state.
 */
export class EventConsumer<D = unknown> {
  /** The connection is separate, because nats.js drains a whole connection, not the messages of one consumer. */
  private connection: BusConnection | undefined;
  private queue: DeliveryQueue<D> | undefined;
  private loop: Promise<void> = Promise.resolve();
  private working: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();
  /** Failed attempts of this process, by position in the stream. */
  private readonly attempts = new Map<number, number>();
  /** The failed event of each aggregate in this process. */
  private readonly held = new Map<string, Failed>();
  private outages = 0;
  /**
   * Messages to return after the stop. They are returned while the connection drains: otherwise the server
   * would redeliver them to this process, and nats-server 2.9 would lose track of them.
   */
  private readonly leftover: JsMsg[] = [];

  constructor(
    private readonly bus: BusConnection,
    private readonly options: ConsumerOptions<D>,
  ) {}

  start(): void {
    this.loop = this.run();
  }

  /** Stops. Resolves when the current batch is handled, and waiting or in-flight events are returned to the server. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.queue?.close();
    await this.working;
    const { connection } = this;
    const closed = connection?.close();
    this.handBack();
    await closed;
    await this.loop;
    // The connection was opened during the stop.
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
      // The stream may not exist yet, or the bus may be unavailable.
      if (!this.stopped) await this.pause(restartDelayMs);
    }
  }

  /** Handles events until stopped, or until the consumer is deleted with its stream. The caller then opens it again. */
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
    // If a connection is closed without its server, nats.js does not end the iterator.
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

  /**
   * Returns waiting messages at a stop, so that another replica receives them before their acknowledgement time-out.
   */
  private handBack(): void {
    for (const message of this.leftover.splice(0)) message.nak(handOverDelayMs);
  }

  /** Verifies and decodes a message. Invalid events are dead-lettered only here. */
  private async receive(message: JsMsg, queue: DeliveryQueue<D>): Promise<void> {
    const text = message.string();
    try {
      this.options.verifier.verify(this.options.source, message);
      const event = this.options.decode(text, message.subject);
      // The type is undeclared: a newer publisher may use types that this release does not declare.
      if (!event) return message.ack();
      const traceparent = parseTraceparent(message.headers?.get(eventTraceHeader));
      if (traceparent !== undefined) event.traceparent = traceparent;
      await queue.push({ message, text, event, receivedAtMs: performance.now() });
    } catch (error) {
      this.options.onError?.(error);
      // Other errors are faults of this process, such as insufficient memory.
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
      const startedMs = performance.now();
      await this.attempt(
        batch.filter((delivery) => !isLate(delivery)),
        () => queue.size,
      );
      const restMs = startedMs + batchIntervalMs - performance.now();
      if (restMs > 0 && queue.size < pulledAtOnce / 2) await this.pause(restMs);
    }
  }

  /** Opens the consumer, which the provisioner has created. @throws ConsumerMissingError */
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
   * Handles a batch, or as much of it as possible.
   * @returns false during an outage, when the rest of the batch is not attempted
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
    // If other events succeed, this event is the cause: it takes too long or is too large.
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
   * Returns a delivery to the server if it follows a failed event of its aggregate. @returns whether it was returned
   * @param nowMs start of its batch: all events of a batch are redelivered at the same time, before those of later
   * batches
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
      // The event is delivered again, so it is not lost while the dead letter cannot be stored.
      this.options.onError?.(error);
      message.nak(maxRetryDelayMs);
    }
  }

  private async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

/** A durable consumer or its stream does not exist. Only the provisioner may create it. */
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
