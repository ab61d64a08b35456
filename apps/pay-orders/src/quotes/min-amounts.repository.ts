import { Injectable } from '@nestjs/common';
import { Database, LeaderLock } from '@tollbridge/database';
import { decimalNumber } from '@tollbridge/money';
import type { Pool } from 'pg';
import type { MinAmount } from './min-amount';
import { fromSharedText, sharedText } from './min-amounts-view';
import { SnapshotCache } from './snapshot-cache';

interface Row {
  blockchain: string;
  token: string;
  settle_chain: string;
  settle_token: string;
  min_settle_amount: string;
  min_usd: string;
  updated_at: Date;
}

const cacheKey = 'pay-orders:min-amounts';

/** The snapshot of minimum amounts: stored in PostgreSQL, and shared with other replicas through Redis. */
@Injectable()
export class MinAmountsRepository {
  private readonly pool: Pool;

  constructor(
    database: Database,
    private readonly cache: SnapshotCache,
  ) {
    this.pool = database.pool;
  }

  probeLock(): LeaderLock {
    return new LeaderLock(this.pool, 'probe min-amounts');
  }

  async read(): Promise<MinAmount[]> {
    const cached = await this.cache.get(cacheKey);
    return (cached === undefined ? undefined : fromSharedText(cached)) ?? this.readStored();
  }

  async save(minimum: MinAmount): Promise<void> {
    await this.pool.query({
      name: 'min-amount-save',
      text: `INSERT INTO min_amounts (blockchain, token, settle_chain, settle_token, min_settle_amount, min_usd, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (blockchain, token) DO UPDATE SET settle_chain = excluded.settle_chain,
               settle_token = excluded.settle_token, min_settle_amount = excluded.min_settle_amount,
               min_usd = excluded.min_usd, updated_at = excluded.updated_at`,
      values: [
        minimum.payChain,
        minimum.payToken,
        minimum.settleChain,
        minimum.settleToken,
        String(minimum.settleAtomic),
        minimum.usd,
        new Date(minimum.measuredAtMs),
      ],
    });
  }

  async forget(blockchain: string, token: string): Promise<void> {
    await this.pool.query({
      name: 'min-amount-forget',
      text: 'DELETE FROM min_amounts WHERE blockchain = $1 AND token = $2',
      values: [blockchain, token],
    });
  }

  /** Shares the stored list with other replicas. @returns the list */
  async publish(): Promise<MinAmount[]> {
    const stored = await this.readStored();
    await this.cache.set(cacheKey, sharedText(stored));
    return stored;
  }

  private async readStored(): Promise<MinAmount[]> {
    const { rows } = await this.pool.query<Row>('SELECT * FROM min_amounts ORDER BY blockchain, token');
    return rows.map((row) => ({
      payChain: row.blockchain,
      payToken: row.token,
      settleChain: row.settle_chain,
      settleToken: row.settle_token,
      settleAtomic: BigInt(row.min_settle_amount),
      usd: decimalNumber(row.min_usd),
      measuredAtMs: row.updated_at.getTime(),
    }));
  }
}
