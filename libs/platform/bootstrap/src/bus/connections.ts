import type { Logger } from '@tollbridge/observability';

/**
 * The closing order: leases while other replicas can be notified, a client before its connection, the clock before its
 * database.
 */
const closingOrder = ['leases', 'busClient', 'bus', 'clock', 'database'] as const;
export type ConnectionName = (typeof closingOrder)[number];

// All users of the database have ended by then; a connection in use must not delay the stop.
const closeTimeoutMs = 5_000;

/**
 * What the platform modules have opened, to be closed after everything that uses it. Nest runs no shutdown hook when a
 * start fails, and the lease of a service ends after its workers. So the host closes connections, not the modules.
 */
export class Connections {
  private readonly closers = new Map<ConnectionName, () => Promise<unknown> | void>();
  private isClosed = false;

  constructor(private readonly logger: Logger) {}

  /** Registers how to close a connection. One that opens after a failed start is closed immediately. */
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
