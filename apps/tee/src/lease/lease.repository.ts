import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Pool, QueryConfig } from 'pg';

export interface LeaseTerms {
  /** Identifies the process. */
  holder: string;
  leaseMs: number;
  /** Maximum duration of a query. */
  timeoutMs: number;
}

/** The lease of the ledger. SQL: each statement uses the database clock, which alone decides the expiry. */
@Injectable()
export class LeaseRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /**
   * Acquires a lease that is free, expired or held by this holder, and fences off the previous writer.
   * @returns the new epoch of the ledger; undefined while another process holds the lease
   */
  async acquire(terms: LeaseTerms): Promise<bigint | undefined> {
    const { rows } = await this.pool.query<{ epoch: string }>(
      queryOf(terms, {
        // One statement, because a process that stops between two statements must not keep the locks of a transaction.
        text: `
          WITH taken AS (
            UPDATE lease SET holder = $1, expires_at = ${expiry}
            WHERE holder = $1 OR expires_at <= clock_timestamp() RETURNING true)
          UPDATE ledger SET epoch = epoch + 1 WHERE EXISTS (SELECT FROM taken) RETURNING epoch`,
      }),
    );
    return rows[0] && BigInt(rows[0].epoch);
  }

  /** Renews the lease. Returns false when another process has it. An expired lease can be renewed until then. */
  async renew(terms: LeaseTerms): Promise<boolean> {
    const text = `UPDATE lease SET expires_at = ${expiry} WHERE holder = $1`;
    const { rowCount } = await this.pool.query(queryOf(terms, { name: 'lease-renew', text }));
    return rowCount === 1;
  }

  /** Releases the lease, so that the next process can acquire it immediately. */
  async release({ holder, timeoutMs }: Omit<LeaseTerms, 'leaseMs'>): Promise<void> {
    const text = `UPDATE lease SET holder = NULL, expires_at = '-infinity' WHERE holder = $1`;
    await this.pool.query({ text, values: [holder], query_timeout: timeoutMs } as QueryConfig);
  }
}

const expiry = `clock_timestamp() + $2 * interval '1 millisecond'`;

const queryOf = ({ holder, leaseMs, timeoutMs }: LeaseTerms, query: QueryConfig): QueryConfig =>
  ({ ...query, values: [holder, leaseMs], query_timeout: timeoutMs }) as QueryConfig;
