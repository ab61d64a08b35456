import { connect, Events, type NatsConnection } from 'nats';

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

  /** Resolves when the connection is closed for good. */
  get closed(): Promise<void | Error> {
    return this.nats.closed();
  }

  async close(): Promise<void> {
    if (!this.nats.isClosed()) await this.nats.drain().catch(() => this.nats.close());
  }

  private async follow(onStatus: BusOptions['onStatus']): Promise<void> {
    for await (const { type, data } of this.nats.status()) {
      if (type === Events.Disconnect) this.connected = false;
      if (type === Events.Reconnect) this.connected = true;
      onStatus?.(type, data);
    }
  }
}
