import type { Pool, PoolClient } from 'pg';
import { LeaderLock } from './leader-lock';

export interface OutboxEvent {
  id: string;
  subject: string;
  payload: string;
}

type Row = OutboxEvent & { seq: string; is_due: boolean };

export interface RelayOptions {
  pool: Pool;
  /** Names the advisory lock: one relay works per schema, the other replicas stand by. */
  name: string;
  ensureStream(): Promise<{ createdAt: string }>;
  /** Resolves when all are stored; throwing means unknown, and the same events are published again. */
  publish(events: OutboxEvent[]): Promise<void>;
  onPublished?(count: number): void;
  onRebuild?(reason: string): void;
  onError?(error: unknown): void;
  pollIntervalMs?: number;
  /** How soon a lost stream is noticed while nothing fails. */
  streamCheckIntervalMs?: number;
}

interface Position {
  from_tx: string;
  to_tx: string;
  last_seq: string;
  stream_created_at: string | null;
}

// One page in memory and on the wire at a time; also the window of unacknowledged publishes.
const pageSize = 500;
const defaultStreamCheckIntervalMs = 10_000;
// The bus or the database is away: no use in asking at every commit.
const pauseAfterErrorMs = 500;
// While another leads there is nothing to do but to ask for the lock, and each time costs a connection of the pool.
const standbyIntervalMs = 1_000;
// A restored table is set right in pieces, each well within the time that a statement of an app may take.
const restoredRowsAtOnce = 10_000;

/**
 * Publishes outbox rows in the order they were written. Rows are taken in windows of finished transactions
 * `[from_tx, to_tx)`, within a window by `seq`; the position is saved after each page, so a relay that dies publishes
 * at most one page again, under the same message ids.
 *
 * Transactions that meet at one aggregate may get their ids in one order and write in the other, but then they overlap,
 * and what overlaps is in one window: a window ends below the oldest transaction that still runs.
 */
export class OutboxRelay {
  private timer: NodeJS.Timeout | undefined;
  private readonly lock: LeaderLock;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private streamCheckedAtMs = -Infinity;
  /** Until then there is no use in trying: something failed, or another leads. */
  private idleUntilMs = -Infinity;

  constructor(private readonly options: RelayOptions) {
    this.lock = new LeaderLock(options.pool, `outbox ${options.name}`);
  }

  start(): void {
    // Commits of this process wake the relay at once (`wake`); the timer is for those of other replicas.
    this.timer = setInterval(() => this.wake(), this.options.pollIntervalMs ?? 100);
    this.wake();
  }

  /** Says that there may be something to publish. Cheap: calls during a run are folded into one. */
  wake(): void {
    if (this.stopped || performance.now() < this.idleUntilMs) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.run()
      .catch((error) => {
        this.lock.release();
        this.idleUntilMs = performance.now() + pauseAfterErrorMs;
        this.options.onError?.(error);
      })
      .finally(() => {
        this.running = undefined;
        if (this.again) {
          this.again = false;
          this.wake();
        }
      });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
    this.lock.release();
  }

  private async run(): Promise<void> {
    const term = await this.lock.take();
    if (!term) {
      this.idleUntilMs = performance.now() + standbyIntervalMs;
      return;
    }
    const { client } = term;
    if (term.isNew) {
      this.streamCheckedAtMs = -Infinity;
      await this.forgetForeignTransactions(client);
    }
    await this.checkStream(client);
    while (!this.stopped && (await this.publishPage(client)));
  }

