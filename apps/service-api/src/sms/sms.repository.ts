import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';

/** A number that is to be given back, whatever becomes of who waits for its code. */
export interface DueReturn {
  purchaseId: string;
  attempts: number;
}

/** The only file that reads and writes when numbers are given back, and that compares purchases of this family. */
@Injectable()
export class SmsRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Notes, before a number is asked for, when it is given back unless somebody says otherwise. */
  async planReturn(purchaseId: string, atMs: number): Promise<void> {
    await this.pool.query({
      name: 'sms-return-plan',
      text: `INSERT INTO sms_number_returns (purchase_id, return_at) VALUES ($1, $2) ON CONFLICT (purchase_id) DO NOTHING`,
      values: [purchaseId, new Date(atMs)],
    });
  }

  /** Answers whether it is still to be given back. */
  async moveReturn(purchaseId: string, atMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'sms-return-move',
      text: 'UPDATE sms_number_returns SET return_at = $2 WHERE purchase_id = $1',
      values: [purchaseId, new Date(atMs)],
    });
    return rowCount === 1;
  }

  async dropReturn(purchaseId: string): Promise<void> {
    await this.pool.query({
      name: 'sms-return-drop',
      text: 'DELETE FROM sms_number_returns WHERE purchase_id = $1',
      values: [purchaseId],
    });
  }

  /** Takes what is due; nobody else takes it before the lease ends. */
  async takeDueReturns(given: { nowMs: number; leaseMs: number; limit: number }): Promise<DueReturn[]> {
    const { nowMs, leaseMs, limit } = given;
    const { rows } = await this.pool.query<{ purchase_id: string; attempts: number }>({
      name: 'sms-returns-due',
      text: `UPDATE sms_number_returns SET return_at = $2, attempts = attempts + 1 WHERE purchase_id IN (
               SELECT purchase_id FROM sms_number_returns WHERE return_at <= $1
               ORDER BY return_at LIMIT $3 FOR UPDATE SKIP LOCKED) RETURNING purchase_id, attempts`,
      values: [new Date(nowMs), new Date(nowMs + leaseMs), limit],
    });
    return rows.map(({ purchase_id, attempts }) => ({ purchaseId: purchase_id, attempts }));
  }

  /** When the next is to be given back; null while none waits. */
  async nextReturnMs(): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'sms-next-return',
      text: 'SELECT min(return_at) AS at FROM sms_number_returns',
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /** Which of a provider's ids are those of purchases that are known. */
  async ownedIds(kinds: readonly string[], providerIds: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ provider_id: string }>({
      name: 'sms-owned-ids',
      text: 'SELECT provider_id FROM purchases WHERE kind = ANY($1::text[]) AND provider_id = ANY($2::text[])',
      values: [kinds, providerIds],
    });
    return new Set(rows.map(({ provider_id }) => provider_id));
  }

  /** How many purchases beside this one have one of these terms and no known id of the provider. */
  async countUnknown(kinds: readonly string[], except: string, terms: readonly object[]): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>({
      name: 'sms-count-unknown',
      text: `SELECT count(*)::int AS count FROM purchases
             WHERE kind = ANY($1::text[]) AND status IN ('buying', 'unknown') AND provider_id IS NULL AND id <> $2
               AND terms::jsonb @> ANY($3::jsonb[])`,
      values: [kinds, except, terms.map((it) => JSON.stringify(it))],
    });
    return rows[0]!.count;
  }
}
