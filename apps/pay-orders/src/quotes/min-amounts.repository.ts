import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import { decimalNumber } from '@tollbridge/money';
import type { Pool } from 'pg';
import type { Repository } from 'typeorm';
import type { MinAmount } from './min-amount';
import { fromSharedText, sharedText } from './min-amounts-view';
import { MinAmountRow } from './min-amounts.entity';
import { SnapshotCache } from './snapshot-cache';

const cacheKey = 'pay-orders:min-amounts';

/** The snapshot of minimum amounts, stored in PostgreSQL and shared with other replicas through Redis. */
@Injectable()
export class MinAmountsRepository {
  private readonly pool: Pool;
  private readonly rows: Repository<MinAmountRow>;

  constructor(
    database: Database,
    private readonly cache: SnapshotCache,
  ) {
    this.pool = database.pool;
    this.rows = database.dataSource.getRepository(MinAmountRow);
  }

  async read(): Promise<MinAmount[]> {
    const cached = await this.cache.get(cacheKey);
    return (cached === undefined ? undefined : fromSharedText(cached)) ?? this.readStored();
  }

  async save(minimum: MinAmount): Promise<void> {
    const row = {
      blockchain: minimum.payChain,
      token: minimum.payToken,
      settle_chain: minimum.settleChain,
      settle_token: minimum.settleToken,
      min_settle_amount: String(minimum.settleAtomic),
      min_usd: String(minimum.usd),
      updated_at: new Date(minimum.measuredAtMs),
    };
    await this.rows.upsert(row, ['blockchain', 'token']);
  }

  async forget(blockchain: string, token: string): Promise<void> {
    await this.rows.delete({ blockchain, token });
  }

  /** Shares the stored list with other replicas. @returns the list */
  async publish(): Promise<MinAmount[]> {
    const stored = await this.readStored();
    await this.cache.set(cacheKey, sharedText(stored));
    return stored;
  }

  /** Uses SQL for the benchmark "min-amounts". */
  private async readStored(): Promise<MinAmount[]> {
    const { rows } = await this.pool.query<MinAmountRow>(
      'SELECT * FROM min_amounts ORDER BY blockchain, token',
    );
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
