import { Injectable } from '@nestjs/common';
import type { Conversion, RecordState, RecordType } from '@tollbridge/contracts';
import { Database, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import {
  contributionOf,
  mergeAll,
  mergeRecords,
  withoutContribution,
  type Contribution,
  type DashboardRecord,
  type Outcome,
} from './dashboard-record';
import { searchCondition } from './record-search';

interface RecordRow {
  id: string;
  wallet: string;
  tx_type: RecordType;
  order_id: string | null;
  version: number;
  outcome: Outcome;
  is_own: boolean;
  is_seen: boolean;
  was_completed: boolean;
  amount: string;
  fee_amount: string;
  conversion: Conversion | null;
  token: string;
  network: string;
  value_usd: string | null;
  tx_hash: string;
  counterparty: string | null;
  description: string;
  late: boolean;
  is_confirmed: boolean;
  created_at: Date;
  updated_at: Date;
}

export type ListedRecord = RecordRow & { status: RecordState };

export interface RecordFilters {
  q?: string;
  type?: RecordType;
  status?: RecordState;
  token?: string;
  network?: string;
  fromMs?: number;
  toMs?: number;
}

/** The sums of one token on one chain over all days. Amounts are exact. */
export interface TotalRow {
  network: string;
  token: string;
  completed: string;
  unsuccessful: string;
  /** The number of unsuccessful payments that expired. */
  expired: string;
  unpriced: string;
  confirmed: string;
  amount: string;
  value_usd: string;
}

export interface DayRow {
  day: string;
  completed: string;
  value_usd: string;
}

export const columns = `id, wallet, tx_type, order_id, version, outcome, is_own, is_seen, was_completed, amount, fee_amount, conversion, token,
  network, value_usd, tx_hash, counterparty, description, late, is_confirmed, created_at, updated_at`;
const updates = columns
  .split(',')
  .map((column) => column.trim())
  .filter((column) => column !== 'id')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');
const insertRecords = `INSERT INTO dashboard_transactions (generation, ${columns})
  SELECT $1, ${columns} FROM json_populate_recordset(NULL::dashboard_transactions, $2) ORDER BY id`;
const copiedAtOnce = 500;
const activeGeneration = '(SELECT active FROM dashboard_state)';

/**
 * The only file that reads and writes records of the dashboard. Uses SQL for locks, set-based writes, and the
 * benchmarks "overview of 1,000,000 transactions" and "list 50 of 1,000,000 transactions".
 */
@Injectable()
export class DashboardRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Records events in the generation that is shown, and in the generation of a rebuild in progress. */
  async record(client: TransactionClient, records: readonly DashboardRecord[]): Promise<void> {
    // The shared lock until the commit prevents a rebuild from changing the generations within a transaction.
    const { rows } = await client.query<{ active: number; building: number | null }>({
      name: 'dashboard-state',
      text: 'SELECT active, building FROM dashboard_state FOR SHARE',
    });
    const { active, building } = rows[0]!;
    await this.recordIn(client, active, records);
    if (building !== null) await this.recordIn(client, building, records);
  }

  /**
   * Merges records into a generation and updates its sums. Records are always locked before sums, so that transactions
   * do not deadlock.
   */
  async recordIn(
    client: TransactionClient,
    generation: number,
    changed: readonly DashboardRecord[],
  ): Promise<void> {
    const records = mergeAll(changed);
    const added = await client.query<{ id: string }>({
      name: 'dashboard-insert',
      text: `${insertRecords} ON CONFLICT DO NOTHING RETURNING id`,
      values: [generation, JSON.stringify(records.map(toRow))],
    });
    const isNew = new Set(added.rows.map(({ id }) => id));
    const others = records.filter(({ id }) => !isNew.has(id));
    const changes = records.filter(({ id }) => isNew.has(id)).map(contributionOf);
    if (others.length > 0) changes.push(...(await this.mergeInto(client, generation, others)));
    const counted = changes.filter((change) => change !== null);
    if (counted.length > 0) await addToSums(client, generation, counted);
  }

  /** @returns the contributions to add to the sums */
  private async mergeInto(
    client: TransactionClient,
    generation: number,
    records: readonly DashboardRecord[],
  ): Promise<(Contribution | null)[]> {
    const { rows } = await client.query<RecordRow>({
      name: 'dashboard-lock',
      text: `SELECT ${columns} FROM dashboard_transactions WHERE generation = $1 AND id = ANY($2::uuid[])
             ORDER BY id FOR UPDATE`,
      values: [generation, records.map(({ id }) => id)],
    });
    const known = new Map(rows.map((row) => [row.id, fromRow(row)]));
    const merged = records.map((record) => mergeRecords(known.get(record.id)!, record));
    await client.query({
      name: 'dashboard-merge',
      text: `${insertRecords} ON CONFLICT (generation, id) DO UPDATE SET ${updates}`,
      values: [generation, JSON.stringify(merged.map(toRow))],
    });
    return merged.flatMap((record) => {
      const before = contributionOf(known.get(record.id)!);
      return [before && withoutContribution(before), contributionOf(record)];
    });
  }

  /** Pages of a generation's records that are older than the stored events. None for a horizon that is undefined. */
  async *recordsBefore(
    generation: number,
    { orders, paylinks }: { orders: Date | undefined; paylinks: Date | undefined },
  ): AsyncGenerator<DashboardRecord[]> {
    if (!orders && !paylinks) return;
    for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
      const { rows } = await this.pool.query<RecordRow>({
        name: 'dashboard-before',
        text: `SELECT ${columns} FROM dashboard_transactions WHERE generation = $1 AND id > $2
                 AND created_at < CASE WHEN order_id IS NULL THEN $4::timestamptz ELSE $3::timestamptz END
               ORDER BY id LIMIT ${copiedAtOnce}`,
        values: [generation, after, orders, paylinks],
      });
      if (rows.length === 0) return;
      yield rows.map(fromRow);
      after = rows.at(-1)!.id;
    }
  }

  /** The creation time of a record that the wallet may see; undefined for any other id. */
  async findCreatedAt(wallet: string, id: string): Promise<Date | undefined> {
    const { rows } = await this.pool.query<{ created_at: Date }>({
      name: 'dashboard-cursor',
      text: `SELECT created_at FROM dashboard_transactions
             WHERE generation = ${activeGeneration} AND id = $2 AND wallet = $1 AND is_shown`,
      values: [wallet, id],
    });
    return rows[0]?.created_at;
  }

  /** A record that the wallet may see; undefined for any other id. */
  async find(wallet: string, id: string): Promise<ListedRecord | undefined> {
    const { rows } = await this.pool.query<ListedRecord>({
      name: 'dashboard-record',
      text: `SELECT ${columns}, status FROM dashboard_transactions
             WHERE generation = ${activeGeneration} AND id = $2 AND wallet = $1 AND is_shown`,
      values: [wallet, id],
    });
    return rows[0];
  }

  /** Records of a wallet, newest first, starting behind the position `before`. */
  async list(
    wallet: string,
    filters: RecordFilters,
    limit: number,
    before?: { createdAt: Date; id: string },
  ): Promise<ListedRecord[]> {
    const values: unknown[] = [wallet, limit];
    const given = (value: unknown): string => `$${values.push(value)}`;
    const { q, type, status, token, network, fromMs, toMs } = filters;
    const own = `generation = ${activeGeneration} AND wallet = $1 AND is_shown`;
    const conditions = [
      q !== undefined && searchCondition(q, { own, wallet }, given),
      type !== undefined && `tx_type = ${given(type)}`,
      status !== undefined && `status = ${given(status)}`,
      token !== undefined && `token = ${given(token)}`,
      network !== undefined && `network = ${given(network)}`,
      fromMs !== undefined && `created_at >= ${given(new Date(fromMs))}`,
      toMs !== undefined && `created_at < ${given(new Date(toMs))}`,
      before && `(created_at, id) < (${given(before.createdAt)}, ${given(before.id)})`,
    ].filter((condition) => condition !== false && condition !== undefined);
    const { rows } = await this.pool.query<ListedRecord>(
      `SELECT ${columns}, status FROM dashboard_transactions
       WHERE ${[own, ...conditions].join(' AND ')}
       ORDER BY created_at DESC, id DESC LIMIT $2`,
      values,
    );
    return rows;
  }

  /**
   * The totals by token and chain, and by day from `firstDay` on. One statement reads both, so that they are
   * consistent.
   */
  async sums(wallet: string, firstDay: string): Promise<{ totals: TotalRow[]; days: DayRow[] }> {
    const { rows } = await this.pool.query<TotalRow & { day: string | null }>({
      ...sumsStatement,
      values: [wallet, firstDay],
    });
    const days = rows.filter((row): row is typeof row & DayRow => row.day !== null);
    return { totals: rows.filter(({ day }) => day === null), days };
  }
}

