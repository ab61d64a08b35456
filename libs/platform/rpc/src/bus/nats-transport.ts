import { connect, type ConnectionOptions, type NatsConnection } from 'nats';
import { NodeTransport } from 'nats/lib/src/node_transport';
import { createConnection, type Socket } from 'node:net';

/**
 * The version of `nats` that this file mends. It keeps the socket of a dial that timed out, and a server that was
 * frozen completes that dial later (decision 82). A test fails with any other version.
 */
export const mendedNatsVersion = '2.29.3';

/**
 * The sockets to NATS of one connection, counted from the sockets themselves: also one that the library has forgotten.
 */
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

  /** The library then connects again, unless it was closed. */
  destroy(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** A dial that begins later, such as one that waited for a name, ends immediately. */
  close(): void {
    this.isClosed = true;
    this.destroy();
  }

  private forgetDestroyed(): void {
    for (const socket of this.sockets) if (socket.destroyed) this.sockets.delete(socket);
  }
}

type CountedOptions = ConnectionOptions & { sockets?: NatsSockets };

/** `connect` of `nats` for every long-lived connection: no dial that was given up leaves a socket. */
export function connectNats(options: CountedOptions): Promise<NatsConnection> {
  return connect(options);
}

const { close } = NodeTransport.prototype;

/** As the original, but the socket is known while it connects: `close` can destroy it, and it is counted. */
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

/** The original waits until the server has read what was written, which a frozen server never does. */
NodeTransport.prototype.disconnect = function disconnect(): void {
  void close.call(this);
};
