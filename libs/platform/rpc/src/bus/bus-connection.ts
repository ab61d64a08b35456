import {
  ErrorCode,
  Events,
  NatsError,
  type ConnectionOptions,
  type JetStreamClient,
  type JetStreamManager,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  type PublishOptions,
  type Status,
  type TlsOptions,
} from 'nats';
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { connectNats, NatsSockets } from './nats-transport';

/** Files for the client to verify the server, and to authenticate to it; read for every connection. */
export interface TlsFiles {
  /** The CAs of the system without it. */
  caFile?: string;
  certFile?: string;
  keyFile?: string;
}

export interface BusOptions {
  /** The app's name: its request subjects, its inbox prefix, its durable consumers and its connection name. */
  app: string;
  /** `nats://user:password@host:port` or `tls://…`, several separated by commas. */
  url: string;
  /** With a CA file, TLS is required for any URL. */
  tls?: TlsFiles;
  /**
   * What happens to the connection, in the words of nats.js; `waiting` while there is no server yet, and `unsent` for a
   * message that was published when the connection closed.
   */
  onStatus?: (status: string, detail: unknown) => void;
  /** How long to wait for a server that is not there yet. */
  firstConnectMs?: number;
  /** A dial of one address is given up after this time, so that the next one is tried. 5 s by default. */
  dialTimeoutMs?: number;
  /** Until then callers of release 0.1.0 are answered: their inboxes do not name the app that answers. */
  oldReleaseUntilMs?: number;
  /**
   * The server is pinged so often; it is replaced when the third ping is due and two have no answer. 3 s by default.
   */
  pingIntervalMs?: number;
  /** How long after its rejection a subscription is repeated on the same connection. 10 s by default. */
  resubscribeMs?: number;
}

interface RequestOptions {
  timeoutMs: number;
  headers?: MsgHdrs;
}

/** The server rejected a subscription, or a message that was published. */
export interface PermissionViolation {
  operation: 'publish' | 'subscription';
  subject: string;
  /** Purpose of the connection: `calls`, or that of a consumer. */
  purpose: string;
}

/** What the connections of an app share: the first one and those that were opened by `openEvents`. */
interface Family {
  members: Set<{ purpose: string; sockets: NatsSockets }>;
  violations: Set<(violation: PermissionViolation) => void>;
}

// Servers that start together with their apps are there within seconds. A longer wait hides the reason: better to end
// with an error and be restarted.
const defaultFirstConnectMs = 30_000;
const firstConnectPauseMs = 500;
const defaultDialTimeoutMs = 5_000;
const defaultPingIntervalMs = 3_000;
const defaultResubscribeMs = 10_000;
/** The purpose of the connection that `open` opens. */
export const callsPurpose = 'calls';
/** The purpose of a connection that publishes events, or manages streams. */
const eventsPurpose = 'events';
// Prefix of JetStream requests for the users of deploy/nats: each account answers the original prefix itself.
const apiPrefix = 'js';
// A server that does not answer any more must not hold up the end of a process.
const drainTimeoutMs = 2_000;

// The context of a call and the facts of a page take less. Only beside a very large payload is their length counted.
const maxHeadersBytes = 16_384;

const inboxPrefixOf = (app: string): string => `_INBOX.${app}`;

/** `_INBOX.<app>.<random>.<number>`, which release 0.1.0 waits at. */
const oldInbox = /^_INBOX\.[^.]+\.[^.]+\.[^.]+$/;

/**
 * A NATS connection of an app; the inbox prefix is the app's own, as its NATS user is only allowed that. Calls and
 * events have users of their own, `merchant` and `merchant-events`, in different accounts: JetStream sends its replies
 * with the rights of the server to the subject that a request names (decision 98).
 */
export class BusConnection {
  private connected = true;
  private outgoing: Parameters<NatsConnection['publish']>[] = [];
  private readonly interruptions = new Set<() => void>();
  /** Repeat the subscriptions that the server rejected. */
  private readonly rejected = new Set<() => void>();
  private resubscribing: NodeJS.Timeout | undefined;

