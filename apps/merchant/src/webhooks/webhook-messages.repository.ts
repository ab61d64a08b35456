import { Injectable } from '@nestjs/common';
import type { WebhookStatus, WebhookType } from '@tollbridge/contracts';
import { Database, transaction } from '@tollbridge/database';
import type { Pool, PoolClient } from 'pg';
import type { Repository } from 'typeorm';
import { leaveWork } from '../events/pending-work';
import type { Attempt } from './delivery';
import { WebhookMessageEntity } from './webhook-message.entity';

/** A connection with an open transaction. */
export type Transaction = Pick<PoolClient, 'query'>;

export interface NewMessage {
  id: string;
  wallet: string;
  type: WebhookType;
  payload: string;
  nowMs: number;
  /** The trace context of the change. */
  traceparent?: string;
}

/** A stored attempt of a message. */
export type LoggedAttempt = Pick<Attempt, 'atMs' | 'tookMs' | 'status' | 'error'>;

export interface StoredMessage {
  id: string;
  type: WebhookType;
  payload: string;
  status: WebhookStatus;
  attempts: number;
  /** The last attempts, oldest first. */
  log: LoggedAttempt[];
  nextAttemptMs: number | null;
  createdAtMs: number;
}

export interface MessageRow {
  id: string;
  wallet: string;
  type: WebhookType;
  payload: string;
  status: WebhookStatus;
  attempts: number;
  log: LoggedAttempt[];
  schedule_from: Date;
  schedule_attempts: number;
  replays: number;
  next_attempt_at: Date | null;
  created_at: Date;
  traceparent: string | null;
}

export interface MessageFilter {
  status: WebhookStatus | undefined;
  type: WebhookType | undefined;
  /** Selects messages with a smaller id. Ids are in the order of creation. */
  before: string | undefined;
  limit: number;
}

/**
 * Uses SQL for one join per batch (benchmark "merchant consumes order events").
 * @returns the store names of the wallets that have an endpoint or a listener now
 */
export async function walletsWithEndpoint(
  client: Transaction,
  wallets: ReadonlySet<string>,
  nowMs: number,
): Promise<Map<string, string | null>> {
  const { rows } = await client.query<{ wallet: string; store_name: string | null }>({
    name: 'webhook-endpoints-of',
    text: `SELECT e.wallet, s.store_name FROM webhook_endpoints e LEFT JOIN settings s ON s.wallet = e.wallet
      WHERE e.wallet = ANY($1::text[]) AND (e.url IS NOT NULL OR e.listened_until > $2)`,
    values: [[...wallets], new Date(nowMs)],
  });
  return new Map(rows.map(({ wallet, store_name }) => [wallet, store_name]));
}

/**
 * Inserts messages of wallets that have an endpoint or a listener, without locking the endpoint's row. Messages that
 * only a listener reads do not enter the queue. Uses SQL for a set-based write.
 */
export async function insertMessages(client: Transaction, messages: readonly NewMessage[]): Promise<void> {
  const values = [
    messages.map(({ id }) => id),
    messages.map(({ wallet }) => wallet),
    messages.map(({ type }) => type),
    messages.map(({ payload }) => payload),
    messages.map(({ nowMs }) => new Date(nowMs)),
    messages.map(({ traceparent }) => traceparent ?? null),
  ];
  leaveWork(client);
  await client.query({ name: 'webhook-messages-insert', text: insertStatement, values });
}

const insertStatement = `
  INSERT INTO webhook_messages
    (id, wallet, type, payload, status, schedule_from, next_attempt_at, created_at, traceparent)
  SELECT m.id, e.wallet, m.type, m.payload, CASE WHEN e.url IS NULL THEN 'parked' ELSE 'pending' END,
    m.at, CASE WHEN e.url IS NOT NULL THEN m.at END, m.at, m.traceparent
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[])
    AS m (id, wallet, type, payload, at, traceparent)
  JOIN webhook_endpoints e ON e.wallet = m.wallet AND (e.url IS NOT NULL OR e.listened_until > m.at)
  ORDER BY m.id`;

