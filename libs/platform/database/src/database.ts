import { Client, type ClientConfig, type Pool, type PoolClient, type QueryConfig } from 'pg';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { TlsFiles } from '@tollbridge/config';
import type { GroupFailure } from './batcher';
import { isRepeatable } from './database-failure';
import { postgresConnection, type PostgresConnection } from './postgres-tls';
import { measuredClient, measureWaits, type StatementMeter } from './measured-client';

/** Whether a connection of the pool stays with one connection of the server, or for a transaction only. */
export type Pooling = 'session' | 'transaction';

export interface DatabaseOptions {
  app: string;
  url: string;
  /** Of TLS to PostgreSQL: see `postgresConnection`. */
  tls?: TlsFiles;
  entities: EntityTarget<ObjectLiteral>[];
  maxConnections: number;
  onError?: (error: Error) => void;
  /** Called when a group of requests that share a statement fails for a temporary reason. */
  onGroupFailure?: (failure: GroupFailure) => void;
  /** Observes every statement and every wait for a connection. */
  meter?: StatementMeter;
  /** How long a statement may take before its connection is given up. */
  queryTimeoutMs?: number;
  /** How long a call waits for a connection, to be made or to become free. */
  connectTimeoutMs?: number;
  /** Named statements are planned once for each connection, never again for other values. */
  usesGenericPlans?: boolean;
  /** `transaction` behind PgBouncer in that mode: no named statements and no settings of a session. */
  pooling?: Pooling | undefined;
  /** After so long the server ends a transaction that waits for its client; the role's own bound without it. */
  idleTransactionTimeoutMs?: number;
}

// A request that gets no connection in this time is answered 503 by its caller rather than queued without end.
const defaultConnectTimeoutMs = 3_000;
// The server ends a statement of an app after ten seconds. When even that does not arrive, the server is unreachable.
// TCP would notice after a quarter of an hour, and each such connection would be lost to the pool until then.
const defaultQueryTimeoutMs = 15_000;
// A new connection costs the server and the next caller 10 to 40 ms.
const idleConnectionMs = 60_000;

/**
 * A connection that may break at any moment. One that breaks in the packet that made it ready emits its error before
 * the user can add a listener; without one, the event would end the process. The next query fails anyway.
 */
class ListenedClient extends Client {
  constructor(config: ConstructorParameters<typeof Client>[0]) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** Reads certificates for each connection, so that replaced ones are used without a restart. */
function clientOver(Connection: typeof ListenedClient, ssl: PostgresConnection['ssl']): typeof Client {
  if (!ssl) return Connection;
  class EncryptedClient extends Connection {
    constructor(config: ClientConfig) {
      super({ ...config, ssl: ssl!() });
    }
  }
  return EncryptedClient as typeof Client;
}

/** Names of statements belong to one connection of the server: a pooler gives each transaction another one. */
class UnnamedClient extends ListenedClient {
  // The overloads of pg cannot be declared again.
  override query(...args: unknown[]): never {
    const [first, ...rest] = args as [QueryConfig | string, ...unknown[]];
    const isNamed = typeof first === 'object' && first.name !== undefined;
    const query = isNamed ? { ...first, name: undefined } : first;
    return (super.query as (...args: unknown[]) => never).call(this, query, ...rest);
  }
}

function clientOf({ pooling, meter }: DatabaseOptions, ssl: PostgresConnection['ssl']): typeof Client {
  const connection = clientOver(pooling === 'transaction' ? UnnamedClient : ListenedClient, ssl);
  return meter ? measuredClient(connection, meter) : connection;
}

/** What a connection asks of the server for its session. */
function sessionSettings({ pooling, usesGenericPlans, idleTransactionTimeoutMs }: DatabaseOptions) {
  if (pooling !== 'transaction')
    return {
      ...(usesGenericPlans && { options: '-c plan_cache_mode=force_generic_plan' }),
      ...(idleTransactionTimeoutMs !== undefined && {
        idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
      }),
    };
  if (usesGenericPlans || idleTransactionTimeoutMs !== undefined)
    throw new Error('settings of a session need pooling by session');
  return {};
}

/** One service's own schema: TypeORM for rare queries, and the same `pg` pool for named statements on hot paths. */
export class Database {
  private constructor(
    readonly dataSource: DataSource,
    readonly pool: Pool,
    /** For every `Batcher` on this database. */
    readonly onGroupFailure: (failure: GroupFailure) => void = () => undefined,
  ) {}

  static async open(options: DatabaseOptions): Promise<Database> {
    // Loaded only where there is a database: it is a fifth of a small service's memory.
    const { DataSource } = await import('typeorm');
    const { url, ssl } = postgresConnection(options.url, options.tls);
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      applicationName: options.app,
      entities: options.entities as never,
      poolSize: options.maxConnections,
      connectTimeoutMS: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
      installExtensions: false,
      logging: false,
      poolErrorHandler: (error: Error) => options.onError?.(error),
      extra: {
        Client: clientOf(options, ssl),
        query_timeout: options.queryTimeoutMs ?? defaultQueryTimeoutMs,
        keepAlive: true,
        idleTimeoutMillis: idleConnectionMs,
        ...sessionSettings(options),
      },
    });
    await dataSource.initialize();
    const pool = (dataSource.driver as PostgresDriver).master as Pool;
    if (options.meter?.onWaited) measureWaits(pool, options.meter.onWaited);
    return new Database(dataSource, pool, options.onGroupFailure);
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

/** The connection of a transaction under way, for other code that writes in it. */
export type TransactionClient = PoolClient;

const commitActions = new WeakMap<TransactionClient, (() => void)[]>();

/**
 * What is done in memory after the commit of this transaction, and never when it is rolled back. Callers add to it.
 * @throws Error outside of `transaction`
 */
export function commitActionsOf(client: TransactionClient): (() => void)[] {
  const actions = commitActions.get(client);
  if (!actions) throw new Error('no transaction is under way on this connection');
  return actions;
}

const maxAttempts = 3;

/**
 * Runs work in one transaction. Nothing outside the database may be called inside: a provider that hangs would hold
 * the rows. Deadlocks and serialization failures are repeated, so the work must have no other effect.
 */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptTransaction(pool, work);
    } catch (error) {
      if (attempt >= maxAttempts || !isRepeatable(error)) throw error;
    }
    // Transactions that conflicted would conflict again if all of them were retried at once.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
  }
}

async function attemptTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // Between two queries a lost connection is an `error` event, which ends the process when it has no listener.
  const lose = (error: Error): void => void (broken ??= error);
  client.on('error', lose);
  const actions: (() => void)[] = [];
  commitActions.set(client, actions);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    const { command } = await client.query('COMMIT');
    // PostgreSQL ends a transaction that has failed by a rollback, without an error; the work had caught the error.
    if (command !== 'COMMIT') throw new Error('the transaction had failed before it was committed');
    for (const action of actions) action();
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(lose);
    throw error;
  } finally {
    client.off('error', lose);
    commitActions.delete(client);
    client.release(broken);
  }
}
