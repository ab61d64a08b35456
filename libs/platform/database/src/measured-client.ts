import type { Client, Pool } from 'pg';

/** Observer of the statements of a database. */
export interface StatementMeter {
  /** @param statement name of the statement, or BEGIN, COMMIT or ROLLBACK; `unnamed` for any other text */
  observe(statement: string, seconds: number): void;
  /** Begins a span. @returns the function that ends it; undefined when no trace is recorded */
  trace?(statement: string): ((failure: string | undefined) => void) | undefined;
  /** Reports the time that a caller waited for a connection. Called only when the pool had none free. */
  onWaited?(seconds: number): void;
}

type Callback = (error?: Error, ...rest: unknown[]) => void;
type Query = (...given: unknown[]) => unknown;

const transactionWords = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);

/** Measures every statement of a connection by its name, without reading values or SQL texts. */
export function measuredClient(Base: typeof Client, meter: StatementMeter): typeof Client {
  const query = Base.prototype.query as Query;
  class MeasuredClient extends Base {}
  const measured = function (this: Client, ...given: unknown[]): unknown {
    const statement = statementOf(given[0]);
    // The reader of a stream or a cursor determines its end, so its time is not measured.
    if (statement === undefined) return query.apply(this, given);
    const endSpan = meter.trace?.(statement);
    const startedMs = performance.now();
    const end = (error?: unknown): void => {
      meter.observe(statement, (performance.now() - startedMs) / 1000);
      endSpan?.(error === undefined || error === null ? undefined : failureOf(error));
    };
    const last = given.length - 1;
    const callback = given[last];
    if (typeof callback === 'function') {
      given[last] = ((error, ...rest) => {
        end(error);
        (callback as Callback)(error, ...rest);
      }) satisfies Callback;
      return query.apply(this, given);
    }
    const result = query.apply(this, given) as Promise<unknown>;
    result.then(() => end(), end);
    return result;
  };
  Object.defineProperty(MeasuredClient.prototype, 'query', {
    value: measured,
    writable: true,
    configurable: true,
  });
  return MeasuredClient;
}

/** Measures how long callers wait for a connection of the pool. */
export function measureWaits(pool: Pool, onWaited: (seconds: number) => void): void {
  const connect = pool.connect.bind(pool) as (callback?: Callback) => unknown;
  pool.connect = ((callback?: Callback) => {
    if (pool.idleCount > 0) return connect(callback);
    const startedMs = performance.now();
    const end = (): void => onWaited((performance.now() - startedMs) / 1000);
    if (callback) {
      return connect((...results) => {
        end();
        callback(...results);
      });
    }
    const connecting = connect() as Promise<unknown>;
    connecting.then(end, end);
    return connecting;
  }) as Pool['connect'];
}

function statementOf(query: unknown): string | undefined {
  if (typeof query === 'string') return transactionWords.has(query) ? query : 'unnamed';
  const { name, submit } = (query ?? {}) as { name?: unknown; submit?: unknown };
  if (typeof submit === 'function') return undefined;
  return typeof name === 'string' ? name : 'unnamed';
}

/** Returns the SQLSTATE or the name of the error, because messages may quote values. */
function failureOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}