export const sumsStatement = {
  name: 'dashboard-sums',
  text: `WITH own AS NOT MATERIALIZED (SELECT * FROM dashboard_sums WHERE generation = ${activeGeneration} AND wallet = $1)
    SELECT NULL AS day, network, token, completed, unsuccessful, expired, unpriced, confirmed, amount, value_usd
      FROM own WHERE day = '-infinity'
    UNION ALL SELECT day::text, NULL, NULL, sum(completed)::bigint, NULL, NULL, NULL, NULL, NULL, sum(value_usd) FROM own
      WHERE day >= $2::date GROUP BY day`,
};

async function addToSums(
  client: TransactionClient,
  generation: number,
  contributions: readonly Contribution[],
): Promise<void> {
  await client.query({
    name: 'dashboard-add',
    text: `INSERT INTO dashboard_sums AS stored
             (generation, wallet, day, network, token, completed, unsuccessful, expired, unpriced, confirmed, amount, value_usd)
           SELECT $1, c.wallet, d.day, c.network, c.token, sum(c.completed), sum(c.unsuccessful), sum(c.expired),
             sum(c.unpriced), sum(c.confirmed), sum(c.amount), sum(c.value_usd)
           FROM json_populate_recordset(NULL::dashboard_sums, $2) c,
             LATERAL (VALUES (c.day), ('-infinity'::date)) AS d (day)
           GROUP BY c.wallet, d.day, c.network, c.token
           HAVING sum(c.completed) <> 0 OR sum(c.unsuccessful) <> 0 OR sum(c.expired) <> 0 OR sum(c.unpriced) <> 0
             OR sum(c.confirmed) <> 0 OR sum(c.amount) <> 0 OR sum(c.value_usd) <> 0
           -- Two at a time wait for each other, and not each for the other.
           ORDER BY c.wallet, d.day, c.network, c.token
           ON CONFLICT (generation, wallet, day, network, token) DO UPDATE SET
             completed = stored.completed + excluded.completed, unsuccessful = stored.unsuccessful + excluded.unsuccessful,
             expired = stored.expired + excluded.expired, unpriced = stored.unpriced + excluded.unpriced, confirmed = stored.confirmed + excluded.confirmed,
             amount = stored.amount + excluded.amount,
             value_usd = stored.value_usd + excluded.value_usd`,
    values: [generation, JSON.stringify(contributions)],
  });
}