  /**
   * A dump restored elsewhere brings transaction ids that this server has not reached: their rows would stay hidden, or
   * hide new ones. They count as the oldest then, and everything is published again in the order of `seq`.
   */
  private async forgetForeignTransactions(client: PoolClient): Promise<void> {
    const { rows } = await client.query<{ is_foreign: boolean }>(
      `SELECT to_tx > pg_snapshot_xmax(pg_current_snapshot())
              OR EXISTS (SELECT FROM outbox WHERE tx >= pg_snapshot_xmax(pg_current_snapshot())) AS is_foreign
       FROM outbox_position`,
    );
    if (!rows[0]!.is_foreign) return;
    let changed: number | null;
    do {
      ({ rowCount: changed } = await client.query(
        `UPDATE outbox SET tx = '0' WHERE seq IN (
           SELECT seq FROM outbox WHERE tx >= pg_snapshot_xmax(pg_current_snapshot()) LIMIT ${restoredRowsAtOnce})`,
      ));
    } while (changed === restoredRowsAtOnce);
    // Last, so that whoever dies before finds the table foreign still.
    await client.query(`UPDATE outbox_position SET from_tx = '0', to_tx = '0', last_seq = 0`);
    this.options.onRebuild?.('the database was restored from a dump: all events are published again');
  }

  private async checkStream(client: PoolClient): Promise<void> {
    const { streamCheckIntervalMs = defaultStreamCheckIntervalMs } = this.options;
    const nowMs = performance.now();
    if (nowMs - this.streamCheckedAtMs < streamCheckIntervalMs) return;
    const { createdAt } = await this.options.ensureStream();
    const { stream_created_at: known } = await position(client);
    if (known !== createdAt) {
      if (known !== null) this.options.onRebuild?.('the stream is new: all events are published again');
      await client.query(
        `UPDATE outbox_position SET from_tx = '0', to_tx = '0', last_seq = 0, stream_created_at = $1`,
        [createdAt],
      );
    }
    this.streamCheckedAtMs = nowMs;
  }

  private async publishPage(client: PoolClient): Promise<boolean> {
    let at = await position(client);
    if (at.from_tx === at.to_tx) at = await this.openWindow(client, at);
    if (at.from_tx === at.to_tx) return false;
    const { rows } = await client.query<Row>({
      name: 'outbox-page',
      // Read along the primary key whatever the planner thinks of the window: it starts where the window does.
      text: `SELECT seq, id, subject, payload::text AS payload, (tx >= $1 AND tx < $2) AS is_due
             FROM (SELECT * FROM outbox WHERE seq > $3 ORDER BY seq LIMIT ${pageSize}) AS page ORDER BY seq`,
      values: [at.from_tx, at.to_tx, at.last_seq],
    });
    const due = rows.filter((row) => row.is_due);
    if (due.length > 0) {
      await this.options.publish(due);
      this.options.onPublished?.(due.length);
    }
    if (rows.length === pageSize) {
      await client.query({
        name: 'outbox-page-done',
        text: 'UPDATE outbox_position SET last_seq = $1',
        values: [rows.at(-1)!.seq],
      });
    } else {
      await client.query({
        name: 'outbox-window-done',
        text: 'UPDATE outbox_position SET from_tx = to_tx, last_seq = 0',
      });
    }
    return true;
  }

  /** Opens the window of all transactions that ended since the last one, when one of them wrote to the outbox. */
  private async openWindow(client: PoolClient, at: Position): Promise<Position> {
    const { rows } = await client.query<Position>({
      name: 'outbox-window-open',
      // `seq + 0` keeps the planner from looking for the smallest along the primary key, from the table's beginning.
      text: `WITH horizon AS (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS tx)
             UPDATE outbox_position SET to_tx = horizon.tx, last_seq = CASE WHEN $1 = '0'::xid8 THEN 0
               ELSE (SELECT min(seq + 0) - 1 FROM outbox WHERE tx >= $1 AND tx < horizon.tx) END
             FROM horizon WHERE EXISTS (SELECT FROM outbox WHERE tx >= $1 AND tx < horizon.tx)
             RETURNING from_tx::text, to_tx::text, last_seq::text, stream_created_at`,
      values: [at.from_tx],
    });
    return rows[0] ?? at;
  }
}

async function position(client: PoolClient): Promise<Position> {
  const { rows } = await client.query<Position>({
    name: 'outbox-position',
    text: 'SELECT from_tx::text, to_tx::text, last_seq::text, stream_created_at FROM outbox_position',
  });
  return rows[0]!;
}