  private constructor(
    private readonly options: BusOptions,
    readonly nats: NatsConnection,
    private readonly family: Family,
    private readonly member: { purpose: string; sockets: NatsSockets },
  ) {}

  get app(): string {
    return this.options.app;
  }

  /** @throws when no server accepts the connection in time, or immediately when the server rejects the credentials. */
  static open(options: BusOptions): Promise<BusConnection> {
    return BusConnection.join({ members: new Set(), violations: new Set() }, callsPurpose, options);
  }

  /** Opens a connection for events alone. @throws as `open` */
  static openEvents(options: BusOptions): Promise<BusConnection> {
    return BusConnection.join({ members: new Set(), violations: new Set() }, eventsPurpose, options);
  }

  private static async join(family: Family, purpose: string, options: BusOptions): Promise<BusConnection> {
    const member = { purpose, sockets: new NatsSockets() };
    family.members.add(member);
    const leave = (): void => {
      member.sockets.close();
      family.members.delete(member);
    };
    try {
      const nats = await firstConnect(options, {
        ...connectionOptions(options, purpose),
        sockets: member.sockets,
      });
      const bus = new BusConnection(options, nats, family, member);
      void bus.follow();
      void nats.closed().then(leave);
      return bus;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Prefix of the reply subjects that this app's user may subscribe to. */
  get inboxPrefix(): string {
    return inboxPrefixOf(this.app);
  }

  /**
   * Where this app awaits the answers of another app. NATS lets an app publish only to inboxes that name it. Each app
   * that answers knows another random part, so none can name the inbox of another answer.
   */
  newInbox(callee: string): string {
    return `${this.inboxPrefix}.${callee}.${randomBytes(16).toString('hex')}`;
  }

  /** Asks once, and awaits the reply at an inbox of its own. @throws NatsError */
  request(subject: string, payload: Uint8Array, { timeoutMs, headers }: RequestOptions): Promise<Msg> {
    const reply = this.newInbox(subject.split('.')[1]!);
    return this.nats.request(subject, payload, {
      timeout: timeoutMs,
      noMux: true,
      reply,
      ...(headers && { headers }),
    });
  }

  /**
   * Whether this app replies to a subject that a caller chose. A reply is published with the rights of this app: one to
   * `$JS.API.STREAM.PURGE.…` would delete its events.
   */
  answersAt(reply: string): boolean {
    const caller = '_INBOX.'.length;
    if (reply.startsWith('_INBOX.') && reply.startsWith(`${this.app}.`, reply.indexOf('.', caller) + 1))
      return true;
    const { oldReleaseUntilMs = 0 } = this.options;
    return (
      oldReleaseUntilMs > Date.now() && oldInbox.test(reply) && !reply.startsWith(`${this.inboxPrefix}.`)
    );
  }

  get isConnected(): boolean {
    return this.connected && !this.nats.isClosed();
  }

  /**
   * Opens a connection for the events of this app, to be closed by itself. Its status is not reported, except
   * violations.
   * @param purpose names it in the metric of connections
   * @throws when no server takes it at once
   */
  openEvents(purpose: string = eventsPurpose): Promise<BusConnection> {
    const { onStatus: _, ...options } = this.options;
    return BusConnection.join(this.family, purpose, { ...options, firstConnectMs: 0 });
  }

  /**
   * Open sockets to NATS by purpose, over this connection and those that `openEvents` opened: 1 each, 0 without a
   * server.
   */
  get openSockets(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { purpose, sockets } of this.family.members)
      counts.set(purpose, (counts.get(purpose) ?? 0) + sockets.open);
    return counts;
  }

  /** JetStream, on a connection for events. */
  jetstream(): JetStreamClient {
    return this.nats.jetstream(jetstreamOptions(this.options));
  }

  jetstreamManager(): Promise<JetStreamManager> {
    return this.nats.jetstreamManager({ ...jetstreamOptions(this.options), checkAPI: false });
  }

  /** Whether requests may arrive on one socket while their replies leave on the other one, where NATS rejects them. */
  get isDoubled(): boolean {
    return this.member.sockets.open > 1;
  }

  /** Closes all sockets of this connection, and connects again. */
  reconnect(): void {
    this.member.sockets.destroy();
  }

  /**
   * Calls back when a server rejects a subscription or a published message, of this connection or another of the app.
   */
  onViolation(listener: (violation: PermissionViolation) => void): () => void {
    this.family.violations.add(listener);
    return () => void this.family.violations.delete(listener);
  }

  get isDraining(): boolean {
    return this.nats.isDraining();
  }

  /**
   * Publishes a message. All messages of one turn of the event loop leave in one write to the socket. The write is
   * most of what a message costs.
   * @throws NatsError when the connection is closed or the message is larger than the server accepts
   */
  publish(subject: string, payload: Uint8Array, options?: PublishOptions): void {
    if (this.nats.isClosed()) throw NatsError.errorForCode(ErrorCode.ConnectionClosed);
    if (this.isTooLarge(payload, options?.headers))
      throw NatsError.errorForCode(ErrorCode.MaxPayloadExceeded);
    if (this.outgoing.push([subject, payload, options]) === 1) setImmediate(() => this.send());
  }

  /**
   * Calls back when the connection is lost, when it is back, and when rejected subscriptions were repeated: messages
   * were missed before. All subscriptions were sent by then, so what is asked on this connection from then on is asked
   * behind them.
   */
  onInterruption(listener: () => void): () => void {
    this.interruptions.add(listener);
    return () => void this.interruptions.delete(listener);
  }

  /**
   * Calls back once, to repeat a subscription that the server has rejected. It does so when the connection is back, or
   * after a while on the same one. A server that reloads its users keeps connections. The listeners of interruptions
   * follow.
   */
  onResubscribe(subscribe: () => void): () => void {
    this.rejected.add(subscribe);
    this.resubscribing ??= setTimeout(() => {
      this.resubscribing = undefined;
      if (this.isConnected && this.rejected.size > 0) this.interrupted();
    }, this.options.resubscribeMs ?? defaultResubscribeMs).unref();
    return () => void this.rejected.delete(subscribe);
  }

  /** Resolves when the connection is closed for good. */
  get closed(): Promise<void | Error> {
    return this.nats.closed();
  }

  /** Sends what is buffered, then closes; without a connection it closes immediately. */
  async close(): Promise<void> {
    this.send();
    if (this.isConnected) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise((resolve) => (timer = setTimeout(resolve, drainTimeoutMs)));
      await Promise.race([this.nats.drain().catch(() => undefined), timeout]);
      clearTimeout(timer);
    }
    // A drain that lost its server ends without an error and leaves nats.js trying to connect for ever.
    if (!this.nats.isClosed()) await this.nats.close();
  }

