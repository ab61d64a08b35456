import { AckPolicy, DeliverPolicy, nanos, type Consumer, type ConsumerMessages, type JsMsg } from 'nats';
import type { BusConnection } from './bus-connection';
import { streamOf, type EventEnvelope } from './events';

export interface ConsumerOptions {
  /** The app whose events are consumed. */
  source: string;
  /** What the consumer is for; its durable name is `<own app>-<purpose>`. */
  purpose: string;
  /** Must be safe to repeat (see `handleOnce` of libs/data). Throwing means: deliver again later. */
  handle(event: EventEnvelope): Promise<void>;
  /** Called for an event that failed `maxDeliveries` times or cannot be read; it is not delivered again. */
  onDead(text: string, reason: unknown): Promise<void>;
  onError?(error: unknown): void;
  maxDeliveries?: number;
}

const ackWaitMs = 30_000;
// Enough to keep one handler busy; more would only sit in memory.
const batchSize = 100;
const maxRetryDelayMs = 30_000;

/** A durable JetStream consumer. Replicas of an app share the work; events are acknowledged after they are handled. */
export class EventConsumer {
  private messages: ConsumerMessages | undefined;
  private loop: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly bus: BusConnection,
    private readonly options: ConsumerOptions,
  ) {}

  async start(): Promise<void> {
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.messages?.close().catch(() => undefined);
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        const consumer = await this.ensure();
        this.messages = await consumer.consume({ max_messages: batchSize });
        for await (const message of this.messages) {
          await this.take(message);
          if (this.stopped) return;
        }
      } catch (error) {
        if (this.stopped) return;
        this.options.onError?.(error);
        // The stream may not exist yet, or the bus may be away.
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  }

  private async ensure(): Promise<Consumer> {
    const manager = await this.bus.nats.jetstreamManager({ checkAPI: false });
    const stream = streamOf(this.options.source);
    const durable = `${this.bus.app}-${this.options.purpose}`;
    await manager.consumers.add(stream, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ackWaitMs),
      max_ack_pending: batchSize * 4,
    });
    return this.bus.nats.jetstream().consumers.get(stream, durable);
  }

  private async take(message: JsMsg): Promise<void> {
    const { maxDeliveries = 10 } = this.options;
    const text = message.string();
    try {
      await this.options.handle(JSON.parse(text) as EventEnvelope);
      message.ack();
    } catch (error) {
      const deliveries = message.info.redeliveryCount;
      this.options.onError?.(error);
      if (deliveries < maxDeliveries && !(error instanceof SyntaxError)) {
        message.nak(Math.min(100 * 2 ** deliveries, maxRetryDelayMs));
        return;
      }
      await this.options.onDead(text, error).then(
        () => message.term(),
        () => message.nak(maxRetryDelayMs),
      );
    }
  }
}
