import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';

/** Counts the PayLinks of the overview. Uses SQL for the benchmark "overview of 1,000,000 transactions". */
@Injectable()
export class ActivePaylinksRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** The number of links that can be paid now. A wallet can have only a limited number of links. */
  async count(wallet: string, nowMs: number): Promise<number> {
    const { rows } = await this.pool.query<{ count: string }>({
      name: 'paylinks-active',
      text: `SELECT count(*) FROM paylinks WHERE wallet = $1 AND deleted_at IS NULL AND active
               AND (expires_at IS NULL OR expires_at > $2) AND (max_payments IS NULL OR payment_count < max_payments)`,
      values: [wallet, new Date(nowMs)],
    });
    return Number(rows[0]!.count);
  }
}
