import { Injectable } from '@nestjs/common';
import {
  keyEvents,
  type KeyBudgetChanged,
  type KeyBudgetUsed,
  type SpendKind,
  type SpendStatus,
} from '@tollbridge/contracts';
import type { CallContext, ListPosition } from '@tollbridge/rpc';
import type { Environment } from '@tollbridge/config';
import { Database, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import { appendEvents } from '../events/events.repository';
import { type BudgetThreshold, type KeyMonth } from './budget';
import { microsOf, usdOf } from './usd-micros';
import type { Spend } from './spend';

interface MonthRow {
  key_id: string;
  month: string;
  used: string;
  is_warned: boolean;
  is_reached: boolean;
  owner: string;
  label: string;
  environment: Environment;
  enabled: boolean;
  deleted_at: Date | null;
  monthly_budget: string | null;
  max_per_tx: string | null;
}

interface SpendRow {
  reference: string;
  key_id: string;
  kind: SpendKind;
  description: string;
  value_usd: string | null;
  month: string;
  status: SpendStatus;
  attempts: string[];
  late: boolean;
  reserved_at: Date;
  ended_at: Date | null;
  check_at: Date | null;
}

/**
 * The only file that reads and writes spends and months of keys. Uses SQL for row locks in a fixed order and for
 * set-based writes.
 */
@Injectable()
export class BudgetsRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /**
   * Reserves the spends of keys without budgets in one statement. Without a limit to check, no lock is needed.
   * @returns the references that were reserved; the caller must check all others
   */
  async reserveUnbounded(spends: readonly Spend[], environment: Environment): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ reference: string }>({
      name: 'key-spends-unbounded',
      text: `WITH inserted AS (
               INSERT INTO key_spends SELECT g.* FROM json_populate_recordset(NULL::key_spends, $1::json) g
               JOIN api_keys k ON k.id = g.key_id
               WHERE k.monthly_budget IS NULL AND k.max_per_tx IS NULL AND k.enabled AND k.deleted_at IS NULL
                 AND k.environment = $2
               ORDER BY g.reference ON CONFLICT DO NOTHING RETURNING reference, key_id, month, value_usd
             ), counted AS (
               INSERT INTO key_months AS m (key_id, month, used)
               SELECT key_id, month, coalesce(sum(value_usd), 0) FROM inserted GROUP BY key_id, month ORDER BY key_id
               ON CONFLICT (key_id, month) DO UPDATE SET used = m.used + excluded.used
             )
             SELECT reference FROM inserted`,
      values: [JSON.stringify(spends.map(toRow)), environment],
    });
    return new Set(rows.map(({ reference }) => reference));
  }

  /**
   * Locks the months of these keys, ordered by key id. Callers lock months before spends, so that transactions do not
   * deadlock. The result omits unknown keys.
   */
  async lockMonths(
    client: TransactionClient,
    keyIds: readonly string[],
    month: string,
  ): Promise<Map<string, KeyMonth>> {
    const ids = [...new Set(keyIds)];
    const locked = await lockMonths(client, ids, month);
    const missing = ids.filter((id) => !locked.has(id));
    if (missing.length === 0) return locked;
    await client.query({
      name: 'key-months-insert',
      text: `INSERT INTO key_months (key_id, month) SELECT id, $2 FROM api_keys WHERE id = ANY($1::uuid[]) ORDER BY id
             ON CONFLICT DO NOTHING`,
      values: [missing, month],
    });
    return new Map([...locked, ...(await lockMonths(client, missing, month))]);
  }

  async saveMonths(client: TransactionClient, keys: readonly KeyMonth[]): Promise<void> {
    await client.query({
      name: 'key-months-save',
      text: `UPDATE key_months m SET used = g.used, is_warned = g.is_warned, is_reached = g.is_reached
             FROM unnest($1::uuid[], $2::text[], $3::numeric[], $4::boolean[], $5::boolean[])
               AS g (key_id, month, used, is_warned, is_reached)
             WHERE m.key_id = g.key_id AND m.month = g.month`,
      values: [
        keys.map(({ keyId }) => keyId),
        keys.map(({ month }) => month),
        keys.map(({ usedMicros }) => usdOf(usedMicros)),
        keys.map(({ isWarned }) => isWarned),
        keys.map(({ isReached }) => isReached),
      ],
    });
  }

  /** @returns the references that were inserted; the others existed already */
  async insertSpends(client: TransactionClient, spends: readonly Spend[]): Promise<Set<string>> {
    const { rows } = await client.query<{ reference: string }>({
      name: 'key-spends-insert',
      text: `INSERT INTO key_spends SELECT * FROM json_populate_recordset(NULL::key_spends, $1::json)
             ORDER BY reference ON CONFLICT DO NOTHING RETURNING reference`,
      values: [JSON.stringify(spends.map(toRow))],
    });
    return new Set(rows.map(({ reference }) => reference));
  }

  async lockSpends(client: TransactionClient, references: readonly string[]): Promise<Spend[]> {
    const { rows } = await client.query<SpendRow>({
      name: 'key-spends-lock',
      text: 'SELECT * FROM key_spends WHERE reference = ANY($1::text[]) ORDER BY reference FOR UPDATE',
      values: [references],
    });
    return rows.map(fromRow);
  }

  /** Reads spends without locking them. */
  async findSpends(client: TransactionClient, references: readonly string[]): Promise<Spend[]> {
    const { rows } = await client.query<SpendRow>({
      name: 'key-spends-find',
      text: 'SELECT * FROM key_spends WHERE reference = ANY($1::text[])',
      values: [references],
    });
    return rows.map(fromRow);
  }

  /**
   * The owner to notify of the end of each transaction set, by the id of the set. Each set is returned only once: an
   * inbox row marks it as notified.
   */
  async ownersToNotify(
    client: TransactionClient,
    transactionIds: readonly string[],
  ): Promise<Map<string, string>> {
    const { rows } = await client.query<{ reference: string; owner: string }>({
      name: 'key-spend-owners',
      text: `WITH spends AS (
               SELECT s.reference, k.owner FROM key_spends s JOIN api_keys k ON k.id = s.key_id
               WHERE s.reference = ANY($1::text[])
             ), notified AS (
               INSERT INTO inbox (consumer, event_id)
               SELECT 'merchant-transaction-told', reference::uuid FROM spends ORDER BY reference
               ON CONFLICT DO NOTHING RETURNING event_id
             )
             SELECT reference, owner FROM spends JOIN notified ON notified.event_id = spends.reference::uuid`,
      values: [transactionIds],
    });
    return new Map(rows.map(({ reference, owner }) => [reference, owner]));
  }

  async saveSpends(client: TransactionClient, spends: readonly Spend[]): Promise<void> {
    await client.query({
      name: 'key-spends-save',
      text: `UPDATE key_spends s SET key_id = g.key_id, kind = g.kind, value_usd = g.value_usd, month = g.month, status = g.status,
               description = g.description, attempts = g.attempts, late = g.late, reserved_at = g.reserved_at,
               ended_at = g.ended_at, check_at = g.check_at
             FROM json_populate_recordset(NULL::key_spends, $1::json) g WHERE s.reference = g.reference`,
      values: [JSON.stringify(spends.map(toRow))],
    });
  }

  /** Deletes spends that were rejected in the transaction that inserted them. */
  async deleteSpends(client: TransactionClient, references: readonly string[]): Promise<void> {
    await client.query({
      name: 'key-spends-delete',
      text: 'DELETE FROM key_spends WHERE reference = ANY($1::text[])',
      values: [references],
    });
  }

  /**
   * Appends the event of a threshold that a key has reached. The event's version is 1 for the warning and 2 for the
   * budget.
   */
  async appendThresholdEvent(
    client: TransactionClient,
    threshold: BudgetThreshold,
    { keyId, owner, month }: KeyMonth,
    used: KeyBudgetUsed,
    { nowMs, context }: { nowMs: number; context: CallContext },
  ): Promise<void> {
    const id = `${keyId}:${month}`;
    const version = threshold === 'key-budget-warning' ? 1 : 2;
    const data: KeyBudgetChanged = {
      ...used,
      id,
      owner,
      month,
      version,
      updated_at: new Date(nowMs).toISOString(),
    };
    const event = { aggregateId: id, aggregateVersion: version, occurredAtMs: nowMs, data };
    await appendEvents(client, keyEvents[threshold], [event], context);
  }

  /**
   * Selects reservations that are due for a check, and postpones their next check by `leaseMs`. So no two replicas
   * check the same reservation, and a failed check is retried.
   */
  async takeDue(
    kinds: readonly SpendKind[],
    nowMs: number,
    leaseMs: number,
    limit: number,
  ): Promise<Spend[]> {
    const { rows } = await this.pool.query<SpendRow>({
      name: 'key-spends-due',
      text: `WITH due AS (
               SELECT reference FROM key_spends WHERE check_at <= $2 AND kind = ANY($1::text[])
               ORDER BY check_at LIMIT $4 FOR UPDATE SKIP LOCKED
             )
             UPDATE key_spends s SET check_at = $3 FROM due WHERE s.reference = due.reference RETURNING s.*`,
      values: [kinds, new Date(nowMs), new Date(nowMs + leaseMs), limit],
    });
    return rows.map(fromRow);
  }

  /** Spends of a key, newest first, starting behind the position `after`; undefined when the owner has no such key. */
  async page(
    { keyId, owner, month }: { keyId: string; owner: string; month: string | undefined },
    limit: number,
    after: ListPosition | undefined,
  ): Promise<Spend[] | undefined> {
    const { rows } = await this.pool.query<SpendRow | { reference: null }>({
      name: 'key-spends-page',
      text: `SELECT s.* FROM api_keys k LEFT JOIN LATERAL (
               SELECT * FROM key_spends s WHERE s.key_id = k.id AND ($3::text IS NULL OR s.month = $3)
                 AND ($4::timestamptz IS NULL OR (s.reserved_at, s.reference) < ($4, $5))
               ORDER BY s.reserved_at DESC, s.reference DESC LIMIT $6
             ) s ON true
             WHERE k.id = $1 AND k.owner = $2 AND k.deleted_at IS NULL
             ORDER BY s.reserved_at DESC, s.reference DESC`,
      values: [keyId, owner, month ?? null, after ? new Date(after.atMs) : null, after?.id ?? '', limit],
    });
    if (rows.length === 0) return undefined;
    return rows.flatMap((row) => (row.reference === null ? [] : [fromRow(row)]));
  }
}

