import type { Pool, PoolClient } from 'pg';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';

export interface DatabaseOptions {
  app: string;
  url: string;
  entities: EntityTarget<ObjectLiteral>[];
  maxConnections: number;
  onError?: (error: Error) => void;
}

// A request that gets no connection in this time is answered 503 by its caller rather than queued without end.
const connectTimeoutMs = 1_000;

/** One service's own schema: TypeORM for rare queries, and the same `pg` pool for named statements on hot paths. */
export class Database {
  private constructor(
    readonly dataSource: DataSource,
    readonly pool: Pool,
  ) {}

  static async open(options: DatabaseOptions): Promise<Database> {
    // Loaded only where there is a database: it is a fifth of a small service's memory.
    const { DataSource } = await import('typeorm');
    const dataSource = new DataSource({
      type: 'postgres',
      url: options.url,
      applicationName: options.app,
      entities: options.entities as never,
      poolSize: options.maxConnections,
      connectTimeoutMS: connectTimeoutMs,
      installExtensions: false,
      logging: false,
      poolErrorHandler: (error: Error) => options.onError?.(error),
    });
    await dataSource.initialize();
    return new Database(dataSource, (dataSource.driver as unknown as { master: Pool }).master);
  }

  async isReady(): Promise<boolean> {
    return this.pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }
}

// PostgreSQL asks for these to be run again: serialization failure and deadlock.
const retryable = new Set(['40001', '40P01']);
const maxAttempts = 3;

/**
 * Runs work in one transaction. Nothing outside the database may be called inside: a provider that hangs would hold
 * the rows. Deadlocks and serialization failures are repeated, so the work must have no other effect.
 */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    let broken: Error | undefined;
    // Between two queries a lost connection is told by an event, which would end the process if nobody listened.
    const lose = (error: Error): void => void (broken = error);
    client.on('error', lose);
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
      if (attempt >= maxAttempts || !retryable.has((error as { code?: string }).code ?? '')) throw error;
    } finally {
      client.off('error', lose);
      client.release(broken);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
  }
}
