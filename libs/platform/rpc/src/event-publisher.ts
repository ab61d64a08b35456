import {
  DiscardPolicy,
  headers,
  RetentionPolicy,
  StorageType,
  type JetStreamClient,
  type JetStreamManager,
  type NatsError,
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
  /** How long acknowledged events are kept. */
  maxAgeMs?: number;
  /** Servers of a NATS cluster that store the stream. */
  replicas?: number;
  /** Durable consumers of the stream that other apps create: nothing that they have not acknowledged is deleted. */
  consumers?: readonly string[];
  /** Begins a span for an event; undefined without tracing. */
  trace?: (event: OutgoingEvent) => CallSpan | undefined;
}

const defaultMaxBytes = 256 * 2 ** 20;
// For consumers that are created later; the outbox has older events.
const defaultMaxAgeMs = 7 * 24 * 60 * 60 * 1_000;
// A relay that died after publishing publishes the same ids again within seconds; two minutes is JetStream's own default.
const duplicateWindowNanos = 120 * 1e9;

// A page is synced to the disk event by event. One event alone is mostly a retry after a failure: it is retried soon, since
// a cluster may elect a leader meanwhile.
const pageStoredMs = 5_000;
const oneStoredMs = 2_000;

/** A stream with a changed configuration that this product cannot use and NATS cannot change back in place. */
export class IncompatibleStreamError extends Error {
  constructor(stream: string, found: string) {
    super(
      `the stream ${stream} was changed by hand to ${found}. Delete it: the app rebuilds it from the outbox`,
    );
    this.name = 'IncompatibleStreamError';
  }
}

/** NATS rejects the wanted configuration of a stream. An existing stream is used as it is. */
export class StreamRejectedError extends Error {
  constructor(wanted: Pick<StreamConfig, 'name' | 'num_replicas' | 'max_bytes'>, reason: string) {
    const { name, num_replicas: replicas, max_bytes: bytes } = wanted;
    super(
      `NATS rejects the stream ${name} with ${replicas} replicas and ${bytes} bytes: ${reason}. Change ${name}_STREAM_REPLICAS or ${name}_STREAM_MAX_MB, or the servers`,
    );
    this.name = 'StreamRejectedError';
  }
}

/** Publishes an app's events to its own JetStream stream, once per id within the duplicate window. */
export class EventPublisher {
  private readonly stream: JetStreamClient;
  private readonly room: StreamRoom;
  private readonly wanted: Wanted;
  private readonly maxAgeMs: number;
  private readonly trace: PublisherOptions['trace'];

  constructor(
    private readonly bus: BusConnection,
    {
      maxBytes = defaultMaxBytes,
      maxAgeMs = defaultMaxAgeMs,
      replicas = 1,
      consumers = [],
      trace,
    }: PublisherOptions = {},
  ) {
    this.trace = trace;
    this.stream = bus.nats.jetstream();
    this.room = new StreamRoom(bus, maxBytes, consumers);
    this.wanted = wantedStream(bus.app, maxBytes, replicas);
    this.maxAgeMs = maxAgeMs;
  }

  /** The fill of the stream when it was last read, plus what this process has published since. */
  get fill(): StreamFill {
    return this.room.fill;
  }

  /** @returns how many of the events, from the first, may be published now without a loss for any consumer */
  countFitting(events: readonly OutgoingEvent[]): Promise<number> {
    return this.room.countFitting(events);
  }

  /**
   * Verifies the stream, and changes nothing.
   * @throws IncompatibleStreamError when the stream exists and cannot be used
   * @throws StreamRejectedError when the server cannot have replicas
   */
  async checkStream(): Promise<void> {
    const manager = await this.bus.nats.jetstreamManager({ checkAPI: false });
    await found(manager, this.wanted);
    const rejection = this.rejectionWithoutCluster();
    if (rejection) throw rejection;
  }

