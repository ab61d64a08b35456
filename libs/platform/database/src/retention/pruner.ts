import type { Pool, PoolClient } from 'pg';
import { transaction } from '../database';
import type { Pruning, Range, Walk } from './retention';

export interface PrunedTable {
  table: string;
  policy: Pruning;
  periodMs: number;
}

/** Result of one batch of one table. */
export interface PrunedBatch {
  /** `more`: the next batch may run now. `standby`: another replica prunes the table, or its pause is not over. */
  state: 'more' | 'done' | 'standby';
  rows: number;
  /** How long the oldest row of the batch was overdue, in milliseconds; 0 when no due rows are left. */
  overdueMs: number;
}

export interface PrunerOptions {
  pool: Pool;
  nowMs(): number;
  batchRows?: number;
}

/** Bounds the time of a statement, and the size of its change in the WAL. */
export const prunedAtOnce = 1_000;
/** Pause of a table after a batch that left no due rows. */
export const prunedEveryMs = 10 * 60_000;
// The next pass finds rows that became due before the position, such as a replayed message.
const passEveryMs = 30 * 24 * 3_600_000;

const firstKeys = { bigint: '-1', uuid: '00000000-0000-0000-0000-000000000000', text: '' } as const;

interface Progress {
  position: string | null;
  started_at: Date;
}

interface Visited {
  rows: number;
  oldest: Date | null;
  isMore: boolean;
  position: string | null;
}

/**
 * Deletes rows past their period, in batches. Each batch locks the row of `retention_progress`, so that one
 * replica at a time prunes a table, without a leader. An interrupted batch is rolled back with its progress.
 * SQL: bounded set-based deletes with SKIP LOCKED. Names come from declarations in code, never from input.
 */
export class Pruner {
  constructor(private readonly options: PrunerOptions) {}

  async batch({ table, policy, periodMs }: PrunedTable): Promise<PrunedBatch> {
    const nowMs = this.options.nowMs();
    const limit = this.options.batchRows ?? prunedAtOnce;
    return transaction(this.options.pool, async (client) => {
      const progress = await claim(client, table, nowMs);
      if (!progress) return { state: 'standby', rows: 0, overdueMs: 0 };
      const horizon = new Date(nowMs - periodMs);
      const visited =
        policy.kind === 'walk'
          ? await walk(client, { table, policy, horizon, limit }, progress)
          : await deleteBelow(client, { table, policy, horizon, limit });
      await advance(client, { table, progress, visited, horizon, nowMs });
      const overdueMs = visited.isMore && visited.oldest ? horizon.getTime() - visited.oldest.getTime() : 0;
      return { state: visited.isMore ? 'more' : 'done', rows: visited.rows, overdueMs };
    });
  }
}

async function claim(client: PoolClient, table: string, nowMs: number): Promise<Progress | undefined> {
  const now = new Date(nowMs);
  await client.query({
    name: 'retention-begin',
    text: `INSERT INTO retention_progress (table_name, started_at, due_at)
           SELECT $1, $2, $2 WHERE NOT EXISTS (SELECT FROM retention_progress WHERE table_name = $1)
           ON CONFLICT DO NOTHING`,
    values: [table, now],
  });
  const { rows } = await client.query<Progress>({
    name: 'retention-claim',
    text: `SELECT position, started_at FROM retention_progress
           WHERE table_name = $1 AND due_at <= $2 FOR UPDATE SKIP LOCKED`,
    values: [table, now],
  });
  return rows[0];
}

interface Batch<P extends Pruning> {
  table: string;
  policy: P;
  horizon: Date;
  limit: number;
}

/** Visits the next rows along the key. The position stays below the first row that is not old enough. */
async function walk(client: PoolClient, batch: Batch<Walk>, { position }: Progress): Promise<Visited> {
  const { table, policy, horizon, limit } = batch;
  const { key, keyType, set } = policy;
  const isDue = `${timeOf(policy)} < $2 AND (${policy.where ?? 'true'})`;
  const { rows: page } = await client.query<{ key: string; isOld: boolean; isDue: boolean }>({
    name: `retention-page-${table}`,
    text: `SELECT ${key}::text AS key, ${timeOf(policy)} < $2 AS "isOld", ${isDue} AS "isDue" FROM ${table} t
           WHERE ${key} > $1::${keyType} ORDER BY ${key} LIMIT $3`,
    values: [position ?? firstKeys[keyType], horizon, limit],
  });
  const due = page.filter((row) => row.isDue).map((row) => row.key);
  const change = set === undefined ? `DELETE FROM ${table} t` : `UPDATE ${table} t SET ${set}`;
  const chosen = `SELECT ${key} FROM ${table} t WHERE ${key} = ANY($1::${keyType}[]) AND ${isDue} FOR UPDATE SKIP LOCKED`;
  const changed = await run(client, {
    name: `retention-walk-${table}`,
    text: `WITH changed AS (${change} WHERE ${key} = ANY(ARRAY(${chosen})) RETURNING ${timeOf(policy)} AS at)
           SELECT count(*)::int AS rows, min(at) AS oldest FROM changed`,
    values: [due, horizon],
    isNeeded: due.length > 0,
  });
  const isMore = page.length === limit && page.every(({ isOld }) => isOld);
  const old = page.slice(0, Math.max(0, isMore ? page.length : page.findIndex(({ isOld }) => !isOld)));
  return { ...changed, isMore, position: old.at(-1)?.key ?? position };
}