async function lockMonths(
  client: TransactionClient,
  ids: readonly string[],
  month: string,
): Promise<Map<string, KeyMonth>> {
  const { rows } = await client.query<MonthRow>({
    name: 'key-months-lock',
    text: `SELECT m.*, k.owner, k.label, k.environment, k.enabled, k.deleted_at, k.monthly_budget, k.max_per_tx
           FROM key_months m JOIN api_keys k ON k.id = m.key_id
           WHERE m.key_id = ANY($1::uuid[]) AND m.month = $2 ORDER BY m.key_id FOR NO KEY UPDATE OF m`,
    values: [ids, month],
  });
  return new Map(rows.map((row) => [row.key_id, fromMonthRow(row)]));
}

function fromMonthRow(row: MonthRow): KeyMonth {
  return {
    keyId: row.key_id,
    month: row.month,
    usedMicros: microsOf(row.used),
    isWarned: row.is_warned,
    isReached: row.is_reached,
    owner: row.owner,
    label: row.label,
    environment: row.environment,
    isEnabled: row.enabled,
    isDeleted: row.deleted_at !== null,
    monthlyBudgetUsd: row.monthly_budget,
    maxPerTxUsd: row.max_per_tx,
  };
}

const dateOrNull = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

function toRow(spend: Spend): SpendRow {
  return {
    reference: spend.reference,
    key_id: spend.keyId,
    kind: spend.kind,
    description: spend.description,
    value_usd: spend.valueMicros === null ? null : usdOf(spend.valueMicros),
    month: spend.month,
    status: spend.status,
    attempts: [...spend.attempts],
    late: spend.isLate,
    reserved_at: new Date(spend.reservedAtMs),
    ended_at: dateOrNull(spend.endedAtMs),
    check_at: dateOrNull(spend.checkAtMs),
  };
}

function fromRow(row: SpendRow): Spend {
  return {
    reference: row.reference,
    keyId: row.key_id,
    kind: row.kind,
    description: row.description,
    valueMicros: row.value_usd === null ? null : microsOf(row.value_usd),
    month: row.month,
    status: row.status,
    attempts: row.attempts,
    isLate: row.late,
    reservedAtMs: row.reserved_at.getTime(),
    endedAtMs: row.ended_at?.getTime() ?? null,
    checkAtMs: row.check_at?.getTime() ?? null,
  };
}