  /** nats.js writes once for all that is published in one go. */
  private send(): void {
    const messages = this.outgoing;
    this.outgoing = [];
    for (const message of messages) {
      try {
        this.nats.publish(...message);
      } catch (error) {
        // Closed or drained since then, it sends nothing more: a client that waits for a reply finds out by a time-out.
        this.options.onStatus?.('unsent', error);
      }
    }
  }

  private isTooLarge(payload: Uint8Array, headers?: MsgHdrs): boolean {
    const room = (this.nats.info?.max_payload ?? Infinity) - payload.length;
    return room < maxHeadersBytes && room < headersLength(headers);
  }

  private interrupted(): void {
    if (this.isConnected && !this.isDraining) {
      const rejected = [...this.rejected];
      this.rejected.clear();
      for (const subscribe of rejected) subscribe();
    }
    for (const listener of this.interruptions) listener();
  }

  private async follow(): Promise<void> {
    for await (const status of this.nats.status()) {
      const { type, data } = status;
      if (type === Events.Disconnect) this.connected = false;
      if (type === Events.Reconnect) this.connected = true;
      if (type === Events.Disconnect || type === Events.Reconnect) this.interrupted();
      this.options.onStatus?.(type, data);
      const violation = violationOf(status, this.member.purpose);
      if (violation) for (const listener of this.family.violations) listener(violation);
    }
  }
}