/** Deletes the oldest rows of each group. The limit applies to all groups together. */
async function deleteBelow(client: PoolClient, batch: Batch<Range>): Promise<Visited> {
  const { table, policy, horizon, limit } = batch;
  const groups = policy.groupBy ? await groupsOf(client, table, policy.groupBy) : [null];
  const total: Visited = { rows: 0, oldest: null, isMore: false, position: null };
  for (const group of groups) {
    const left = limit - total.rows;
    const { rows, oldest } = await run(client, {
      name: `retention-range-${table}`,
      text: rangeStatement(table, policy),
      values: policy.groupBy ? [horizon, left, group] : [horizon, left],
    });
    total.rows += rows;
    if (oldest && !(total.oldest && total.oldest <= oldest)) total.oldest = oldest;
    if (total.rows >= limit) return { ...total, isMore: true };
  }
  return total;
}

function rangeStatement(table: string, policy: Range): string {
  const { orderBy, groupBy, isUuidV7 } = policy;
  // A UUID of version 7 begins with its time in milliseconds, so the index finds old rows.
  const firstOfHorizon = `(lpad(to_hex((extract(epoch FROM $1::timestamptz) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
  const conditions = [
    `${timeOf(policy)} < $1`,
    ...(isUuidV7 ? [`${orderBy} < ${firstOfHorizon}`] : []),
    ...(policy.isUnixSeconds ? [`${policy.column} < extract(epoch FROM $1::timestamptz)::bigint`] : []),
    ...(groupBy ? [`${groupBy} = $3`] : []),
  ].join(' AND ');
  return `WITH changed AS (DELETE FROM ${table} t WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${table} t WHERE ${conditions} ORDER BY ${orderBy} LIMIT $2 FOR UPDATE SKIP LOCKED))
      RETURNING ${timeOf(policy)} AS at)
    SELECT count(*)::int AS rows, min(at) AS oldest FROM changed`;
}

const timeOf = ({ column, isUnixSeconds }: Pruning): string =>
  isUnixSeconds ? `to_timestamp(t.${column})` : `t.${column}`;

/**
 * Returns the distinct values of the first column of an index, with one index lookup for each value. `SELECT
 * DISTINCT` would read the whole table.
 */
async function groupsOf(client: PoolClient, table: string, column: string): Promise<string[]> {
  const { rows } = await client.query<{ value: string }>({
    name: `retention-groups-${table}`,
    text: `WITH RECURSIVE found AS (
             (SELECT ${column} AS value FROM ${table} ORDER BY ${column} LIMIT 1)
             UNION ALL
             SELECT (SELECT ${column} FROM ${table} WHERE ${column} > found.value ORDER BY ${column} LIMIT 1)
             FROM found WHERE found.value IS NOT NULL)
           SELECT value FROM found WHERE value IS NOT NULL`,
  });
  return rows.map(({ value }) => value);
}

interface Change {
  name: string;
  text: string;
  values: unknown[];
  isNeeded?: boolean;
}

async function run(
  client: PoolClient,
  { isNeeded = true, ...statement }: Change,
): Promise<Pick<Visited, 'rows' | 'oldest'>> {
  if (!isNeeded) return { rows: 0, oldest: null };
  const { rows } = await client.query<{ rows: number; oldest: Date | null }>(statement);
  return rows[0]!;
}

async function advance(
  client: PoolClient,
  given: { table: string; progress: Progress; visited: Visited; horizon: Date; nowMs: number },
): Promise<void> {
  const { table, progress, visited, horizon, nowMs } = given;
  const isPassOver = !visited.isMore && nowMs - progress.started_at.getTime() >= passEveryMs;
  await client.query({
    name: 'retention-advance',
    text: `UPDATE retention_progress SET position = $2, started_at = $3, due_at = $4, pruned_rows = pruned_rows + $5,
             pruned_until = CASE WHEN $5 > 0 THEN greatest(pruned_until, $6) ELSE pruned_until END
           WHERE table_name = $1`,
    values: [
      table,
      isPassOver ? null : visited.position,
      isPassOver ? new Date(nowMs) : progress.started_at,
      new Date(visited.isMore ? nowMs : nowMs + prunedEveryMs),
      visited.rows,
      horizon,
    ],
  });
}

/** Returns the horizon: older rows of the table may have been pruned. Undefined while the table is complete. */
export async function prunedUntil(pool: Pool, table: string): Promise<Date | undefined> {
  const { rows } = await pool.query<{ pruned_until: Date | null }>({
    name: 'retention-pruned-until',
    text: 'SELECT pruned_until FROM retention_progress WHERE table_name = $1',
    values: [table],
  });
  return rows[0]?.pruned_until ?? undefined;
}
