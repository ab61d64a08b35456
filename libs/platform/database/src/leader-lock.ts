import type { Pool, PoolClient } from 'pg';

/**
 * Lets one of many replicas do a job: a session-level advisory lock that lives as long as its connection. PostgreSQL
 * frees it when the process or the connection dies. Two replicas may overlap for an instant then, so the work itself
 * must stay safe when done twice; the lock only saves doing it twice.
 */
export class LeaderLock {
  private client: PoolClient | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly name: string,
  ) {}

  /** Answers the connection that holds the lock, and whether it was taken just now; undefined while another leads. */
  async take(): Promise<{ client: PoolClient; isNew: boolean } | undefined> {
    if (this.client) return { client: this.client, isNew: false };
    const client = await this.pool.connect();
    // Listens as long as the connection lives: a connection that breaks without a listener would end the process.
    const lose = (): void => {
      if (this.client === client) this.release();
    };
    client.on('error', lose);
    try {
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

  /** Gives the lock back by closing its connection: whatever state the connection is in, that frees it. */
  release(): void {
    const client = this.client;
    this.client = undefined;
    client?.release(true);
  }
}
