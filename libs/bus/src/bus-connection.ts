import { connect, Events, type NatsConnection, type PublishOptions } from 'nats';
import type { Socket } from 'node:net';

export interface BusOptions {
  /** The app's name: its request subjects, its inbox prefix, its durable consumers and its connection name. */
  app: string;
  /** `nats://user:password@host:port`, several separated by commas. */
  url: string;
  onStatus?: (status: string, detail: unknown) => void;
}

/** One NATS connection per process and app; the inbox prefix is the app's own, as its NATS user is only allowed that. */
export class BusConnection {
  private connected = true;
  private isGathering = false;

  private constructor(
    readonly app: string,
    readonly nats: NatsConnection,
  ) {}

  static async open(options: BusOptions): Promise<BusConnection> {
    const urls = options.url.split(',').map((url) => new URL(url));
    const [{ username, password } = { username: '', password: '' }] = urls;
    const nats = await connect({
      servers: urls.map((url) => url.host),
      ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
      name: options.app,
      inboxPrefix: `_INBOX.${options.app}`,
      // The bus comes back sooner or later; a process that gave up would only have to be restarted.
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      waitOnFirstConnect: true,
      pingInterval: 5_000,
      maxPingOut: 2,
    });
    const bus = new BusConnection(options.app, nats);
    void bus.follow(options.onStatus);
    return bus;
  }

  get isConnected(): boolean {
    return this.connected && !this.nats.isClosed();
  }

  /** Publishes a message. All messages of one turn of the event loop leave in one write: a write is what they cost. */
  publish(subject: string, payload: Uint8Array, options?: PublishOptions): void {
    this.gather();
    this.nats.publish(subject, payload, options);
  }

  /** Resolves when the connection is closed for good. */
  get closed(): Promise<void | Error> {
    return this.nats.closed();
  }

  async close(): Promise<void> {
    if (!this.nats.isClosed()) await this.nats.drain().catch(() => this.nats.close());
  }

  private gather(): void {
    if (this.isGathering) return;
    // nats.js shows its socket to nobody, and by itself writes once per message when each comes in a tick of its own.
    const socket = (this.nats as unknown as { protocol?: { transport?: { socket?: Socket } } }).protocol?.transport?.socket;
    if (!socket) return;
    this.isGathering = true;
    socket.cork();
    setImmediate(() => {
      this.isGathering = false;
      socket.uncork();
    });
  }

  private async follow(onStatus: BusOptions['onStatus']): Promise<void> {
    for await (const { type, data } of this.nats.status()) {
      if (type === Events.Disconnect) this.connected = false;
      if (type === Events.Reconnect) this.connected = true;
      onStatus?.(type, data);
    }
  }
}
