import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';
import { Peppers } from './peppers';

/** The number of stored secrets that are not under the current pepper. */
export interface OutdatedSecrets {
  apiKeys: number;
  sessions: number;
  webhooks: number;
}

/** Counts secrets by their pepper. Uses SQL for one statement over the tables of three features. */
@Injectable()
export class PeppersRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    private readonly peppers: Peppers,
  ) {
    this.pool = pool;
  }

  /**
   * @param isNamed whether to count only secrets with another pepper id; with a single pepper, secrets without an id
   * belong to it
   */
  async countOutdated(isNamed: boolean, nowMs: number): Promise<OutdatedSecrets> {
    const isOutdated = (column: string): string =>
      `(${column} IS DISTINCT FROM $1 AND (${column} IS NOT NULL OR NOT $2))`;
    const { rows } = await this.pool.query<OutdatedSecrets>({
      name: 'outdated-secrets',
      text: `SELECT
        (SELECT count(*)::int FROM api_keys WHERE deleted_at IS NULL AND (${isOutdated('pepper_id')}
           OR previous_secret_until > $3 AND ${isOutdated('previous_pepper_id')})) AS "apiKeys",
        (SELECT count(*)::int FROM wallet_sessions
         WHERE revoked_at IS NULL AND expires_at > $3 AND ${isOutdated('pepper_id')}) AS sessions,
        (SELECT count(*)::int FROM webhook_endpoints WHERE ${isOutdated('pepper_id')}) AS webhooks`,
      values: [this.peppers.currentId, isNamed, new Date(nowMs)],
    });
    return rows[0]!;
  }
}
