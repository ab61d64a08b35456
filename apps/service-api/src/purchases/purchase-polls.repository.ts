import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { Repository } from 'typeorm';
import type { Purchase } from './purchase';
import { fromRow } from './purchase-rows';
import { PurchaseRow } from './purchases.entity';
import type { Lease } from './purchases.repository';

/** Identifies the purchases of a webhook: by our ids, the provider's ids, or the recipient of a message. */
export interface NamedPurchases {
  purchaseIds: readonly string[];
  providerIds: readonly string[];
  recipient?: string;
}

/** Leases open purchases for polls of their providers. */
@Injectable()
export class PurchasePollsRepository {
  private readonly pool: Pool;
  private readonly rows: Repository<PurchaseRow>;

  constructor({ pool, dataSource }: Database) {
    this.pool = pool;
    this.rows = dataSource.getRepository(PurchaseRow);
  }

  /** Sets the time of the next poll if the purchase is unchanged. Without a time, it is not polled again. */
  async postpone({ id, version }: Pick<Purchase, 'id' | 'version'>, checkAtMs?: number): Promise<void> {
    const checkAt = checkAtMs === undefined ? null : new Date(checkAtMs);
    await this.rows.update({ id, version }, { check_at: checkAt });
  }

  /**
   * Leases purchases that are due for a poll, including claims with an expired lease.
   * SQL: skips rows that another replica has locked.
   */
  async takeDue(kinds: readonly string[], { nowMs, leaseMs, limit }: Lease): Promise<Purchase[]> {
    const { rows } = await this.pool.query<PurchaseRow>({
      name: 'purchases-due',
      text: `UPDATE purchases SET check_at = $3, checks = checks + 1 WHERE id = ANY(ARRAY(
               SELECT id FROM purchases WHERE check_at <= $2 AND kind = ANY($1::text[])
               ORDER BY check_at LIMIT $4 FOR UPDATE SKIP LOCKED)) RETURNING *`,
      values: [kinds, new Date(nowMs), new Date(nowMs + leaseMs), limit],
    });
    return rows.map(fromRow);
  }

  /** Returns the time of the next poll; null without one. SQL: TypeORM's `minimum` reads numbers only. */
  async nextDueMs(kinds: readonly string[]): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'purchases-next-due',
      text: 'SELECT min(check_at) AS at FROM purchases WHERE check_at IS NOT NULL AND kind = ANY($1::text[])',
      values: [kinds],
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /**
   * Leases the open purchases of a webhook. It does not count as a poll, so repeated webhooks do not delay polls. SQL:
   * skips rows that another replica has locked.
   */
  async takeNamed(
    kinds: readonly string[],
    { purchaseIds, providerIds, recipient }: NamedPurchases,
    { nowMs, leaseMs, limit }: Lease,
  ): Promise<Purchase[]> {
    const { rows } = await this.pool.query<PurchaseRow>({
      name: 'purchases-named',
      text: `UPDATE purchases SET check_at = $2 WHERE id = ANY(ARRAY(
               SELECT id FROM purchases
               WHERE kind = ANY($3::text[]) AND status IN ('pending', 'unknown') AND check_at > $1 AND id = ANY(ARRAY(
                 SELECT unnest($4::uuid[])
                 UNION ALL SELECT id FROM purchases WHERE provider_id = ANY($5::text[])
                 UNION ALL SELECT id FROM purchases
                   WHERE $6::text IS NOT NULL AND check_at > $1 AND provider_id IS NULL AND terms ->> 'to' = $6))
               ORDER BY id DESC LIMIT $7 FOR UPDATE SKIP LOCKED)) RETURNING *`,
      values: [
        new Date(nowMs),
        new Date(nowMs + leaseMs),
        kinds,
        purchaseIds,
        providerIds,
        recipient ?? null,
        limit,
      ],
    });
    return rows.map(fromRow);
  }
}
