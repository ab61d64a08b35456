import {
  DiscardPolicy,
  headers,
  RetentionPolicy,
  StorageType,
  type JetStreamClient,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from 'nats';
import type { BusConnection } from './bus-connection';
import type { CallSpan } from './call-span';
import { eventPrefix, streamOf } from './events';
import { StreamRoom, type StreamFill } from './stream-room';

export interface OutgoingEvent {
  id: string;
  subject: string;
  payload: string;
}

export interface PublisherOptions {
  /** Bound of the stream, in bytes. */
  maxBytes?: number;
  /** Durable consumers of the stream that other apps create: nothing that they have not acknowledged is deleted. */
  consumers?: readonly string[];
  /** Begins a span for an event; undefined without tracing. */
  trace?: (event: OutgoingEvent) => CallSpan | undefined;
}

const defaultMaxBytes = 256 * 2 ** 20;
const day = 24 * 60 * 60 * 1e9;
// Consumers may be offline for this long; older events are republished from the outbox.
const maxAgeNanos = 7 * day;
// A relay that died after publishing publishes the same ids again within seconds; two minutes is JetStream's own default.
const duplicateWindowNanos = 120 * 1e9;

/** A stream with a changed configuration that this product cannot use and NATS cannot change back in place. */
export class IncompatibleStreamError extends Error {
  constructor(stream: string, found: string) {
    super(
      `the stream ${stream} was changed by hand to ${found}. Delete it: the app rebuilds it from the outbox`,
    );
    this.name = 'IncompatibleStreamError';
  }
}

/** Publishes an app's events to its own JetStream stream, once per id within the duplicate window. */
export class EventPublisher {
  private readonly stream: JetStreamClient;
  private readonly room: StreamRoom;
  private readonly maxBytes: number;
  private readonly trace: PublisherOptions['trace'];

  constructor(
    private readonly bus: BusConnection,
    { maxBytes = defaultMaxBytes, consumers = [], trace }: PublisherOptions = {},
  ) {
    this.trace = trace;
    this.stream = bus.nats.jetstream({ timeout: 5_000 });
    this.room = new StreamRoom(bus, maxBytes, consumers);
    this.maxBytes = maxBytes;
  }

  /** The fill of the stream when it was last read, plus what this process has published since. */
  get fill(): StreamFill {
    return this.room.fill;
  }

  /** @returns how many of the events, from the first, may be published now without a loss for any consumer */
  countFitting(events: readonly OutgoingEvent[]): Promise<number> {
    return this.room.countFitting(events);
  }

  /** Changes nothing. @throws IncompatibleStreamError when the stream exists and cannot be used */
  async checkStream(): Promise<void> {
    const manager = await this.bus.nats.jetstreamManager({ checkAPI: false });
    await found(manager, wantedStream(this.bus.app, this.maxBytes));
  }

  /** Creates or updates the stream and returns its creation time: a new time means that its content was lost. */
  async ensureStream(): Promise<{ createdAt: string }> {
    const manager = await this.bus.nats.jetstreamManager({ checkAPI: false });
    const wanted = wantedStream(this.bus.app, this.maxBytes);
    const info = (await found(manager, wanted)) ?? (await manager.streams.add(wanted));
    // A relay that has just taken over also reads here what another one has published.
    await this.room.make(0);
    // The server would delete unacknowledged events above a new bound: the bound waits for the consumers.
    if (this.room.fill.bytes > this.maxBytes) wanted.max_bytes = info.config.max_bytes;
    if (!isAsWanted(info, wanted)) await manager.streams.update(wanted.name, wanted);
    return { createdAt: String(info.created) };
  }

  /** Resolves when the server has stored all events. After a failure the outcome is unknown: publish the same ids again. */
  async publish(events: readonly OutgoingEvent[]): Promise<void> {
    const stored = events.map((event) => this.store(event));
    const failed = (await Promise.allSettled(stored)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private store(event: OutgoingEvent): Promise<unknown> {
    const { id, subject, payload } = event;
    const span = this.trace?.(event);
    const data = Buffer.from(payload);
    if (!span) return this.stream.publish(subject, data, { msgID: id });
    // Beside the payload, which stays as its transaction wrote it.
    const traced = headers();
    traced.set(eventTraceHeader, span.traceparent);
    const stored = this.stream.publish(subject, data, { msgID: id, headers: traced });
    stored.then(
      () => span.end(),
      (error: Error) => span.end({}, error.name),
    );
    return stored;
  }
}

/** The span that published an event. Absent without tracing: the envelope has the trace of the change. */
export const eventTraceHeader = 'traceparent';

/** Sets every option, so that options changed by hand, such as no acknowledgements, are restored. */
function wantedStream(app: string, maxBytes: number) {
  return {
    name: streamOf(app),
    subjects: [`${eventPrefix(app)}.>`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: maxAgeNanos,
    max_msgs: -1,
    max_bytes: maxBytes,
    max_msg_size: -1,
    max_msgs_per_subject: -1,
    no_ack: false,
    duplicate_window: duplicateWindowNanos,
  } satisfies Partial<StreamConfig>;
}

type Wanted = ReturnType<typeof wantedStream>;

async function found(manager: JetStreamManager, wanted: Wanted): Promise<StreamInfo | undefined> {
  const { name } = wanted;
  const info = await manager.streams.info(name).catch((error: { api_error?: { code: number } }) => {
    if (error.api_error?.code === 404) return undefined;
    throw error;
  });
  if (!info) return undefined;
  const { storage, retention, sealed, mirror } = info.config;
  if (storage !== wanted.storage || retention !== wanted.retention)
    throw new IncompatibleStreamError(name, `${storage}/${retention}`);
  if (sealed || mirror) throw new IncompatibleStreamError(name, sealed ? 'sealed' : 'a mirror');
  return info;
}

function isAsWanted({ config }: StreamInfo, wanted: Wanted): boolean {
  return Object.entries(wanted).every(
    ([key, value]) => JSON.stringify(config[key as keyof StreamConfig] ?? false) === JSON.stringify(value),
  );
}
