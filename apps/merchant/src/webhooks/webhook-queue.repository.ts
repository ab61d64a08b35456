import { Injectable } from '@nestjs/common';
import type { WebhookStatus } from '@tollbridge/contracts';
import { Database, transaction } from '@tollbridge/database';
import type { Pool } from 'pg';
import { heldForMs, type Attempt, type EndpointHealth, type Progress } from './delivery';
import {
  bringForward,
  endpointOf,
  type EndpointRow,
  type StoredEndpoint,
} from './webhook-endpoints.repository';
import type { LoggedAttempt, MessageRow } from './webhook-messages.repository';

/** A message to send, with its endpoint. */
export interface QueuedMessage {
  id: string;
  payload: string;
  /** The trace context that the delivery continues; null when it is unknown. */
  traceparent: string | null;
  progress: Progress;
  /** The number of replays. An attempt that began before a replay does not affect the schedule of the replay. */
  replays: number;
  endpoint: StoredEndpoint & { url: string };
}

export interface Outcome {
  attempt: Attempt;
  next: { status: WebhookStatus; nextAttemptMs: number | null };
  /** Undefined when the attempt has no meaning for the endpoint's health. */
  health: EndpointHealth | undefined;
}

/**
 * The queue of each endpoint. Only the holder of an endpoint's lease sends to it. So its messages stay in order, and a
 * slow endpoint does not delay others. Uses SQL for leases that skip locked rows (benchmark "deliver webhooks, by
 * endpoints").
 */
