import { connect, type ConnectionOptions, type NatsConnection } from 'nats';
import { NodeTransport } from 'nats/lib/src/node_transport';
import { createConnection, type Socket } from 'node:net';

/**
 * The version of `nats` that this file patches. The library keeps the socket of a dial that timed out, and a
 * frozen server completes that dial later (decision 82). A test fails with any other version.
 */
export const mendedNatsVersion = '2.29.3';

/** The sockets to NATS of one connection, including sockets that the library no longer tracks. */
export class NatsSockets {
  private readonly sockets = new Set<Socket>();
  private isClosed = false;

  add(socket: Socket): void {
    this.forgetDestroyed();
    this.sockets.add(socket);
    if (this.isClosed) socket.destroy();
  }

  get open(): number {
    this.forgetDestroyed();
    return this.sockets.size;
  }

  /** Destroys all sockets. The library then reconnects, unless it was closed. */
  destroy(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Destroys all sockets. A dial that begins later, for example after a DNS lookup, ends immediately. */
  close(): void {
    this.isClosed = true;
    this.destroy();
  }

  private forgetDestroyed(): void {
    for (const socket of this.sockets) if (socket.destroyed) this.sockets.delete(socket);
  }
}

type CountedOptions = ConnectionOptions & { sockets?: NatsSockets };

/** Use this instead of `connect` of `nats` for every long-lived connection: no timed-out dial leaves a socket open. */
export function connectNats(options: CountedOptions): Promise<NatsConnection> {
  return connect(options);
}

const { close } = NodeTransport.prototype;

/** Like the original, but the socket is stored while it connects, so that `close` can destroy it and it is counted. */
NodeTransport.prototype.dial = function dial({ hostname, port }): Promise<Socket> {
  const socket = createConnection(port, hostname);
  this.socket = socket;
  (this.options as CountedOptions).sockets?.add(socket);
  socket.setNoDelay(true);
  return new Promise((resolve, reject) => {
    let failure = new Error('the connection was closed');
    socket.once('connect', () => {
      socket.removeAllListeners();
      resolve(socket);
    });
    socket.on('error', (error) => (failure = error));
    socket.on('close', () => reject(failure));
  });
};

/** The original does nothing before the transport is connected. */
NodeTransport.prototype.close = function closeAtOnce(error): Promise<void> {
  if (!this.connected) {
    this.done = true;
    this.socket?.destroy();
  }
  return close.call(this, error);
};

/** The original waits until the server has read all written data, which a frozen server never does. */
NodeTransport.prototype.disconnect = function disconnect(): void {
  void close.call(this);
};