function violationOf(status: Status, purpose: string): PermissionViolation | undefined {
  const { permissionContext: context } = status;
  if (!context) return undefined;
  const operation = context.operation === 'subscription' ? 'subscription' : 'publish';
  return { operation, subject: context.subject, purpose };
}

const urlsOf = ({ url }: BusOptions): URL[] => url.split(',').map((each) => new URL(each));

/** One user for all servers: they are one cluster. */
const loginOf = (urls: readonly URL[]): { username: string; password: string } =>
  urls.find((url) => url.username) ?? { username: '', password: '' };

const jetstreamOptions = (options: BusOptions): { apiPrefix?: string } =>
  loginOf(urlsOf(options)).username === '' ? {} : { apiPrefix };

function connectionOptions(options: BusOptions, purpose: string): ConnectionOptions {
  const urls = urlsOf(options);
  const { username, password } = loginOf(urls);
  const user = decodeURIComponent(username) + (purpose === callsPurpose ? '' : '-events');
  // When TLS is configured, a server without it is rejected: the password would travel in plain text.
  const isEncrypted = urls.some(({ protocol }) => protocol === 'tls:') || !!options.tls?.caFile;
  return {
    servers: urls.map((url) => url.host),
    ...(username && { user, pass: decodeURIComponent(password) }),
    ...(isEncrypted && { tls: tlsOptions(urls, options.tls) }),
    name: options.app,
    inboxPrefix: inboxPrefixOf(options.app),
    // The bus comes back sooner or later; a process that gave up would only have to be restarted.
    maxReconnectAttempts: -1,
    // nats.js gives up when its user is rejected twice. That ends the process for calls; events wait for their user.
    ignoreAuthErrorAbort: purpose !== callsPurpose,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    timeout: options.dialTimeoutMs ?? defaultDialTimeoutMs,
    // A stack for each request, in case it fails, costs more than the request.
    noAsyncTraces: true,
    // A server that froze, or that the network lost, is replaced within nine seconds; one that ended, immediately.
    pingInterval: options.pingIntervalMs ?? defaultPingIntervalMs,
    maxPingOut: 2,
  };
}

/** Length of headers as they are sent, in bytes; all of them are ASCII. */
function headersLength(headers: MsgHdrs | undefined): number {
  if (!headers) return 0;
  const lines = [...headers].flatMap(([name, values]) => values.map((value) => `${name}: ${value}\r\n`));
  return `NATS/1.0\r\n${lines.join('')}\r\n`.length;
}

/** nats.js knows no name of a server that is addressed by its IP, and node then verifies the name `localhost`. */
function tlsOptions(urls: readonly URL[], files: TlsFiles = {}): TlsOptions {
  const addresses = urls.map(({ hostname }) => hostname.replace(/^\[|\]$/g, '')).filter((host) => isIP(host));
  const verify = (name: string, certificate: PeerCertificate): Error | undefined => {
    const names = name === 'localhost' && addresses.length > 0 ? addresses : [name];
    const failures = names.map((each) => checkServerIdentity(each, certificate));
    return failures.every(Boolean) ? failures[0] : undefined;
  };
  return { ...files, checkServerIdentity: verify } as TlsOptions;
}

/** Retries cannot help a rejected password or certificate: better to end with the reason and be restarted. */
function isFinal(code: string): boolean {
  return (
    code === ErrorCode.AuthorizationViolation ||
    /^(ERR_TLS|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/.test(code)
  );
}

async function firstConnect(
  { firstConnectMs = defaultFirstConnectMs, onStatus }: BusOptions,
  options: Parameters<typeof connectNats>[0],
): Promise<NatsConnection> {
  const endMs = performance.now() + firstConnectMs;
  for (;;) {
    try {
      return await connectNats(options);
    } catch (cause) {
      const { code, message } = cause as NatsError;
      if (isFinal(code) || performance.now() >= endMs)
        throw new Error(`no NATS server at ${String(options.servers)} accepts the connection: ${message}`, {
          cause,
        });
      onStatus?.('waiting', message);
    }
    await new Promise((resolve) => setTimeout(resolve, firstConnectPauseMs));
  }
}
