import {
  AckPolicy,
  connect,
  DeliverPolicy,
  headers as natsHeaders,
  type ConsumerMessages,
  type JsMsg,
} from 'nats';
import { eventually } from './eventually';

export interface RecordedEvent {
  subject: string;
  /** `Nats-Msg-Id`: JetStream detects duplicates by this id. */
  messageId: string;
  /** Sequence number in the stream. */
  sequence: number;
  envelope: {
    id: string;
    type: string;
    version: number;
    aggregateId: string;
    aggregateVersion: number;
    occurredAt: string;
    requestId: string;
    traceparent: string;
    data: Record<string, unknown>;
  };
}

/** Records all messages of a stream with its own durable consumer, independent of libs/platform/rpc. */
export interface EventRecorder {
  readonly events: readonly RecordedEvent[];
  /** Event types of one aggregate, in stream order: `['order-created', 'order-settling']`. */
  typesOf(aggregateId: string): string[];
  of(aggregateId: string): RecordedEvent[];
  stop(): Promise<void>;
}

/**
 * Event types of an order, with consecutive `order-settling` as one. The watcher publishes this event each time the
 * payment appears or disappears on the chain. Their number depends on the watcher's block ranges.
 */
export const withoutRepeatedSettling = (types: readonly string[]): string[] =>
  types.filter((type, index) => type !== 'order-settling' || types[index - 1] !== type);

const durable = 'recorder';

/** Resolves when the stream exists. */
export async function recordEvents(natsUrl: string, stream: string): Promise<EventRecorder> {
  const { host, username, password } = new URL(natsUrl);
  // The streams have their own account with its own users (decision 98).
  const login = username ? { user: `${username}-events`, pass: decodeURIComponent(password) } : {};
  const nats = await connect({ servers: host, ...login, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  const admin = await nats.jetstreamManager();
  await eventually(() => admin.streams.info(stream));
  await admin.consumers.add(stream, {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
  });
  const consumer = await nats.jetstream().consumers.get(stream, durable);
  const messages = await consumer.consume();
  const events: RecordedEvent[] = [];
  const reading = readAll(messages, events);
  const of = (aggregateId: string): RecordedEvent[] =>
    events.filter(({ envelope }) => envelope.aggregateId === aggregateId);
  return {
    events,
    of,
    typesOf: (aggregateId) => of(aggregateId).map(({ envelope }) => envelope.type),
    async stop() {
      messages.stop();
      // With a pending pull, the iterator of a consumer may end only when the connection closes.
      await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, 1_000))]);
      await nats.close();
    },
  };
}

async function readAll(messages: ConsumerMessages, events: RecordedEvent[]): Promise<void> {
  for await (const message of messages) {
    events.push(read(message));
    message.ack();
  }
}

function read(message: JsMsg): RecordedEvent {
  const { subject, seq } = message;
  const messageId = (message.headers ?? natsHeaders()).get('Nats-Msg-Id');
  return {
    subject,
    messageId,
    sequence: seq,
    envelope: JSON.parse(message.string()) as RecordedEvent['envelope'],
  };
}
