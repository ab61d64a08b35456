import { Injectable } from '@nestjs/common';
import type { CallContext } from '@tollbridge/rpc';
import { Database, Batcher, storeReply, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import { toJson } from '../../json';
import { appendEvents } from './set-events.repository';
import { fromRow, newSetColumns, toRow } from './set-rows';
import { shardColumn } from './set-shards';
import { updateOf } from '../set-view';
import type { SetRow } from './sets.entity';
import { isFinal, type TransactionSet } from '../transaction-set';

/** A change of a set. */
export interface Change {
  /** The set at the time of the read. */
  before: TransactionSet;
  after: TransactionSet;
  /** The time of the worker's next poll; null for no poll. */
  checkAtMs: number | null;
  nowMs: number;
  context: CallContext;
  /** Creates the reply that is stored with the change if the call has an idempotency key. */
  reply?: (saved: TransactionSet) => unknown;
}

/**
 * The outcome of storing signatures. They are not stored if the set has changed, or another set has claimed a nonce.
 */
export type Signing = { kind: 'signed'; set: TransactionSet } | { kind: 'changed' | 'nonceTaken' };

/** The time of a worker's next poll of a set. */
interface Check {
  id: string;
  checkAtMs: number;
}

interface DueSets {
  nowMs: number;
  shards: readonly number[];
  limit: number;
  /** Ids of sets that are being polled. */
  but: readonly string[];
}

// More than the worker polls concurrently.
const maxPostponed = 200;

/** Reads and writes sets. SQL: batches (bench rows "read a swap", "execute a swap, not sent") and locks. */
@Injectable()
export class SetsRepository {
  private readonly pool: Pool;
  private readonly reads: Batcher<string, TransactionSet | undefined>;
  private readonly saves: Batcher<Change, TransactionSet | undefined>;
  private readonly postponed: Batcher<Check, void>;

  constructor({ pool, onGroupFailure: onFailure }: Database) {
    this.pool = pool;
    const options = { maxGroup: 128, maxConcurrent: 2, onFailure };
    this.reads = new Batcher((ids) => this.findAll(ids), { ...options, isIdempotent: true });
    this.saves = new Batcher((changes) => this.saveAll(changes), options);
    this.postponed = new Batcher((checks) => this.postponeAll(checks), {
      maxGroup: maxPostponed,
      maxConcurrent: 1,
      isIdempotent: true,
      onFailure,
    });
  }

  async find(id: string, owner?: string): Promise<TransactionSet | undefined> {
    const set = await this.reads.add(id);
    return owner === undefined || set?.owner === owner ? set : undefined;
  }

  private async findAll(ids: string[]): Promise<(TransactionSet | undefined)[]> {
    const { rows } = await this.pool.query<SetRow>({
      name: 'sets-find',
      text: 'SELECT * FROM transaction_sets WHERE id = ANY($1::uuid[])',
      values: [ids],
    });
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = found.get(id);
      return row && fromRow(row);
    });
  }

  /** Returns the nonce after the highest one that an open set has claimed; 0 without claims. */
  async nextClaimedNonce(chainId: number, signer: string): Promise<number> {
    const { rows } = await this.pool.query<{ next: string }>({
      name: 'nonces-next',
      text: 'SELECT coalesce(max(nonce) + 1, 0) AS next FROM nonce_claims WHERE chain_id = $1 AND signer = $2',
      values: [chainId, signer],
    });
    return Number(rows[0]!.next);
  }

  /**
   * Stores a change with its event, unless the set has changed since it was read.
   * @returns the set with its new version; undefined after a concurrent change
   */
  async save(change: Change): Promise<TransactionSet | undefined> {
    const hasEvent = isVisible(change);
    if (!hasEvent && isUpdateOnly(change)) return this.saves.add(change);
    return transaction(this.pool, (client) => save(client, change, hasEvent));
  }

  /** Saves the first of several changes of one set. The others are based on an outdated version. */
  private async saveAll(changes: Change[]): Promise<(TransactionSet | undefined)[]> {
    const first = new Map([...changes].reverse().map((change) => [change.before.id, change]));
    const saved = await update(this.pool, [...first.values()]);
    return changes.map((change) =>
      first.get(change.before.id) === change && saved.has(change.before.id) ? newVersion(change) : undefined,
    );
  }

  /** Stores the signed transactions of a set and claims their nonces. */
  async sign(change: Change): Promise<Signing> {
    const { after } = change;
    return transaction(this.pool, async (client): Promise<Signing> => {
      const set = await save(client, change, isVisible(change));
      if (!set) return { kind: 'changed' };
      const { rowCount } = await client.query({
        name: 'nonces-claim',
        text: `INSERT INTO nonce_claims (chain_id, signer, nonce, set_id)
          SELECT $1, $2, nonce, $4 FROM unnest($3::bigint[]) AS nonce ON CONFLICT DO NOTHING`,
        values: [
          after.transactions[0]!.chainId,
          after.user,
          after.transactions.map(({ nonce }) => nonce),
          after.id,
        ],
      });
      if (rowCount !== after.transactions.length) throw new NonceTaken();
      return { kind: 'signed', set };
    }).catch((error: unknown): Signing => {
      if (error instanceof NonceTaken) return { kind: 'nonceTaken' };
      throw error;
    });
  }

  /** Returns due sets of these shards, longest due first, without those that are being polled. */
  async due({ nowMs, shards, limit, but }: DueSets): Promise<TransactionSet[]> {
    const { rows } = await this.pool.query<SetRow>({
      name: 'sets-due',
      text: `SELECT * FROM transaction_sets WHERE check_at <= $1 AND id <> ALL($3::uuid[])
        AND ${shardColumn} = ANY($4::int[]) ORDER BY check_at LIMIT $2`,
      values: [new Date(nowMs), limit, but, shards],
    });
    return rows.map(fromRow);
  }

  /** Returns sets that were not signed before their validUntil. */
  async unsigned(nowMs: number, limit: number): Promise<TransactionSet[]> {
    const { rows } = await this.pool.query<SetRow>({
      name: 'sets-unsigned',
      text: `SELECT * FROM transaction_sets WHERE state = 'built' AND valid_until <= $1 ORDER BY valid_until LIMIT $2`,
      values: [new Date(nowMs), limit],
    });
    return rows.map(fromRow);
  }

  /** Returns the time when the next set of these shards is due; null without one. */
  nextCheckMs(shards: readonly number[]): Promise<number | null> {
    return this.earliest(
      'sets-next-check',
      `SELECT min(check_at) AS at FROM transaction_sets WHERE check_at IS NOT NULL
        AND ${shardColumn} = ANY($1::int[])`,
      [shards],
    );
  }

  /** Returns the time when the next unsigned set expires; null without one. */
  nextUnsignedMs(): Promise<number | null> {
    return this.earliest(
      'sets-next-unsigned',
      "SELECT min(valid_until) AS at FROM transaction_sets WHERE state = 'built'",
    );
  }

  private async earliest(name: string, text: string, values: unknown[] = []): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({ name, text, values });
    return rows[0]!.at?.getTime() ?? null;
  }

  /** Sets the time of the next poll of an unchanged set. */
  postpone(check: Check): Promise<void> {
    return this.postponed.add(check);
  }

  private async postponeAll(checks: Check[]): Promise<void[]> {
    await this.pool.query({
      name: 'sets-postpone',
      text: `UPDATE transaction_sets s SET check_at = g.check_at
        FROM unnest($1::uuid[], $2::timestamptz[]) AS g (id, check_at)
        WHERE s.id = g.id AND s.check_at IS NOT NULL`,
      values: [checks.map(({ id }) => id), checks.map(({ checkAtMs }) => new Date(checkAtMs))],
    });
    return checks.map(() => undefined);
  }
}

