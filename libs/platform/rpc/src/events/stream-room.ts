import type { ConsumerInfo, JetStreamManager, StreamInfo } from 'nats';
import { streamOf } from './events';
import { expireMessages } from './stream-age';

/** Unacknowledged events of a durable consumer. */
export interface Unacknowledged {
  consumer: string;
  /** Number of events for this consumer. */
  events: number;
  /**
   * Share of the usable bytes after its position, including events of other consumers. At 1 publishing must
   * wait for it.
   */
  ratio: number;
}

/** Access to the streams of an app's events. */
interface Streams {
  app: string;
  jetstreamManager(): Promise<JetStreamManager>;
}

/** Progress of a durable consumer. */
interface Progress {
  /** Position of the last event before the first unacknowledged event. */
  seq: number;
  /** Number of unacknowledged events for this consumer. */
  events: number;
}

/** The fill of a stream, and whether its publisher must wait for a consumer. */
export interface StreamFill {
  bytes: number;
  maxBytes: number;
  /** The unacknowledged events of every durable consumer, as of the last `refresh`. */
  unacknowledged: readonly Unacknowledged[];
  /** The consumer with unacknowledged events that blocks publishing. */
  heldBackBy: string | undefined;
}

interface Sized {
  subject: string;
  payload: string;
}

// Above its limit the server deletes the oldest messages, even if they are unacknowledged. The publisher
// therefore stays below the limit, also when two relays overlap for a moment.
const usableShare = 0.95;
// Maximum share of acknowledged events to delete at once. The others remain for consumers that are created later.
const purgedShare = 0.1;
// Bytes that the server stores besides subject and payload: record header, checksum, and headers with the message id.
const overheadBytes = 160;

/**
 * Keeps a stream below its size limit without losing an event that a durable consumer has not acknowledged.
 * It deletes the oldest acknowledged events, and computes how many events may be published (decision 33).
 */
export class StreamRoom {
  /** Free bytes before the server must be queried again. Published events reduce it. */
  private freeBytes = 0;
  private bytes = 0;
  private heldBackBy: string | undefined;
  private unacknowledged: readonly Unacknowledged[] = [];

  /**
   * @param maxBytes size limit of the stream
   * @param consumers required durable consumers; a missing consumer counts as having acknowledged nothing
   */
  constructor(
    private readonly streams: Streams,
    private readonly maxBytes: number,
    private readonly consumers: readonly string[],
  ) {}

  get fill(): StreamFill {
    const { bytes, maxBytes, unacknowledged, heldBackBy } = this;
    return { bytes, maxBytes, unacknowledged, heldBackBy };
  }

  /** @returns how many of the leading events fit without a loss; 0 means that publishing must wait for a consumer */
  async countFitting(events: readonly Sized[]): Promise<number> {
    const sizes = events.map(sizeOf);
    const wantedBytes = sizes.reduce((sum, size) => sum + size, 0);
    const slowest = wantedBytes > this.freeBytes ? await this.make(wantedBytes) : undefined;
    let count = 0;
    for (const size of sizes) {
      if (size > this.freeBytes) break;
      this.freeBytes -= size;
      this.bytes += size;
      count++;
    }
    this.heldBackBy = count === 0 ? slowest : undefined;
    return count;
  }

  /**
   * Deletes acknowledged events until the requested bytes are free, or at most a tenth of the usable size.
   * @returns the consumer that must acknowledge more before the bytes are free
   */
  async make(wantedBytes: number): Promise<string | undefined> {
    const usableBytes = this.maxBytes * usableShare;
    const enoughBytes = Math.min(wantedBytes, usableBytes * purgedShare);
    const manager = await this.streams.jetstreamManager();
    const name = streamOf(this.streams.app);
    for (;;) {
      const info = await manager.streams.info(name);
      this.bytes = info.state.bytes;
      this.freeBytes = usableBytes - info.state.bytes;
      if (this.freeBytes >= enoughBytes) return undefined;
      const { consumer, seq } = await this.slowest(manager, info);
      const { first_seq: firstSeq, messages } = info.state;
      if (seq < firstSeq) return consumer;
      const lastSeq = Math.min(seq, firstSeq + Math.ceil(messages * purgedShare) - 1);
      await manager.streams.purge(name, { seq: lastSeq + 1 });
    }
  }

  /** Reads the progress of the consumers, and deletes acknowledged events that are older than `maxAgeMs`. */
  async refresh(maxAgeMs: number): Promise<void> {
    const manager = await this.streams.jetstreamManager();
    const info = await manager.streams.info(streamOf(this.streams.app));
    this.bytes = info.state.bytes;
    this.freeBytes = this.maxBytes * usableShare - info.state.bytes;
    const progress = await this.progress(manager, info);
    this.unacknowledged = [...progress].map(([consumer, { seq, events }]) => ({
      consumer,
      events,
      ratio: this.ratioBehind(info, seq),
    }));
    await expireMessages(manager, info, {
      beforeMs: Date.now() - maxAgeMs,
      lastSeq: Math.min(info.state.last_seq, ...[...progress.values()].map(({ seq }) => seq)),
    });
    // Negative only above a limit that was lowered.
    if (this.freeBytes < 0) await this.make(0);
  }

  private ratioBehind({ state }: StreamInfo, seq: number): number {
    const events = Math.max(0, state.last_seq - Math.max(seq, state.first_seq - 1));
    const bytes = state.messages === 0 ? 0 : (events * state.bytes) / state.messages;
    return bytes / (this.maxBytes * usableShare);
  }

  /** Returns the last position that every durable consumer has acknowledged, and the slowest consumer. */
  private async slowest(
    manager: JetStreamManager,
    info: StreamInfo,
  ): Promise<{ consumer?: string; seq: number }> {
    let slowest: { consumer?: string; seq: number } = { seq: info.state.last_seq };
    for (const [consumer, { seq }] of await this.progress(manager, info))
      if (seq < slowest.seq) slowest = { consumer, seq };
    return slowest;
  }

  private async progress(
    manager: JetStreamManager,
    { state, config }: StreamInfo,
  ): Promise<Map<string, Progress>> {
    const progress = new Map(this.consumers.map((name) => [name, { seq: 0, events: state.messages }]));
    for await (const info of manager.consumers.list(config.name))
      if (info.config.durable_name)
        progress.set(info.config.durable_name, {
          seq: acknowledgedBy(info, state.last_seq),
          events: info.num_pending + info.num_ack_pending,
        });
    return progress;
  }
}

/**
 * Returns the last position before the first unacknowledged event of a consumer. For a consumer with a
 * filter, the server's ack floor lags while other events are published.
 * @param lastSeq end of the stream, read before the consumer
 */
function acknowledgedBy(info: ConsumerInfo, lastSeq: number): number {
  if (info.num_ack_pending > 0) return info.ack_floor.stream_seq;
  return info.num_pending === 0 ? lastSeq : info.delivered.stream_seq;
}

const sizeOf = ({ subject, payload }: Sized): number =>
  Buffer.byteLength(subject) + Buffer.byteLength(payload) + overheadBytes;
