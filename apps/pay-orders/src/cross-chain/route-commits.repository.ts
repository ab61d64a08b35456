import { Injectable } from '@nestjs/common';
import { Database, type TransactionClient } from '@tollbridge/database';
import type { RouteRequest } from '@tollbridge/routing';
import type { Pool } from 'pg';

export type CommitOutcome = 'committed' | 'refused' | 'unavailable' | 'unknown';

const forJson = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** Stores requests for deposit addresses, because a provider may have accepted a request with a lost reply. */
@Injectable()
export class RouteCommitsRepository {
  private readonly pool: Pool;

  constructor(database: Database) {
    this.pool = database.pool;
  }

  /**
   * Records that a deposit address will be requested. A second request for the same order fails. Uses SQL because
   * TypeORM cannot serialise the bigints of the request.
   */
  async recordRequest(orderId: string, request: RouteRequest, nowMs: number): Promise<void> {
    await this.pool.query({
      name: 'route-commit-request',
      text: 'INSERT INTO route_commits (order_id, request, asked_at) VALUES ($1, $2, $3)',
      values: [orderId, JSON.stringify(request, forJson), new Date(nowMs)],
    });
  }

  async recordOutcome(
    orderId: string,
    outcome: CommitOutcome,
    reason: string | null,
    nowMs: number,
  ): Promise<void> {
    await recordOutcome(this.pool, orderId, outcome, reason, nowMs);
  }

  /** Marks requests as `unknown` when their process ended before the reply. @returns the ids of their orders */
  async closeLostRequests(askedBeforeMs: number, nowMs: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ order_id: string }>({
      name: 'route-commits-lost',
      text: `UPDATE route_commits SET outcome = 'unknown', reason = 'the process ended before an answer', answered_at = $2
             WHERE outcome IS NULL AND asked_at < $1 RETURNING order_id`,
      values: [new Date(askedBeforeMs), new Date(nowMs)],
    });
    return rows.map((row) => row.order_id);
  }
}

/** Stores the outcome of a request in the caller's transaction. */
export async function recordOutcome(
  client: TransactionClient | Pool,
  orderId: string,
  outcome: CommitOutcome,
  reason: string | null,
  nowMs: number,
): Promise<void> {
  await client.query({
    name: 'route-commit-outcome',
    text: 'UPDATE route_commits SET outcome = $2, reason = $3, answered_at = $4 WHERE order_id = $1',
    values: [orderId, outcome, reason, new Date(nowMs)],
  });
}
