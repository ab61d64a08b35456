import { Client, type ClientConfig, type Pool, type PoolClient, type QueryConfig } from 'pg';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { TlsFiles } from '@tollbridge/config';
import type { GroupFailure } from './batcher';
import { isRepeatable } from './database-failure';
import { postgresConnection, type PostgresConnection } from './postgres-tls';
import { measuredClient, measureWaits, type StatementMeter } from './measured-client';

/** Whether a client keeps its server connection for the session, or for one transaction only. */
export type Pooling = 'session' | 'transaction';

export interface DatabaseOptions {
  app: string;
  url: string;
  /** Files for TLS to PostgreSQL: see `postgresConnection`. */
  tls?: TlsFiles;
  entities: EntityTarget<ObjectLiteral>[];
  maxConnections: number;
  onError?: (error: Error) => void;
  /** Called when a group of requests that share a statement fails for a temporary reason. */
  onGroupFailure?: (failure: GroupFailure) => void;
  /** Observes every statement and every wait for a connection. */
  meter?: StatementMeter;
  /** Time-out of a statement, in milliseconds. After it the connection is discarded. */
  queryTimeoutMs?: number;
  /** Maximum wait for a new or a free connection, in milliseconds. */
  connectTimeoutMs?: number;
  /** Plans each named statement once per connection, and not again for other values. */
  usesGenericPlans?: boolean;
  /** Use `transaction` behind PgBouncer in transaction mode: no named statements and no session settings. */
  pooling?: Pooling | undefined;
  /**
   * Maximum time that a transaction may be idle, in milliseconds. Then the server ends it. By default the
   * limit of the role.
   */
  idleTransactionTimeoutMs?: number;
}

// A request without a connection after this time fails with 503, so that requests do not queue without a limit.
const defaultConnectTimeoutMs = 3_000;
// The server ends a statement of an app after ten seconds. If the app does not receive that error, the server is
// unreachable. TCP detects this only after a quarter of an hour, and until then the pool would lack the connection.
const defaultQueryTimeoutMs = 15_000;
// Idle connections are kept, because a new connection costs the server and the next caller 10 to 40 ms.
const idleConnectionMs = 60_000;

/**
 * A client with an error listener. A connection that breaks in the packet that made it ready emits `error` before its
 * user can add a listener. Without a listener the event would end the process. The next query fails anyway.
 */
class ListenedClient extends Client {
  constructor(config: ConstructorParameters<typeof Client>[0]) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** Reads certificates for each connection, so that replaced certificates are used without a restart. */
function clientOver(Connection: typeof ListenedClient, ssl: PostgresConnection['ssl']): typeof Client {
  if (!ssl) return Connection;
  class EncryptedClient extends Connection {
    constructor(config: ClientConfig) {
      super({ ...config, ssl: ssl!() });
    }
  }
  return EncryptedClient as typeof Client;
}

/**
 * Removes statement names, which belong to one server connection. A pooler may change connections between transactions.
 */
class UnnamedClient extends ListenedClient {
  // TypeScript cannot redeclare the overloads of pg.
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

/** Returns the session settings that a connection requests from the server. */
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
    // Loaded only for apps with a database, because TypeORM uses a fifth of a small service's memory.
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

/** The connection of a running transaction, for other code that writes in it. */
export type TransactionClient = PoolClient;

const commitActions = new WeakMap<TransactionClient, (() => void)[]>();

/**
 * Returns the in-memory actions to run after the commit of this transaction; a rollback discards them.
 * Callers append to the list.
 * @throws Error outside of `transaction`
 */
export function commitActionsOf(client: TransactionClient): (() => void)[] {
  const actions = commitActions.get(client);
  if (!actions) throw new Error('no transaction is under way on this connection');
  return actions;
}

const maxAttempts = 3;

/**
 * Runs work in one transaction. The work must not call anything outside the database, because a provider that hangs
 * would hold the row locks. Deadlocks and serialization failures are retried, so the work must have no other effect.
 */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptTransaction(pool, work);
    } catch (error) {
      if (attempt >= maxAttempts || !isRepeatable(error)) throw error;
    }
    // The random pause keeps conflicting transactions from conflicting again.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
  }
}

async function attemptTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that is lost between two queries emits `error`, which ends the process without a listener.
  const lose = (error: Error): void => void (broken ??= error);
  client.on('error', lose);
  const actions: (() => void)[] = [];
  commitActions.set(client, actions);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    const { command } = await client.query('COMMIT');
    // PostgreSQL rolls back a failed transaction without an error if the work caught the original error.
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
