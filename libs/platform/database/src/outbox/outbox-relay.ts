import type { Pool } from 'pg';
import type { Lease } from '../leases/leases';

export interface OutboxEvent {
  id: string;
  subject: string;
  payload: string;
}

type Row = OutboxEvent & { seq: string };
type Statement = { name: string; text: string; values: unknown[] };

export interface RelayOptions {
  pool: Pool;
  /** The lease of the one relay that publishes for the schema. The other replicas stand by. */
  lease: Lease;
  ensureStream(): Promise<{ createdAt: string }>;
  /**
   * Publishes events, and resolves when all are stored. After an error the outcome is unknown, and the same
   * events are published again.
   */
  publish(events: OutboxEvent[]): Promise<void>;
  /**
   * Returns how many of the events, counted from the first, fit into the stream; by default all. With 0 the
   * events stay in the outbox, and the relay retries soon.
   */
  countFitting?(events: OutboxEvent[]): Promise<number>;
  onPublished?(count: number): void;
  /** Called at each check of the stream with the number of waiting rows and the age of the oldest. */
  onBacklog?(rows: number, oldestMs: number): void;
  /** Called while another replica publishes. */
  onStandby?(): void;
  onRebuild?(reason: string): void;
  onError?(error: unknown): void;
  /** Maximum delay before the relay finds a commit without a hint, in milliseconds; 5 s by default. */
  pollIntervalMs?: number;
  /** Interval of the check for a lost stream, in milliseconds; 10 s by default. */
  streamCheckIntervalMs?: number;
}

// Maximum number of events of a page. It limits the memory of a page, and the unacknowledged events.
const pageSize = 500;
const pageBytes = 8_000_000;
const defaultStreamCheckIntervalMs = 10_000;
const defaultPollIntervalMs = 5_000;
// Requests of this moment are answered before the relay reads.
const readDelayMs = 1;
// Events that follow one another share a page, since a page costs the same for one event as for ten.
const pageIntervalMs = 50;
// Published rows leave the queue with the read of the next page, after this time at the latest.
const removalDelayMs = 1_000;
// The bus or the database is unavailable, or the stream rejects events. A retry at every commit would be useless.
const pauseAfterErrorMs = 500;
// A cluster of NATS servers elects a new leader within nine seconds.
const maxPauseAfterErrorMs = 2_000;
// A consumer has not acknowledged as many events as the stream can store.
const pauseWhenHeldBackMs = 500;

/**
 * Publishes outbox rows, in the order of their writes for each aggregate. `outbox_queue` contains every unpublished
 * row, so a transaction that commits late is not skipped. A later change of an aggregate is written after the commit of
 * the earlier one. A reader that sees the later change therefore also sees the earlier one, with the lower `seq`.
 *
 * Rows leave the queue after they are stored in the stream. The statement that reads the next page removes them, so a
 * lone event costs one commit (bench row "create an order"). A relay that dies causes at most one page to be published
 * again, under the same ids. After a failure the relay tries the first row alone. A stream that rejects some events
 * and stores later ones would otherwise break the order. A relay that was paused beyond its lease may publish a page
 * again, under the same ids. Its term is then outdated, so its updates of `outbox_stream` fail. SQL: pages bounded by
 * number and size; each statement runs on any connection of the pool.
 */
export class OutboxRelay {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private isStarted = false;
  private stopped = false;
  private streamCheckedAtMs = -Infinity;
  private isRebuilding = false;
  private failures = 0;
  /** After a failure the relay makes no attempt until this time. */
  private idleUntilMs = -Infinity;
  /** Whether the timer ends with a page, and not with a poll. */
  private isScheduled = false;
  private lastRunMs = -Infinity;
  /** Lease term of the last check of the stream. */
  private term: string | undefined;
  /** Positions of stored events that are still in the queue. */
  private published: string[] = [];

  constructor(private readonly options: RelayOptions) {
    options.lease.onAcquired(() => this.wake());
  }

  start(): void {
    this.isStarted = true;
    this.wake();
  }

  /** Signals that there may be events to publish. Calls during a run are combined, so a call is cheap. */
  wake(): void {
    if (this.stopped || !this.isStarted || performance.now() < this.idleUntilMs) return;
    if (this.running) this.again = true;
    else if (!this.isScheduled) this.schedule();
  }

