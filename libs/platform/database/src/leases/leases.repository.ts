import type { Pool, QueryConfig } from 'pg';
import type { LeaseState } from './lease-plan';

export interface LeaseTerms {
  /** Id of the process. */
  holder: string;
  leaseMs: number;
}

export interface StoredLease extends LeaseState {
  term: string;
  /** Whether the row belongs to a replica that died more than a minute ago. */
  isStale: boolean;
}

interface Row {
  name: string;
  holder: string | null;
  term: string;
  is_live: boolean;
  is_stale: boolean;
}

const expiry = `clock_timestamp() + $2 * interval '1 millisecond'`;

// A lease that another process has just acquired is in neither part of the result, and counts as lost.
const renewStatement = `
  WITH renewed AS (UPDATE leases SET expires_at = ${expiry} WHERE holder = $1::uuid RETURNING name, holder, term)
  SELECT name, holder, term, true AS is_live, false AS is_stale FROM renewed
  UNION ALL
  SELECT name, holder, term, expires_at > clock_timestamp(),
    name LIKE 'member %' AND expires_at < clock_timestamp() - interval '1 minute'
  FROM leases WHERE holder IS DISTINCT FROM $1::uuid`;

// Ordered by name, so that two processes that acquire the same leases wait for each other instead of deadlocking.
const acquireStatement = `
  INSERT INTO leases AS l (name, holder, expires_at)
  SELECT name, $1::uuid, ${expiry} FROM unnest($3::text[]) AS name ORDER BY name
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, term = l.term + 1, expires_at = excluded.expires_at
  WHERE l.holder IS NULL OR l.expires_at <= clock_timestamp()
  RETURNING name, term`;

const releaseStatement = `UPDATE leases SET holder = NULL, expires_at = '-infinity'
  WHERE holder = $1::uuid AND name = ANY($2::text[])`;

const releaseAllStatement = `
  WITH members AS (DELETE FROM leases WHERE holder = $1::uuid AND name LIKE 'member %')
  UPDATE leases SET holder = NULL, expires_at = '-infinity' WHERE holder = $1::uuid AND name NOT LIKE 'member %'`;

const deleteStatement = `DELETE FROM leases
  WHERE name LIKE 'member %' AND expires_at < clock_timestamp() - interval '1 minute'`;

/**
 * Leases of one process. SQL: every statement compares with the clock of the database, which alone decides the expiry.
 */
export class LeasesRepository {
  constructor(
    private readonly pool: Pool,
    private readonly terms: LeaseTerms,
  ) {}

  /** Renews the leases of this process, also expired ones without another holder. @returns all leases of the schema */
  async renewAndRead(): Promise<StoredLease[]> {
    const { holder, leaseMs } = this.terms;
    const { rows } = await this.query<Row>({
      name: 'leases-renew',
      text: renewStatement,
      values: [holder, leaseMs],
    });
    return rows.map(({ is_live: isLive, is_stale: isStale, ...row }) => ({ ...row, isLive, isStale }));
  }

  /** Acquires leases. @returns the leases that were free or expired, now held by this process */
  async acquire(names: string[]): Promise<{ name: string; term: string }[]> {
    const { holder, leaseMs } = this.terms;
    return (await this.query<Row>({ text: acquireStatement, values: [holder, leaseMs, names] })).rows;
  }

  async release(names: string[]): Promise<void> {
    await this.query({ text: releaseStatement, values: [this.terms.holder, names] });
  }

  async releaseAll(): Promise<void> {
    await this.query({ text: releaseAllStatement, values: [this.terms.holder] });
  }

  async deleteStaleMembers(): Promise<void> {
    await this.query({ text: deleteStatement });
  }

  /** A reply that is later than half of the lease is useless. */
  private query<R extends object>(query: QueryConfig) {
    return this.pool.query<R>({ ...query, query_timeout: this.terms.leaseMs / 2 } as QueryConfig);
  }
}
