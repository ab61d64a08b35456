import type { Database } from '@tollbridge/database';
import type { Price } from './price-table';

/** Price table that all simulators quote from. */
export class PricesRepository {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  async all(): Promise<Map<string, Price>> {
    const { rows } = await this.database.pool.query<{ symbol: string; usd: string; frozen_at: Date | null }>(
      'SELECT symbol, usd, frozen_at FROM prices',
    );
    return new Map(rows.map(({ symbol, usd, frozen_at }) => [symbol, { symbol, usd, frozenAt: frozen_at }]));
  }

  /** Returns false for an unknown symbol. */
  async set({ symbol, usd, frozenAt }: Price): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      'UPDATE prices SET usd = $2, frozen_at = $3 WHERE symbol = $1',
      [symbol, usd, frozenAt],
    );
    return rowCount === 1;
  }
}
