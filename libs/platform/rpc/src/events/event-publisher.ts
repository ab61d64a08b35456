import type { JetStreamClient, JetStreamManager } from 'nats';
import type { BusConnection } from '../bus/bus-connection';
import type { CallSpan } from '../calls/call-span';
import { eventHeaders, type EventSigning } from './event-signatures';
import {
  defaultMaxBytes,
  differingOptions,
  findStream,
  wantedStream,
  type WantedStream,
} from './stream-provisioning';
import { StreamRoom, type StreamFill } from './stream-room';

export interface OutgoingEvent {
  id: string;
  subject: string;
  payload: string;
}

export interface PublisherOptions {
  /** Maximum size of the stream, in bytes. */
  maxBytes?: number;
  /** How long acknowledged events are kept, in milliseconds. */
  maxAgeMs?: number;
  /** Number of NATS servers that store the stream. */
  replicas?: number;
  /** Durable consumers of the stream. Events that they have not acknowledged are not deleted. */
  consumers?: readonly string[];
  /** Signs each event for the apps that receive it. */
  signing?: EventSigning;
  /** Begins a span for an event; undefined without tracing. */
  trace?: (event: OutgoingEvent) => CallSpan | undefined;
}

// Events are kept for consumers that are created later. The outbox contains older events.
const defaultMaxAgeMs = 7 * 24 * 60 * 60 * 1_000;

// The server writes a page to disk event by event. A single event is usually a retry after a failure. Its time-out is
// shorter, because a cluster may have elected a new leader in the meantime.
const pageStoredMs = 5_000;
const oneStoredMs = 2_000;

/** The stream of the app does not exist. Only the provisioner may create it. */
export class StreamMissingError extends Error {
  constructor(readonly stream: string) {
    super(`the event stream ${stream} does not exist. Run: npm run streams -- apply`);
    this.name = 'StreamMissingError';
  }
}

/** Publishes an app's events to its own JetStream stream, once per id within the duplicate window. */
export class EventPublisher {
  private opened: Promise<{ connection: BusConnection; stream: JetStreamClient }> | undefined;
  private readonly room: StreamRoom;
  private readonly wanted: WantedStream;
  private readonly maxAgeMs: number;
  private readonly signing: EventSigning | undefined;
  private readonly trace: PublisherOptions['trace'];

  constructor(
    private readonly bus: BusConnection,
    {
      maxBytes = defaultMaxBytes,
      maxAgeMs = defaultMaxAgeMs,
      replicas = 1,
      consumers = [],
      signing,
      trace,
    }: PublisherOptions = {},
  ) {
    this.signing = signing;
    this.trace = trace;
    const streams = { app: bus.app, jetstreamManager: () => this.manager() };
    this.room = new StreamRoom(streams, maxBytes, consumers);
    this.wanted = wantedStream(bus.app, { maxBytes, replicas });
    this.maxAgeMs = maxAgeMs;
  }

  /** The fill of the stream at the last read, plus the events that this process has published since. */
  get fill(): StreamFill {
    return this.room.fill;
  }

  /** @returns how many of the leading events may be published now without a loss for any consumer */
  countFitting(events: readonly OutgoingEvent[]): Promise<number> {
    return this.room.countFitting(events);
  }

  /**
   * Reads the stream, and deletes acknowledged events that are too old.
   * @returns its creation time, which changes when the content was lost; and the options that differ from the settings
   * @throws StreamMissingError when it does not exist, IncompatibleStreamError when it cannot be used
   */
  async checkStream(): Promise<{ createdAt: string; differing: readonly string[] }> {
    const info = await findStream(await this.manager(), this.wanted);
    if (!info) throw new StreamMissingError(this.wanted.name);
    // A relay that has just taken over also needs the events that another relay has published.
    await this.room.refresh(this.maxAgeMs);
    return { createdAt: String(info.created), differing: differingOptions(info.config, this.wanted) };
  }

  /**
   * Publishes events. Resolves when the server has stored all of them. After a failure the outcome is
   * unknown, and the caller must publish the same ids again.
   */
  async publish(events: readonly OutgoingEvent[]): Promise<void> {
    const timeoutMs = events.length === 1 ? oneStoredMs : pageStoredMs;
    const { stream } = await this.connect();
    const stored = events.map((event) => this.store(stream, event, timeoutMs));
    const failed = (await Promise.allSettled(stored)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private store(stream: JetStreamClient, event: OutgoingEvent, timeout: number): Promise<unknown> {
    const { id, subject, payload } = event;
    const span = this.trace?.(event);
    const data = Buffer.from(payload);
    // The trace is sent as a header, because the payload must stay unchanged.
    const traceparent = span?.traceparent ?? '';
    const headers = eventHeaders({ subject, data }, { signing: this.signing, traceparent });
    const options = { msgID: id, timeout, ...(headers && { headers }) };
    const stored = stream.publish(subject, data, options);
    if (!span) return stored;
    stored.then(
      () => span.end(),
      (error: Error) => span.end({}, error.name),
    );
    return stored;
  }

  private async manager(): Promise<JetStreamManager> {
    return (await this.connect()).connection.jetstreamManager();
  }

  /** Opens the connection at the first use. It is closed with the connection of the app. */
  private connect(): Promise<{ connection: BusConnection; stream: JetStreamClient }> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  private async open(): Promise<{ connection: BusConnection; stream: JetStreamClient }> {
    const connection = await this.bus.openEvents();
    void this.bus.closed.then(() => connection.close());
    return { connection, stream: connection.jetstream() };
  }
}