@Injectable()
export class WebhookQueueRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Leases endpoints with due messages, the longest waiting first. @returns their wallets */
  async lease(lease: string, atMost: number, nowMs: number, untilMs: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ wallet: string }>({
      name: 'webhook-lease',
      text: leaseStatement,
      values: [lease, new Date(nowMs), atMost, new Date(untilMs)],
    });
    return rows.map(({ wallet }) => wallet);
  }

  /** When the next endpoint with messages can be leased; null while no message waits. */
  async nextDueMs(): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'webhook-next-due',
      text: nextDueStatement,
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /** The number of waiting messages, up to a limit, and the time since when the oldest one waits. */
  async countWaiting(): Promise<{ count: number; sinceMs: number | null }> {
    const { rows } = await this.pool.query<{ count: string; since: Date | null }>({
      name: 'webhook-count-waiting',
      text: `SELECT count(*), min(schedule_from) AS since FROM (SELECT schedule_from FROM webhook_messages
             WHERE next_attempt_at IS NOT NULL ORDER BY schedule_from LIMIT 20000) AS waiting`,
    });
    return { count: Number(rows[0]!.count), sinceMs: rows[0]!.since?.getTime() ?? null };
  }

  /**
   * The next due message of a leased endpoint. Undefined without a due message, while the endpoint is paused, or when
   * the lease is lost.
   */
  async next(wallet: string, lease: string, nowMs: number): Promise<QueuedMessage | undefined> {
    const { rows } = await this.pool.query<MessageRow & EndpointRow>({
      name: 'webhook-next',
      text: `SELECT m.*, ${endpointColumns} FROM webhook_messages m JOIN webhook_endpoints e ON e.wallet = m.wallet
             WHERE m.wallet = $1 AND m.next_attempt_at <= $3 AND e.url IS NOT NULL AND e.not_before <= $3
               AND e.lease = $2 AND e.leased_until > $3
             ORDER BY m.next_attempt_at, m.id LIMIT 1`,
      values: [wallet, lease, new Date(nowMs)],
    });
    return rows.map(queuedOf)[0];
  }

  /**
   * Records an attempt. Writes the endpoint's health only when it changes, and never over a concurrent change.
   * @param lease undefined for an attempt outside the queue
   */
  async record(message: QueuedMessage, outcome: Outcome, lease?: string): Promise<void> {
    const { attempt, health } = outcome;
    const { wallet, url, failuresInARow, goneAtMs } = message.endpoint;
    const isUnchanged = attempt.error === null && failuresInARow === 0 && goneAtMs === null;
    if (!health || isUnchanged) return recordAttempt(this.pool, message, outcome);
    const goneAt = health.goneAtMs === null ? null : new Date(health.goneAtMs);
    // Locks the endpoint first, like a replay, to avoid deadlocks.
    await transaction(this.pool, async (client) => {
      const { rowCount } = await client.query({
        name: 'webhook-endpoint-health',
        text: `UPDATE webhook_endpoints SET failures_in_a_row = $2, not_before = $3, gone_at = $4
               WHERE wallet = $1 AND url = $5 AND ($6::uuid IS NULL OR lease = $6)`,
        values: [wallet, health.failuresInARow, new Date(health.notBeforeMs), goneAt, url, lease ?? null],
      });
      await recordAttempt(client, message, outcome);
      if (rowCount === 1 && attempt.error === null)
        await bringForward(client, wallet, new Date(attempt.atMs));
    });
  }

  async release(wallet: string, lease: string): Promise<void> {
    await this.pool.query({
      name: 'webhook-release',
      text: 'UPDATE webhook_endpoints SET lease = NULL, leased_until = NULL WHERE wallet = $1 AND lease = $2',
      values: [wallet, lease],
    });
  }

  /** Exhausts at most `limit` messages that have waited too long for their endpoint. @returns their number */
  async exhaustOld(nowMs: number, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query({
      name: 'webhook-exhaust-old',
      text: `UPDATE webhook_messages SET status = 'parked', next_attempt_at = NULL WHERE id = ANY(ARRAY(
               SELECT id FROM webhook_messages WHERE next_attempt_at IS NOT NULL AND schedule_from <= $1
               ORDER BY schedule_from LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      values: [new Date(nowMs - heldForMs), limit],
    });
    return rowCount ?? 0;
  }
}

type Queryable = Pick<Pool, 'query'>;

/** The maximum number of attempts that are stored with a message. */
const logged = 20;

const endpointColumns = [
  'url',
  'secret',
  'secret_created_at',
  'previous_secret',
  'previous_secret_until',
  'failures_in_a_row',
  'not_before',
  'gone_at',
]
  .map((column) => `e.${column}`)
  .join(', ');

/**
 * Skips along the index from wallet to wallet. So the cost depends on the number of endpoints with messages, not on the
 * number of messages.
 */
const waitingEndpoints = `
  WITH RECURSIVE waiting AS (
    (SELECT m.wallet, m.next_attempt_at FROM webhook_messages m WHERE m.next_attempt_at IS NOT NULL
     ORDER BY m.wallet, m.next_attempt_at LIMIT 1)
    UNION ALL
    SELECT further.wallet, further.next_attempt_at FROM waiting w CROSS JOIN LATERAL (
      SELECT m.wallet, m.next_attempt_at FROM webhook_messages m
      WHERE m.next_attempt_at IS NOT NULL AND m.wallet > w.wallet
      ORDER BY m.wallet, m.next_attempt_at LIMIT 1) further
  )`;

const nextDueStatement = `${waitingEndpoints}
  SELECT min(greatest(w.next_attempt_at, e.not_before, e.leased_until)) AS at
  FROM waiting w JOIN webhook_endpoints e ON e.wallet = w.wallet WHERE e.url IS NOT NULL`;

const leaseStatement = `${waitingEndpoints}, due AS (
    SELECT e.wallet FROM waiting w JOIN webhook_endpoints e ON e.wallet = w.wallet
    WHERE w.next_attempt_at <= $2 AND e.url IS NOT NULL AND e.not_before <= $2
      AND (e.leased_until IS NULL OR e.leased_until <= $2)
    ORDER BY w.next_attempt_at LIMIT $3 FOR NO KEY UPDATE OF e SKIP LOCKED
  )
  UPDATE webhook_endpoints e SET lease = $1, leased_until = $4 FROM due WHERE e.wallet = due.wallet RETURNING e.wallet`;

/** Records an attempt. An attempt that began before a replay does not change the schedule of the replay. */
const recordStatement = `
  UPDATE webhook_messages SET attempts = attempts + 1,
    log = CASE WHEN jsonb_array_length(log) >= ${logged} THEN log - 0 ELSE log END || $2::jsonb,
    status = CASE WHEN replays = $3 THEN $4 ELSE status END,
    schedule_attempts = CASE WHEN replays = $3 THEN schedule_attempts + 1 ELSE schedule_attempts END,
    next_attempt_at = CASE WHEN replays = $3 THEN $5 ELSE next_attempt_at END
  WHERE id = $1`;

async function recordAttempt(
  client: Queryable,
  { id, replays }: QueuedMessage,
  { attempt: { atMs, tookMs, status, error }, next }: Outcome,
): Promise<void> {
  const entry: LoggedAttempt = { atMs, tookMs, status, error };
  const nextAttemptAt = next.nextAttemptMs === null ? null : new Date(next.nextAttemptMs);
  const values = [id, JSON.stringify([entry]), replays, next.status, nextAttemptAt];
  await client.query({ name: 'webhook-record', text: recordStatement, values });
}

function queuedOf(row: MessageRow & EndpointRow): QueuedMessage {
  const { id, payload, traceparent, replays, schedule_from: from, schedule_attempts: scheduleAttempts } = row;
  const endpoint = endpointOf(row);
  return {
    id,
    payload,
    traceparent,
    replays,
    progress: { scheduleFromMs: from.getTime(), scheduleAttempts },
    endpoint: { ...endpoint, url: endpoint.url! },
  };
}
