import type { Pool, PoolClient } from 'pg';

/**
 * Leader election among replicas by a session-level advisory lock. PostgreSQL releases it when the process or the
 * connection dies. Two replicas may then overlap for an instant, so the work must be safe to do twice.
 */
export class LeaderLock {
  private client: PoolClient | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly name: string,
  ) {}

  /** Returns the connection with the lock, and whether the lock is new; undefined while another replica leads. */
  async take(): Promise<{ client: PoolClient; isNew: boolean } | undefined> {
    if (this.client) return { client: this.client, isNew: false };
    const client = await this.pool.connect();
    // Registered while the connection lives: an error without a listener would end the process.
    const lose = (): void => {
      if (this.client === client) this.release();
    };
    client.on('error', lose);
    try {
      // SQL: a session-level advisory lock.
      const { rows } = await client.query<{ locked: boolean }>(
        'SELECT pg_try_advisory_lock(hashtext($1)) AS locked',
        [this.name],
      );
      if (!rows[0]!.locked) {
        client.off('error', lose);
        client.release();
        return undefined;
      }
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.client = client;
    return { client, isNew: true };
  }

  /** Releases the lock by closing its connection, which works in any state of the connection. */
  release(): void {
    const client = this.client;
    this.client = undefined;
    client?.release(true);
  }
}