  /** Runs soon, or when the interval of pages has passed. */
  private schedule(): void {
    this.isScheduled = true;
    clearTimeout(this.timer);
    const waitMs = this.lastRunMs + pageIntervalMs - performance.now();
    this.timer = setTimeout(() => this.begin(), Math.max(readDelayMs, waitMs));
  }

  private begin(): void {
    this.isScheduled = false;
    this.lastRunMs = performance.now();
    this.running = this.run()
      .catch((error) => {
        // The outcome of the failed run is unknown, so the next run checks the stream first.
        this.term = undefined;
        const pauseMs = Math.min(pauseAfterErrorMs * 2 ** this.failures++, maxPauseAfterErrorMs);
        this.idleUntilMs = performance.now() + pauseMs;
        this.options.onError?.(error);
      })
      .finally(() => {
        this.running = undefined;
        const wasWoken = this.again;
        this.again = false;
        if (wasWoken) this.wake();
        if (!this.isScheduled) this.sleep();
      });
  }

  /** Checks the stream before the next publication, because it may be a new stream. */
  recheckStream(): void {
    this.streamCheckedAtMs = -Infinity;
    this.wake();
  }

  /**
   * Sleeps until the next poll or retry. Commits wake the relay earlier (`wake`); other replicas send hints
   * over the bus.
   */
  private sleep(): void {
    if (this.stopped) return;
    const { pollIntervalMs = defaultPollIntervalMs, streamCheckIntervalMs = defaultStreamCheckIntervalMs } =
      this.options;
    const idleMs = this.idleUntilMs - performance.now();
    const removalMs = this.published.length > 0 ? removalDelayMs : Infinity;
    this.timer = setTimeout(
      () => {
        this.idleUntilMs = -Infinity;
        this.wake();
      },
      idleMs > 0 ? idleMs : Math.min(pollIntervalMs, streamCheckIntervalMs, removalMs),
    );
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
    // Otherwise the next relay would publish these events again.
    await this.removePublished().catch((error) => this.options.onError?.(error));
  }

  private async run(): Promise<void> {
    const { lease, onStandby } = this.options;
    // A standby replica runs no statements. It wakes when it acquires the lease.
    if (!lease.isHeld) return onStandby?.();
    await lease.run(async () => {
      if (this.term !== lease.term) this.streamCheckedAtMs = -Infinity;
      this.term = lease.term;
      await this.checkStream();
      while (
        !this.stopped &&
        lease.isHeld &&
        (await (this.isRebuilding ? this.rebuildPage() : this.publishPage()))
      );
    });
    this.failures = 0;
  }

  private async checkStream(): Promise<void> {
    const { streamCheckIntervalMs = defaultStreamCheckIntervalMs } = this.options;
    const nowMs = performance.now();
    if (nowMs - this.streamCheckedAtMs < streamCheckIntervalMs) return;
    await this.countBacklog();
    const { createdAt } = await this.options.ensureStream();
    const { rows } = await this.options.pool.query<{ created_at: string | null; rebuilt_seq: string | null }>(
      'SELECT created_at, rebuilt_seq FROM outbox_stream',
    );
    const known = rows[0]!;
    const isLost = known.created_at !== null && known.created_at !== createdAt;
    if (isLost) this.options.onRebuild?.('the stream is new: all events are published again');
    if (known.created_at !== createdAt) {
      // The very first stream needs no rebuild, because all events are still in the queue.
      await this.updateStream({
        name: 'outbox-stream',
        text: 'UPDATE outbox_stream SET created_at = $3, rebuilt_seq = $4::bigint',
        values: [createdAt, isLost ? 0 : null],
      });
    }
    this.isRebuilding = isLost || known.rebuilt_seq !== null;
    this.streamCheckedAtMs = nowMs;
  }

  private async countBacklog(): Promise<void> {
    if (!this.options.onBacklog) return;
    const { rows } = await this.options.pool.query<{ count: string; oldest_ms: string }>({
      name: 'outbox-backlog',
      text: `WITH waiting AS (SELECT seq FROM outbox_queue WHERE seq <> ALL($1::bigint[]))
        SELECT count(*), coalesce(extract(epoch FROM now() - (
          SELECT created_at FROM outbox WHERE seq = (SELECT min(seq) FROM waiting))) * 1000, 0) AS oldest_ms
        FROM waiting`,
      values: [this.published],
    });
    const { count, oldest_ms: oldestMs } = rows[0]!;
    this.options.onBacklog(Number(count), Math.max(0, Number(oldestMs)));
  }

