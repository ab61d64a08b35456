import type { Logger } from '@tollbridge/observability';

/**
 * The closing order. Leases close while other replicas can be notified, a client closes before its
 * connection, and the clock closes before its database.
 */
const closingOrder = ['leases', 'busClient', 'bus', 'clock', 'database'] as const;
export type ConnectionName = (typeof closingOrder)[number];

// No component uses the database at this point. A connection that is still in use must not delay the stop.
const closeTimeoutMs = 5_000;

/**
 * Connections that the platform modules opened. The host closes them after everything that uses them. The modules
 * cannot: Nest runs no shutdown hook when a start fails, and the lease of a service ends after its workers.
 */
export class Connections {
  private readonly closers = new Map<ConnectionName, () => Promise<unknown> | void>();
  private isClosed = false;

  constructor(private readonly logger: Logger) {}

  /** Registers how to close a connection. A connection that opens after a failed start is closed immediately. */
  add(name: ConnectionName, close: () => Promise<unknown> | void): void {
    if (this.isClosed) void Promise.resolve(close()).catch(() => undefined);
    else this.closers.set(name, close);
  }

  /** Closes everything that was opened; the second call does nothing. */
  async closeAll(): Promise<void> {
    this.isClosed = true;
    for (const name of closingOrder) {
      const close = this.closers.get(name);
      this.closers.delete(name);
      if (close && !(await isDoneInTime(close())))
        this.logger.error({ connection: name }, 'connection still in use, left to end with the process');
    }
  }
}

async function isDoneInTime(closing: Promise<unknown> | void): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>(
    (resolve) => (timer = setTimeout(() => resolve(false), closeTimeoutMs)),
  );
  return Promise.race([Promise.resolve(closing).then(() => true), timeout]).finally(() =>
    clearTimeout(timer),
  );
}
