import {
  connect,
  ErrorCode,
  Events,
  type ConnectionOptions,
  type NatsConnection,
  type NatsError,
  type PublishOptions,
} from 'nats';
import type { Socket } from 'node:net';

export interface BusOptions {
  /** The app's name: its request subjects, its inbox prefix, its durable consumers and its connection name. */
  app: string;
  /** `nats://user:password@host:port`, several separated by commas. */
  url: string;
  /** What happens to the connection, in the words of nats.js; and `waiting` while there is no server yet. */
  onStatus?: (status: string, detail: unknown) => void;
  /** How long to wait for a server that is not there yet. */
  firstConnectMs?: number;
}

// Servers that start together with their apps are there within seconds. A longer wait hides the reason, and
// started again, than left with a process that says nothing.
const defaultFirstConnectMs = 30_000;
const firstConnectPauseMs = 500;
// An address that swallows packets must not keep the client from trying the next one.
const connectTimeoutMs = 5_000;
// A server that does not answer any more must not hold up the end of a process.
const drainTimeoutMs = 2_000;

const inboxPrefixOf = (app: string): string => `_INBOX.${app}`;

/** One NATS connection per process and app; the inbox prefix is the app's own, as its NATS user is only allowed that. */
export class BusConnection {
  private connected = true;
  private isGathering = false;
  private readonly interruptions = new Set<() => void>();

  private constructor(
    readonly app: string,
    readonly nats: NatsConnection,
  ) {}

  /** @throws when no server takes the connection in time, or at once when the server rejects the credentials. */
  static async open(options: BusOptions): Promise<BusConnection> {
    const urls = options.url.split(',').map((url) => new URL(url));
    // One user for all servers: they are one cluster.
    const { username, password } = urls.find((url) => url.username) ?? { username: '', password: '' };
    // When TLS is configured, a server without it is rejected: the password would travel in plain text.
    const isEncrypted = urls.some(({ protocol }) => protocol === 'tls:');
    const nats = await firstConnect(options, {
      servers: urls.map((url) => url.host),
      ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
      ...(isEncrypted && { tls: {} }),
      name: options.app,
      inboxPrefix: inboxPrefixOf(options.app),
      // The bus comes back sooner or later; a process that gave up would only have to be restarted.
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      timeout: connectTimeoutMs,
      // A stack for each request, in case it fails, costs more than the request.
      noAsyncTraces: true,
      pingInterval: 5_000,
      maxPingOut: 2,
    });
    const bus = new BusConnection(options.app, nats);
    void bus.follow(options.onStatus);
    return bus;
  }

  /** Prefix of the reply subjects that this app's user may subscribe to. */
  get inboxPrefix(): string {
    return inboxPrefixOf(this.app);
  }

  get isConnected(): boolean {
    return this.connected && !this.nats.isClosed();
  }

  /** Publishes a message. All messages of one turn of the event loop leave in one write: a write is what they cost. */
  publish(subject: string, payload: Uint8Array, options?: PublishOptions): void {
    this.gather();
    this.nats.publish(subject, payload, options);
  }

  /**
   * Calls back when the connection is lost, and again when it is back: in between, messages were missed. When it is back,
   * subscriptions were sent again, so that what is asked on this connection from then on is asked behind them.
   */
  onInterruption(listener: () => void): () => void {
    this.interruptions.add(listener);
    return () => void this.interruptions.delete(listener);
  }

  /** Resolves when the connection is closed for good. */
  get closed(): Promise<void | Error> {
    return this.nats.closed();
  }

  /** Sends what is buffered, then closes; at once when there is no server to send it to. */
  async close(): Promise<void> {
    if (this.isConnected) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise((resolve) => (timer = setTimeout(resolve, drainTimeoutMs)));
      await Promise.race([this.nats.drain().catch(() => undefined), timeout]);
      clearTimeout(timer);
    }
    // A drain that lost its server ends without an error and leaves nats.js trying to connect for ever.
    if (!this.nats.isClosed()) await this.nats.close();
  }

  private gather(): void {
    if (this.isGathering) return;
    // nats.js hides its socket, and writes once per message when each is published in a tick of its own.
    const socket = (this.nats as unknown as { protocol?: { transport?: { socket?: Socket } } }).protocol
      ?.transport?.socket;
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
      if (type === Events.Disconnect || type === Events.Reconnect)
        for (const listener of this.interruptions) listener();
      onStatus?.(type, data);
    }
  }
}

async function firstConnect(
  { firstConnectMs = defaultFirstConnectMs, onStatus }: BusOptions,
  options: ConnectionOptions,
): Promise<NatsConnection> {
  const endMs = performance.now() + firstConnectMs;
  for (;;) {
    try {
      return await connect(options);
    } catch (cause) {
      const { code, message } = cause as NatsError;
      if (code === ErrorCode.AuthorizationViolation || performance.now() >= endMs)
        throw new Error(`no NATS server at ${String(options.servers)} takes the connection: ${message}`, {
          cause,
        });
      onStatus?.('waiting', message);
    }
    await new Promise((resolve) => setTimeout(resolve, firstConnectPauseMs));
  }
}