  /**
   * Creates or updates the stream, and deletes acknowledged events that are too old.
   * @returns its creation time: a new time means that its content was lost; and why NATS rejects a wanted change of it
   */
  async ensureStream(): Promise<{ createdAt: string; rejection?: StreamRejectedError }> {
    const manager = await this.bus.nats.jetstreamManager({ checkAPI: false });
    const existing = await found(manager, this.wanted);
    const info = existing ?? (await add(manager, this.wanted));
    // A relay that has just taken over also reads here what another one has published.
    await this.room.refresh(this.maxAgeMs);
    const createdAt = String(info.created);
    const rejection = existing && (await this.adapt(manager, existing));
    return { createdAt, ...(rejection && { rejection }) };
  }

  /** A server alone accepts an update to three replicas, and stores one. */
  private rejectionWithoutCluster(): StreamRejectedError | undefined {
    if (this.wanted.num_replicas === 1 || this.bus.nats.info?.cluster !== undefined) return undefined;
    return new StreamRejectedError(this.wanted, 'the server is not part of a cluster');
  }

  /** Updates the stream. The replicas come last, so that a cluster with too few servers prevents nothing else. */
  private async adapt(
    manager: JetStreamManager,
    { config }: StreamInfo,
  ): Promise<StreamRejectedError | undefined> {
    const wanted = { ...this.wanted };
    // The server would delete unacknowledged events above a new bound: the bound waits for the consumers.
    if (this.room.fill.bytes > wanted.max_bytes) wanted.max_bytes = config.max_bytes;
    const withoutCluster = this.rejectionWithoutCluster();
    for (const step of [{ ...wanted, num_replicas: config.num_replicas }, wanted]) {
      if (isAsWanted(config, step)) continue;
      if (step === wanted && withoutCluster) return withoutCluster;
      const failure = await manager.streams.update(step.name, step).then(
        (updated) => void Object.assign(config, updated.config),
        (error: unknown) => rejectionOf(step, error),
      );
      if (failure) return failure;
    }
    return undefined;
  }

  /** Resolves when the server has stored all events. After a failure the outcome is unknown: publish the same ids again. */
  async publish(events: readonly OutgoingEvent[]): Promise<void> {
    const timeoutMs = events.length === 1 ? oneStoredMs : pageStoredMs;
    const stored = events.map((event) => this.store(event, timeoutMs));
    const failed = (await Promise.allSettled(stored)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private store(event: OutgoingEvent, timeout: number): Promise<unknown> {
    const { id, subject, payload } = event;
    const span = this.trace?.(event);
    const data = Buffer.from(payload);
    if (!span) return this.stream.publish(subject, data, { msgID: id, timeout });
    // Beside the payload, which stays as its transaction wrote it.
    const traced = headers();
    traced.set(eventTraceHeader, span.traceparent);
    const stored = this.stream.publish(subject, data, { msgID: id, timeout, headers: traced });
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
function wantedStream(app: string, maxBytes: number, replicas: number) {
  return {
    name: streamOf(app),
    subjects: [`${eventPrefix(app)}.>`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    // It would delete events that no consumer has acknowledged: `StreamRoom.refresh` deletes the others.
    max_age: 0,
    max_msgs: -1,
    max_bytes: maxBytes,
    max_msg_size: -1,
    max_msgs_per_subject: -1,
    no_ack: false,
    duplicate_window: duplicateWindowNanos,
    num_replicas: replicas,
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

function isAsWanted(config: StreamConfig, wanted: Wanted): boolean {
  return Object.entries(wanted).every(
    ([key, value]) => JSON.stringify(config[key as keyof StreamConfig] ?? false) === JSON.stringify(value),
  );
}

const add = (manager: JetStreamManager, wanted: Wanted): Promise<StreamInfo> =>
  manager.streams.add({ ...wanted }).catch((error: unknown) => {
    throw rejectionOf(wanted, error);
  });

// While the cluster elects a leader: "JetStream system temporarily unavailable", "JetStream not in clustered mode yet".
const passingErrors: unknown[] = [10_008, 10_009, 10_010];

/** The rejection of a configuration. @throws the error when it is none: a retry may succeed */
function rejectionOf(wanted: Wanted, error: unknown): StreamRejectedError {
  const { api_error: reason } = error as NatsError;
  if (!reason || passingErrors.includes(reason.err_code)) throw error;
  return new StreamRejectedError(wanted, reason.description);
}