// While an endpoint is paused, its messages are not sent. When columns share a name, the driver returns the last one.
const shownColumns = `m.*, CASE WHEN m.next_attempt_at IS NOT NULL THEN greatest(m.next_attempt_at,
  (SELECT e.not_before FROM webhook_endpoints e WHERE e.wallet = m.wallet)) END AS next_attempt_at`;

/**
 * Lists and replays the messages of merchants. Uses SQL because a replay locks the endpoint first. The reads share its
 * row type.
 */
@Injectable()
export class WebhookMessagesRepository {
  private readonly pool: Pool;
  private readonly messages: Repository<WebhookMessageEntity>;

  constructor({ pool, dataSource }: Database) {
    this.pool = pool;
    this.messages = dataSource.getRepository(WebhookMessageEntity);
  }

  /** Messages of a wallet, newest first. */
  async list(wallet: string, { status, type, before, limit }: MessageFilter): Promise<StoredMessage[]> {
    const values: unknown[] = [wallet];
    const where = (condition: string, value: unknown): string =>
      value === undefined ? '' : ` AND ${condition} $${values.push(value)}`;
    const text = `SELECT ${shownColumns} FROM webhook_messages m WHERE wallet = $1${where('status =', status)}${where('type =', type)}${where('id <', before)}
      ORDER BY id DESC LIMIT $${values.push(limit)}`;
    const { rows } = await this.pool.query<MessageRow>(text, values);
    return rows.map(fromRow);
  }

  async find(wallet: string, id: string): Promise<StoredMessage | undefined> {
    const { rows } = await this.pool.query<MessageRow>({
      name: 'webhook-message-find',
      text: `SELECT ${shownColumns} FROM webhook_messages m WHERE id = $1 AND wallet = $2`,
      values: [id, wallet],
    });
    return rows.map(fromRow)[0];
  }

  /** Inserts a message outside the queue: only its creator sends it, unless it is replayed. */
  async insertExhausted({ id, wallet, type, payload, nowMs }: NewMessage): Promise<void> {
    const now = new Date(nowMs);
    await this.messages.insert({
      id,
      wallet,
      type,
      payload,
      status: 'parked',
      scheduleFrom: now,
      createdAt: now,
    });
  }

  /**
   * Restarts the schedule of a message now, even if its endpoint is unhealthy.
   * @param also makes further writes in the same transaction
   * @returns `unknown` when the wallet has no such message
   */
  async replay(
    wallet: string,
    id: string,
    nowMs: number,
    also: (client: PoolClient, message: StoredMessage) => Promise<void>,
  ): Promise<'replayed' | 'unknown' | 'noEndpoint'> {
    return transaction(this.pool, async (client) => {
      const known = await client.query('SELECT FROM webhook_messages WHERE id = $1 AND wallet = $2', [
        id,
        wallet,
      ]);
      if (known.rowCount === 0) return 'unknown';
      const endpoint = await client.query(
        'UPDATE webhook_endpoints SET not_before = least(not_before, $2) WHERE wallet = $1 AND url IS NOT NULL',
        [wallet, new Date(nowMs)],
      );
      if (endpoint.rowCount === 0) return 'noEndpoint';
      const { rows } = await client.query<MessageRow>(
        `UPDATE webhook_messages SET status = 'pending', replays = replays + 1, schedule_from = $2,
           schedule_attempts = 0, next_attempt_at = $2 WHERE id = $1 RETURNING *`,
        [id, new Date(nowMs)],
      );
      await also(client, fromRow(rows[0]!));
      return 'replayed';
    });
  }
}

function fromRow(row: MessageRow): StoredMessage {
  const { id, type, payload, status, attempts, log } = row;
  return {
    id,
    type,
    payload,
    status,
    attempts,
    log,
    nextAttemptMs: row.next_attempt_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
  };
}
