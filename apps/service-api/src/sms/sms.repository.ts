import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { Repository } from 'typeorm';
import { SmsNumberReturnRow } from './sms-number-returns.entity';

/** A number that is due to be returned. */
export interface DueReturn {
  purchaseId: string;
  attempts: number;
}

/** Planned returns of numbers, and queries over purchases of numbers and messages. */
@Injectable()
export class SmsRepository {
  private readonly pool: Pool;
  private readonly returns: Repository<SmsNumberReturnRow>;

  constructor({ pool, dataSource }: Database) {
    this.pool = pool;
    this.returns = dataSource.getRepository(SmsNumberReturnRow);
  }

  /** Plans the return of a number before it is rented. */
  async planReturn(purchaseId: string, atMs: number): Promise<void> {
    const row = { purchase_id: purchaseId, return_at: new Date(atMs) };
    await this.returns.createQueryBuilder().insert().values(row).orIgnore().updateEntity(false).execute();
  }

  /** Changes the time of a planned return. Returns false when no return is planned. */
  async scheduleReturn(purchaseId: string, atMs: number): Promise<boolean> {
    const { affected } = await this.returns.update(purchaseId, { return_at: new Date(atMs) });
    return affected === 1;
  }

  async dropReturn(purchaseId: string): Promise<void> {
    await this.returns.delete(purchaseId);
  }

  /** Leases due returns. SQL: rows that another replica has locked are skipped. */
  async takeDueReturns(given: { nowMs: number; leaseMs: number; limit: number }): Promise<DueReturn[]> {
    const { nowMs, leaseMs, limit } = given;
    const { rows } = await this.pool.query<{ purchase_id: string; attempts: number }>({
      name: 'sms-returns-due',
      text: `UPDATE sms_number_returns SET return_at = $2, attempts = attempts + 1 WHERE purchase_id = ANY(ARRAY(
               SELECT purchase_id FROM sms_number_returns WHERE return_at <= $1
               ORDER BY return_at LIMIT $3 FOR UPDATE SKIP LOCKED)) RETURNING purchase_id, attempts`,
      values: [new Date(nowMs), new Date(nowMs + leaseMs), limit],
    });
    return rows.map(({ purchase_id, attempts }) => ({ purchaseId: purchase_id, attempts }));
  }

  /** Returns the time of the next planned return; null without one. SQL: TypeORM's `minimum` reads numbers only. */
  async nextReturnMs(): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'sms-next-return',
      text: 'SELECT min(return_at) AS at FROM sms_number_returns',
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /** Returns the provider ids that belong to a stored purchase. SQL: one prepared statement for any number of ids. */
  async ownedIds(kinds: readonly string[], providerIds: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ provider_id: string }>({
      name: 'sms-owned-ids',
      text: 'SELECT provider_id FROM purchases WHERE kind = ANY($1::text[]) AND provider_id = ANY($2::text[])',
      values: [kinds, providerIds],
    });
    return new Set(rows.map(({ provider_id }) => provider_id));
  }

  /** Counts other purchases with one of these terms and without a provider id. SQL: a comparison of JSON. */
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