  /**
   * Publishes the next page to a new stream, from the oldest row on, and removes it from the queue. A
   * transaction that commits late, below the current position, is in the queue. The same statement selects it
   * first, then the rows after the position.
   */
  private async rebuildPage(): Promise<boolean> {
    const { rows } = await this.options.pool.query<Row>({
      name: 'outbox-rebuild-page',
      text: pageOf(`SELECT seq FROM outbox_queue WHERE seq <= (SELECT rebuilt_seq FROM outbox_stream)
        UNION ALL (SELECT seq FROM outbox WHERE seq > (SELECT rebuilt_seq FROM outbox_stream) ORDER BY seq LIMIT ${pageSize})`),
    });
    const published = await this.publish(rows);
    await this.removePublished();
    // Events that are committed after the last page are in the queue.
    this.isRebuilding = rows.length > 0;
    if (this.isRebuilding && published.length === 0) return false;
    await this.updateStream({
      name: 'outbox-rebuilt',
      text: 'UPDATE outbox_stream SET rebuilt_seq = CASE WHEN $3::bigint IS NOT NULL THEN greatest(rebuilt_seq, $3) END',
      values: [published.at(-1)?.seq ?? null],
    });
    return true;
  }

  /** Updates the stored state of the stream. @throws Error if another replica holds the lease now */
  private async updateStream({ name, text, values }: Statement): Promise<void> {
    const { pool, lease } = this.options;
    const { rowCount } = await pool.query({
      name,
      text: `${text} WHERE EXISTS (SELECT FROM leases WHERE name = $1 AND term = $2 AND holder IS NOT NULL)`,
      values: [lease.name, this.term, ...values],
    });
    if (rowCount === 0) throw new Error('another replica publishes now');
  }

  /** @returns whether there may be another page */
  private async publishPage(): Promise<boolean> {
    const { rows } = await this.options.pool.query<Row>({
      name: 'outbox-page',
      text: `WITH removed AS (${removal}) ${pageOf('SELECT seq FROM outbox_queue WHERE seq <> ALL($1::bigint[])')}`,
      values: [this.published],
    });
    this.published = [];
    const { length } = await this.publish(rows);
    return length > 0 && (length < rows.length || isFullPage(rows));
  }

  private async removePublished(): Promise<void> {
    if (this.published.length === 0) return;
    await this.options.pool.query({ name: 'outbox-done', text: removal, values: [this.published] });
    this.published = [];
  }

  /** Publishes the leading rows of a page that fit. @returns the rows that are stored in the stream now */
  private async publish(page: Row[]): Promise<Row[]> {
    const wanted = this.failures > 0 ? page.slice(0, 1) : page;
    if (wanted.length === 0) return [];
    const count = (await this.options.countFitting?.(wanted)) ?? wanted.length;
    if (count === 0) {
      this.idleUntilMs = performance.now() + pauseWhenHeldBackMs;
      return [];
    }
    const rows = wanted.slice(0, count);
    await this.options.publish(rows);
    this.failures = 0;
    this.published = rows.map(({ seq }) => seq);
    this.options.onPublished?.(rows.length);
    return rows;
  }
}

const removal = 'DELETE FROM outbox_queue WHERE seq = ANY($1::bigint[])';

/** Whether a page may have been cut, by number or by size. A character has three bytes at most. */
function isFullPage(rows: readonly Row[]): boolean {
  const characters = rows.reduce((sum, { payload }) => sum + payload.length, 0);
  return rows.length === pageSize || characters * 3 >= pageBytes;
}

/**
 * SQL of the first chosen rows that fit into a page by number and by size. With an array the planner looks up
 * each row. With a join it would read the whole of a small table.
 */
function pageOf(choice: string): string {
  return `
    SELECT seq, id, subject, payload FROM (
      SELECT o.seq, o.id, o.subject, o.payload::text AS payload,
        sum(octet_length(o.payload::text)) OVER (ORDER BY o.seq) - octet_length(o.payload::text) AS bytes_before
      FROM outbox o WHERE o.seq = ANY(ARRAY(SELECT seq FROM (${choice}) AS chosen ORDER BY seq LIMIT ${pageSize}))
    ) AS page WHERE bytes_before < ${pageBytes} ORDER BY seq`;
}
