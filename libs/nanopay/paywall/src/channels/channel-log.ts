import type { ChannelStore } from './channel-store';
import { RecordWriter } from './channel-records';

/** Records that become durable together. */
interface Group {
  promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

const firstRecoveryMs = 100;
const longestRecoveryMs = 2_000;

/**
 * Group commit: records of one turn of the event loop share a batch, and records that arrive during a write share the
 * next. After a failed write, the content of the store is unknown. The log then appends nothing until a snapshot has
 * replaced it.
 */
export class ChannelLog {
  readonly records: RecordWriter = new RecordWriter();
  private group: Group | undefined;
  private isWriting = false;
  private failure: Error | undefined;
  private byteLength = 0;
  private idle: (() => void)[] = [];
  private retry: NodeJS.Timeout | undefined;
  private recovering: Promise<void> | undefined;
  private isClosed = false;

  /**
   * @param maxBytes a larger log is replaced by a snapshot
   * @param snapshot writes the whole state
   */
  constructor(
    private readonly store: ChannelStore,
    private readonly maxBytes: number,
    private readonly snapshot: (records: RecordWriter) => void,
    private readonly on: { failed(error: unknown): void; recovered(): void },
  ) {}

  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  /** Resolves when all records so far are durable. Call it in the same turn of the event loop as the records. */
  written(): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    if (!this.group) {
      this.group = newGroup();
      if (!this.isWriting) setImmediate(this.write);
    }
    return this.group.promise;
  }

  /** Resolves when no write is in progress. A log that has failed is not replaced after this call. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.retry);
    await this.recovering;
    while (!this.failure && (this.isWriting || this.group))
      await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  /** An own property, because it is passed as a callback for each batch. */
  private readonly write = (): void => {
    if (this.isWriting || !this.group) return;
    this.isWriting = true;
    const { group } = this;
    this.group = undefined;
    this.store.append(this.take()).then(
      () => this.end(group),
      (error: unknown) => this.fail(group, error),
    );
  };

  private take(): Buffer {
    const batch = this.records.take();
    this.byteLength += batch.length;
    return batch;
  }

  private end(group: Group): void {
    group.resolve();
    if (this.byteLength > this.maxBytes) return void this.compact();
    this.isWriting = false;
    if (this.group) this.write();
    else this.wakeIdle();
  }

  private async compact(): Promise<void> {
    try {
      await this.replace();
    } catch (error) {
      return this.fail(undefined, error);
    }
    this.isWriting = false;
    if (this.group) this.write();
    else this.wakeIdle();
  }

  /** Replaces the log by a snapshot. The snapshot may be ahead of the records after it, which then change nothing. */
  private async replace(): Promise<void> {
    const records = new RecordWriter();
    this.snapshot(records);
    const whole = records.take();
    await this.store.replace(whole);
    // Bounds the counter, so that a snapshot that is large by itself is not rewritten for each batch.
    this.byteLength = Math.min(whole.length, this.maxBytes / 2);
  }

  /** Marks the log as failed, because no later batch may follow the failed one. */
  private fail(group: Group | undefined, error: unknown): void {
    this.failure = new Error('The log of channels cannot be written.', { cause: error });
    group?.reject(this.failure);
    this.group?.reject(this.failure);
    this.group = undefined;
    this.isWriting = false;
    this.wakeIdle();
    this.recoverLater(firstRecoveryMs);
    this.on.failed(error);
  }

  private recoverLater(pauseMs: number): void {
    if (this.isClosed) return;
    this.retry = setTimeout(() => {
      this.recovering = this.recover(pauseMs).finally(() => (this.recovering = undefined));
    }, pauseMs).unref();
  }

  /**
   * Replaces the log by a snapshot. Every request of the failed batch has received a 503, and the state reflects that.
   */
  private async recover(pauseMs: number): Promise<void> {
    // Discard the collected records, because the snapshot includes them.
    this.records.take();
    try {
      await this.replace();
    } catch {
      return this.recoverLater(Math.min(2 * pauseMs, longestRecoveryMs));
    }
    this.failure = undefined;
    this.on.recovered();
    // Write the refunds and settlements that arrived during the recovery.
    if (!this.records.isEmpty) void this.written();
  }

  private wakeIdle(): void {
    for (const wake of this.idle.splice(0)) wake();
  }
}

function newGroup(): Group {
  let [resolve, reject]: [() => void, (error: unknown) => void] = [() => undefined, () => undefined];
  const promise = new Promise<void>((done, failed) => ([resolve, reject] = [done, failed]));
  // Prevents an unhandled rejection when no request waits for this group.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
