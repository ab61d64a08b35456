import {
  AckPolicy,
  DeliverPolicy,
  nanos,
  type Consumer,
  type ConsumerMessages,
  type JsMsg,
  type Subscription,
} from 'nats';
import type { BusConnection } from './bus-connection';
import { readEnvelope, streamOf, subjectPattern, type EventDeclaration, type EventEnvelope } from './events';

export interface ConsumerOptions {
  /** The app whose events are consumed. */
  source: string;
  /** What the consumer is for; its durable name is `<own app>-<purpose>`. */
  purpose: string;
  /** The only type of event that is consumed, of every aggregate; without it all of the app's are. */
  event?: EventDeclaration;
  /** Must be safe to repeat (see `handleOnce` of libs/data). Throwing means: deliver again later. */
  handle(event: EventEnvelope): Promise<void>;
  /** Called for an event that failed `maxDeliveries` times or cannot be read; it is not delivered again. */
  onDead(text: string, reason: unknown): Promise<void>;
  onError?(error: unknown): void;
  maxDeliveries?: number;
}

// The time to handle an event counts from its delivery to this process, so it must do for all that wait here before it:
// with 20 at a time each may take three seconds. With more, healthy events would come again, and again, until dead.
const ackWaitMs = 60_000;
const batchSize = 20;
// Replicas together; also how many events may wait for their next try before the others have to wait for them.
const maxWaiting = 400;
const maxRetryDelayMs = 30_000;
// How soon a consumer whose stream was lost, or whose server did not answer in time after a restart, asks again.
const pullExpiresMs = 5_000;
const restartDelayMs = 500;
// nats-server 2.9 confuses events that are given back in a row without a delay: some come twice, others a minute later.
const handOverDelayMs = 10;

/** A durable JetStream consumer. Replicas of an app share the work; events are acknowledged after they are handled. */
export class EventConsumer {
  private messages: ConsumerMessages | undefined;
  private loop: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    private readonly bus: BusConnection,
    private readonly options: ConsumerOptions,
  ) {}

  start(): void {
    this.loop = this.run();
  }

  /** Resolves when the event under way is handled. */
  async stop(): Promise<void> {
    this.stopping.abort();
    if (this.messages) await endGently(this.messages);
    await this.loop;
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.consume();
      } catch (error) {
        if (this.stopped) return;
        this.options.onError?.(error);
      }
      // The stream may not exist yet, or the bus may be away.
      if (!this.stopped) await this.pause(restartDelayMs);
    }
  }

  /** Handles events until stopped, or until the consumer is gone with its stream: then it is made anew. */
  private async consume(): Promise<void> {
    const consumer = await this.ensure();
    const messages = await consumer.consume({
      max_messages: batchSize,
      expires: pullExpiresMs,
      abort_on_missing_resource: true,
    });
    this.messages = messages;
    // Stopped while the server was asked: nobody else would end this.
    if (this.stopped) await endGently(messages);
    for await (const message of messages) {
      // What waits here when stopped goes to another replica now, not when its time is up.
      if (this.stopped) message.nak(handOverDelayMs);
      else await this.take(message);
    }
  }

  private async ensure(): Promise<Consumer> {
    const { nats, app } = this.bus;
    const manager = await nats.jetstreamManager({ checkAPI: false });
    const stream = streamOf(this.options.source);
    const durable = `${app}-${this.options.purpose}`;
    const { event } = this.options;
    const wanted = {
      ack_wait: nanos(ackWaitMs),
      max_ack_pending: maxWaiting,
      ...(event && { filter_subject: subjectPattern(event) }),
    };
    const config = {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ...wanted,
    };
    await manager.consumers.add(stream, config).catch((error: { api_error?: { err_code: number } }) => {
      // An earlier release, or a hand, has made it with other bounds.
      if (error.api_error?.err_code !== consumerExistsCode) throw error;
      return manager.consumers.update(stream, durable, wanted);
    });
    return nats.jetstream().consumers.get(stream, durable);
  }

  private async take(message: JsMsg): Promise<void> {
    const text = message.string();
    const event = readEnvelope(text, message.subject);
    if (event instanceof Error) {
      this.options.onError?.(event);
      return this.bury(message, text, event);
    }
    try {
      await this.options.handle(event);
      message.ack();
    } catch (error) {
      this.options.onError?.(error);
      const { maxDeliveries = 10 } = this.options;
      const { deliveryCount } = message.info;
      if (deliveryCount >= maxDeliveries) return this.bury(message, text, error);
      message.nak(Math.min(100 * 2 ** deliveryCount, maxRetryDelayMs));
    }
  }

  private async bury(message: JsMsg, text: string, reason: unknown): Promise<void> {
    try {
      await this.options.onDead(text, reason);
      message.term();
    } catch (error) {
      // Nothing is lost while it cannot be written down: it comes again.
      this.options.onError?.(error);
      message.nak(maxRetryDelayMs);
    }
  }

  private pause(milliseconds: number): Promise<void> {
    const { signal } = this.stopping;
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener('abort', end);
    });
  }
}

// JetStream: "consumer already exists", from 2.10 on; older servers change what can be changed.
const consumerExistsCode = 10_148;

/**
 * Ends the delivery so that what is under way from the server still arrives. nats.js drains its subscriptions only with
 * the whole connection; stopped the other way, such an event would belong to nobody until its time is up.
 */
async function endGently(messages: ConsumerMessages): Promise<void> {
  const { sub } = messages as unknown as { sub?: Subscription };
  await sub?.drain().catch(() => undefined);
  messages.stop();
}