class NonceTaken extends Error {}

/** Whether a change only updates its row, without an event. Such changes share a statement and a commit. */
const isUpdateOnly = ({ after, context, reply }: Change): boolean =>
  !isFinal(after) && !(reply && context.claim);

/** Stores new sets with their events. */
export async function insertSets(
  client: TransactionClient,
  sets: readonly TransactionSet[],
  context: CallContext,
): Promise<void> {
  if (sets.length === 0) return;
  await client.query({ name: 'sets-insert', text: insertStatement, values: [toJson(sets.map(toRow))] });
  await appendEvents(client, sets, sets[0]!.createdAtMs, context);
}

/** @param hasEvent whether the change has an event */
export async function save(
  client: TransactionClient,
  change: Change,
  hasEvent: boolean,
): Promise<TransactionSet | undefined> {
  const { nowMs, context, reply } = change;
  const after = newVersion(change);
  if (!(await update(client, [change])).has(after.id)) return undefined;
  if (isFinal(after)) await releaseNonces(client, after);
  if (hasEvent) await appendEvents(client, [after], nowMs, context);
  if (reply) await storeReply(client, context, reply(after));
  return after;
}

const newVersion = ({ before, after }: Change): TransactionSet => ({ ...after, version: before.version + 1 });

/** Updates different sets. @returns the ids of those that still had the expected version */
async function update(client: TransactionClient | Pool, changes: readonly Change[]): Promise<Set<string>> {
  const column = (value: (set: TransactionSet, change: Change) => unknown): unknown[] =>
    changes.map((change) => value(change.after, change));
  const { rows } = await client.query<{ id: string }>({
    name: 'sets-save',
    text: updateStatement,
    values: [
      column((_, { before }) => before.id),
      column((_, { before }) => before.version),
      column(({ state }) => state),
      column(({ transactions }) => toJson(transactions)),
      column(({ gasCostUsd }) => gasCostUsd),
      column(({ delivery }) => delivery && toJson(delivery)),
      column(({ failure }) => failure && toJson(failure)),
      column(({ executedAtMs }) => date(executedAtMs)),
      column(({ endedAtMs }) => date(endedAtMs)),
      column((_, { checkAtMs }) => date(checkAtMs)),
      column(({ replacedBy }) => replacedBy),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Releases the nonces of a final set. Unmined nonces can be used again, and mined ones are consumed on the chain. */
async function releaseNonces(client: TransactionClient, { id }: TransactionSet): Promise<void> {
  await client.query({
    name: 'nonces-release',
    text: 'DELETE FROM nonce_claims WHERE set_id = $1',
    values: [id],
  });
}

/** Whether the change is visible to clients, so that it needs an event. */
function isVisible({ before, after, nowMs }: Change): boolean {
  const shown = (set: TransactionSet) => JSON.stringify({ ...updateOf(set, nowMs), version: 0 });
  return shown(before) !== shown(after);
}

const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

const insertStatement = `INSERT INTO transaction_sets (${newSetColumns})
  SELECT ${newSetColumns} FROM json_populate_recordset(NULL::transaction_sets, $1::json)`;

const updateStatement = `UPDATE transaction_sets s SET state = g.state, version = s.version + 1,
    transactions = g.transactions, gas_cost_usd = g.gas_cost_usd, delivery = g.delivery, failure = g.failure,
    executed_at = g.executed_at, ended_at = g.ended_at, check_at = g.check_at, replaced_by = g.replaced_by
  FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::json[], $5::text[], $6::json[], $7::json[],
    $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $11::uuid[])
    AS g (id, version, state, transactions, gas_cost_usd, delivery, failure, executed_at, ended_at, check_at,
      replaced_by)
  WHERE s.id = g.id AND s.version = g.version
  RETURNING s.id`;
