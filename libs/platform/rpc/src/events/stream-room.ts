import type { ConsumerInfo, JetStreamManager, StreamInfo } from 'nats';
import { streamOf } from './events';
import { expireMessages } from './stream-age';

/** What a durable consumer still has to acknowledge. */
export interface Unacknowledged {
  consumer: string;
  /** Events for this consumer. */
  events: number;
  /** Share of the usable bytes behind its position, with the events of others there: at 1 publishing waits for it. */
  ratio: number;
}

/** A connection for the events of an app. */
interface Streams {
  app: string;
  jetstreamManager(): Promise<JetStreamManager>;
}

/** How far a durable consumer is. */
interface Progress {
  /** It has acknowledged all events up to this position. */
  seq: number;
  /** Events for this consumer that it has not acknowledged. */
  events: number;
}

/** The fill of a stream, and whether its publisher has to wait for a consumer. */
export interface StreamFill {
  bytes: number;
  maxBytes: number;
  /** The unacknowledged events of every durable consumer, as of the last `refresh`. */
  unacknowledged: readonly Unacknowledged[];
  /** The consumer that blocks publishing by its unacknowledged events. */
  heldBackBy: string | undefined;
}

interface Sized {
  subject: string;
  payload: string;
}

// The server deletes the oldest messages above its bound, acknowledged or not. So the publisher stays below it, also
// when two relays overlap for an instant.
const usableShare = 0.95;
// Acknowledged events that are deleted at once to make room. Others remain for consumers that are created later.
const purgedShare = 0.1;
// What the server stores beside subject and payload: record header, checksum, and headers with the message id.
const overheadBytes = 160;

/**
 * Limits a stream to its bound without losing an event that a durable consumer has not acknowledged. It deletes the
 * oldest acknowledged events, and computes how many may be published (decision 33).
 */
export class StreamRoom {
  /** Bytes that fit before the server must be queried again. Published events only lower it. */
  private freeBytes = 0;
  private bytes = 0;
  private heldBackBy: string | undefined;
  private unacknowledged: readonly Unacknowledged[] = [];

  /**
   * @param maxBytes bound of the stream
   * @param consumers durable consumers that the stream must have: one that is missing has acknowledged nothing
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

  /** @returns how many of the events, from the first, fit without a loss; 0 means wait for a consumer */
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
   * Deletes acknowledged events until so many bytes are free, or a tenth of the bound for a larger number.
   * @returns the consumer that has to acknowledge more before so many are free
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

  /** Reads how far the consumers are, and deletes acknowledged events that are older than this. */
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
    // Only above a bound that was lowered.
    if (this.freeBytes < 0) await this.make(0);
  }

  private ratioBehind({ state }: StreamInfo, seq: number): number {
    const events = Math.max(0, state.last_seq - Math.max(seq, state.first_seq - 1));
    const bytes = state.messages === 0 ? 0 : (events * state.bytes) / state.messages;
    return bytes / (this.maxBytes * usableShare);
  }

  /** The last position that every durable consumer has acknowledged, and the consumer that is there. */
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
 * The last position before the first event that a consumer has not acknowledged. With a filter the floor of the server
 * lags while other events are published.
 * @param lastSeq the end of the stream, read before the consumer
 */
function acknowledgedBy(info: ConsumerInfo, lastSeq: number): number {
  if (info.num_ack_pending > 0) return info.ack_floor.stream_seq;
  return info.num_pending === 0 ? lastSeq : info.delivered.stream_seq;
}

const sizeOf = ({ subject, payload }: Sized): number =>
  Buffer.byteLength(subject) + Buffer.byteLength(payload) + overheadBytes;
