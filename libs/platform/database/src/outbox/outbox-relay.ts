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
  /** One relay works per schema, the other replicas stand by. */
  lease: Lease;
  ensureStream(): Promise<{ createdAt: string }>;
  /** Resolves when all are stored; throwing means unknown, and the same events are published again. */
  publish(events: OutboxEvent[]): Promise<void>;
  /**
   * How many of the events, from the first, may be published now; all by default. With 0 the relay holds back and asks
   * again soon: the rows wait in the outbox.
   */
  countFitting?(events: OutboxEvent[]): Promise<number>;
  onPublished?(count: number): void;
  /**
   * Called each time that the stream is checked, and after each failure, with the rows that wait and the oldest's age.
   */
  onBacklog?(rows: number, oldestMs: number): void;
  /** Another replica publishes. */
  onStandby?(): void;
  onRebuild?(reason: string): void;
  onError?(error: unknown): void;
  /** The longest delay before the relay finds a commit without a hint, in milliseconds. */
  pollIntervalMs?: number;
  /** How soon a lost stream is noticed while nothing fails. */
  streamCheckIntervalMs?: number;
}

// One page in memory and on the wire at a time; also the window of unacknowledged publishes.
const pageSize = 500;
const pageBytes = 8_000_000;
const defaultStreamCheckIntervalMs = 10_000;
const defaultPollIntervalMs = 5_000;
// The bus or the database is away, or the stream rejects: retrying at every commit is useless.
const pauseAfterErrorMs = 500;
// A cluster of NATS servers elects a new leader within nine seconds.
const maxPauseAfterErrorMs = 2_000;
// A consumer is as far behind as the stream may hold.
const pauseWhenHeldBackMs = 500;

/**
 * Publishes outbox rows, those of one aggregate in the order they were written. Everything that waits is in the queue,
 * so a transaction that commits late is never skipped. A change that follows another of the same aggregate was written
 * after the other's commit. So a reader that sees the later one also sees the earlier one, with the lower `seq`.
 *
 * Rows leave the queue after they were stored: a relay that dies publishes at most one page again, under the same ids.
 * After a failure the first row is tried alone. A stream that rejects some events and stores later ones would break the
 * order.
 *
 * A relay that was paused beyond its lease may publish a page again, under the same ids; where the state of the stream
 * changes, its term fences it off. SQL: pages bounded by number and size, each statement on any connection of the pool.
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
  /** After a failure no attempt is made before this time. */
  private idleUntilMs = -Infinity;
  /** The term of the last check of the stream. */
  private term: string | undefined;

  constructor(private readonly options: RelayOptions) {
    options.lease.onAcquired(() => this.wake());
  }

  start(): void {
    this.isStarted = true;
    this.wake();
  }

  /** Says that there may be something to publish. Cheap: calls during a run are folded into one. */
  wake(): void {
    if (this.stopped || !this.isStarted || performance.now() < this.idleUntilMs) return;
    if (this.running) {
      this.again = true;
      return;
    }
    clearTimeout(this.timer);
    this.running = this.run()
      .catch((error) => {
        // What was published or stored is unknown: the stream is checked first.
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
        if (!this.running) this.sleep();
      });
  }

  /** The stream may be a new one: it is checked before anything else is published. */
  recheckStream(): void {
    this.streamCheckedAtMs = -Infinity;
    this.wake();
  }

  /**
   * Until something is due by itself: commits wake the relay (`wake`), those of other replicas by hints over the bus.
   */
  private sleep(): void {
    if (this.stopped) return;
    const { pollIntervalMs = defaultPollIntervalMs, streamCheckIntervalMs = defaultStreamCheckIntervalMs } =
      this.options;
    const idleMs = this.idleUntilMs - performance.now();
    this.timer = setTimeout(
      () => {
        this.idleUntilMs = -Infinity;
        this.wake();
      },
      idleMs > 0 ? idleMs : Math.min(pollIntervalMs, streamCheckIntervalMs),
    );
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    const { lease, onStandby } = this.options;
    // No statement while another replica leads: the lease wakes this one.
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
      // The very first stream needs no filling: all that there is waits in the queue.
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
      text: `SELECT count(*), coalesce(extract(epoch FROM now() - (
          SELECT created_at FROM outbox WHERE seq = (SELECT min(seq) FROM outbox_queue))) * 1000, 0) AS oldest_ms
        FROM outbox_queue`,
    });
    const { count, oldest_ms: oldestMs } = rows[0]!;
    this.options.onBacklog(Number(count), Math.max(0, Number(oldestMs)));
  }

  /**
   * Fills a new stream from the beginning; what was in the queue leaves it on the way. A transaction that commits late,
   * behind the present position, is in the queue. The same statement takes it first, then what follows it.
   */
  private async rebuildPage(): Promise<boolean> {
    const { rows } = await this.options.pool.query<Row>({
      name: 'outbox-rebuild-page',
      text: pageOf(`SELECT seq FROM outbox_queue WHERE seq <= (SELECT rebuilt_seq FROM outbox_stream)
        UNION ALL (SELECT seq FROM outbox WHERE seq > (SELECT rebuilt_seq FROM outbox_stream) ORDER BY seq LIMIT ${pageSize})`),
    });
    const published = await this.publish(rows);
    // What is committed after the last page is in the queue.
    this.isRebuilding = rows.length > 0;
    if (this.isRebuilding && published.length === 0) return false;
    await this.updateStream({
      name: 'outbox-rebuilt',
      text: 'UPDATE outbox_stream SET rebuilt_seq = CASE WHEN $3::bigint IS NOT NULL THEN greatest(rebuilt_seq, $3) END',
      values: [published.at(-1)?.seq ?? null],
    });
    return true;
  }

  /** Changes the state of the stream, unless another replica leads now. */
  private async updateStream({ name, text, values }: Statement): Promise<void> {
    const { pool, lease } = this.options;
    const { rowCount } = await pool.query({
      name,
      text: `${text} WHERE EXISTS (SELECT FROM leases WHERE name = $1 AND term = $2 AND holder IS NOT NULL)`,
      values: [lease.name, this.term, ...values],
    });
    if (rowCount === 0) throw new Error('another replica publishes now');
  }

  private async publishPage(): Promise<boolean> {
    const { rows } = await this.options.pool.query<Row>({
      name: 'outbox-page',
      text: pageOf('SELECT seq FROM outbox_queue'),
    });
    return (await this.publish(rows)).length > 0;
  }

  /** @returns the rows that are stored now: those of the page that fit, from the first */
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
    const values = [rows.map(({ seq }) => seq)];
    await this.options.pool.query({
      name: 'outbox-done',
      text: 'DELETE FROM outbox_queue WHERE seq = ANY($1::bigint[])',
      values,
    });
    this.options.onPublished?.(rows.length);
    return rows;
  }
}

/**
 * The first rows of a choice, as many as fit into a page by number and by size. An array, unlike a join, makes the
 * planner look up each row. With a join it would read all of a table that is not large yet.
 */
function pageOf(choice: string): string {
  return `
    SELECT seq, id, subject, payload FROM (
      SELECT o.seq, o.id, o.subject, o.payload::text AS payload,
        sum(octet_length(o.payload::text)) OVER (ORDER BY o.seq) - octet_length(o.payload::text) AS bytes_before
      FROM outbox o WHERE o.seq = ANY(ARRAY(SELECT seq FROM (${choice}) AS chosen ORDER BY seq LIMIT ${pageSize}))
    ) AS page WHERE bytes_before < ${pageBytes} ORDER BY seq`;
}