function toRow(record: DashboardRecord): Record<keyof RecordRow, unknown> {
  return {
    id: record.id,
    wallet: record.wallet,
    tx_type: record.type,
    order_id: record.orderId,
    version: record.version,
    outcome: record.outcome,
    is_own: record.isOwn,
    is_seen: record.isSeen,
    was_completed: record.wasCompleted,
    amount: String(record.amount),
    fee_amount: String(record.feeAmount),
    conversion: record.conversion,
    token: record.token,
    network: record.network,
    value_usd: record.valueUsd,
    tx_hash: record.txHash,
    counterparty: record.counterparty,
    description: record.description,
    late: record.isLate,
    is_confirmed: record.isConfirmed,
    created_at: new Date(record.createdAtMs).toISOString(),
    updated_at: new Date(record.updatedAtMs).toISOString(),
  };
}

function fromRow(row: RecordRow): DashboardRecord {
  return {
    id: row.id,
    wallet: row.wallet,
    type: row.tx_type,
    orderId: row.order_id,
    version: row.version,
    outcome: row.outcome,
    isOwn: row.is_own,
    isSeen: row.is_seen,
    wasCompleted: row.was_completed,
    amount: BigInt(row.amount),
    feeAmount: BigInt(row.fee_amount),
    conversion: row.conversion,
    token: row.token,
    network: row.network,
    valueUsd: row.value_usd,
    txHash: row.tx_hash,
    counterparty: row.counterparty,
    description: row.description,
    isLate: row.late,
    isConfirmed: row.is_confirmed,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}
