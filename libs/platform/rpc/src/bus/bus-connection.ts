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
import { inProcessBus, type InProcessReceiver } from './in-process-bus';
import { connectNats, NatsSockets } from './nats-transport';

/** Files to verify the server and to authenticate to it. They are read for every connection. */
export interface TlsFiles {
  /** File of CA certificates; by default the CAs of the system. */
  caFile?: string;
  certFile?: string;
  keyFile?: string;
}

export interface BusOptions {
  /** Name of the app: part of its request subjects, inbox prefix, durable consumers and connection name. */
  app: string;
  /** `nats://user:password@host:port` or `tls://…`; several URLs are separated by commas. */
  url: string;
  /** Files for TLS. A CA file makes TLS mandatory for any URL. */
  tls?: TlsFiles;
  /**
   * Receives the status events of nats.js. Additional events: `waiting` while no server accepts the first
   * connection, and `unsent` for a message that was published during the close.
   */
  onStatus?: (status: string, detail: unknown) => void;
  /** Maximum wait for the first connection, in milliseconds; 30 s by default. */
  firstConnectMs?: number;
  /** Time-out for one address, in milliseconds, before the next address is tried. 5 s by default. */
  dialTimeoutMs?: number;
  /**
   * Until this time callers of release 0.1.0 are answered; their inboxes do not contain the name of the answering app.
   */
  oldReleaseUntilMs?: number;
  /**
   * Interval of pings in milliseconds; 3 s by default. When the third ping is due and two are unanswered, the
   * client connects to another server.
   */
  pingIntervalMs?: number;
  /** Delay before a rejected subscription is retried on the same connection, in milliseconds. 10 s by default. */
  resubscribeMs?: number;
}

interface RequestOptions {
  timeoutMs: number;
  headers?: MsgHdrs;
}

/** The server rejected a subscription or a published message. */
export interface PermissionViolation {
  operation: 'publish' | 'subscription';
  subject: string;
  /** Purpose of the connection: `calls`, or the purpose of a consumer. */
  purpose: string;
}

/** State that the connections of an app share: the first one, and those from `openEvents`. */
interface Family {
  members: Set<{ purpose: string; sockets: NatsSockets }>;
  violations: Set<(violation: PermissionViolation) => void>;
}

// Servers that start together with their apps accept connections within seconds. After a longer wait the
// process ends with the reason and is restarted.
const defaultFirstConnectMs = 30_000;
const firstConnectPauseMs = 500;
const defaultDialTimeoutMs = 5_000;
const defaultPingIntervalMs = 3_000;
const defaultResubscribeMs = 10_000;
/** Purpose of the connection from `open`. */
export const callsPurpose = 'calls';
/** Purpose of a connection that publishes events or manages streams. */
const eventsPurpose = 'events';
// Prefix of JetStream requests for the users of deploy/nats, because each account answers the default prefix itself.
const apiPrefix = 'js';
// A server that does not answer must not delay the end of the process.
const drainTimeoutMs = 2_000;

// The headers of a call or a page are smaller. Their length is computed only for very large payloads.
const maxHeadersBytes = 16_384;

const inboxPrefixOf = (app: string): string => `_INBOX.${app}`;

/** Inbox form of release 0.1.0: `_INBOX.<app>.<random>.<number>`. */
const oldInbox = /^_INBOX\.[^.]+\.[^.]+\.[^.]+$/;

/**
 * A NATS connection of an app. The inbox prefix contains the app's name, because its NATS user may use no other. Calls
 * and events have separate users, such as `merchant` and `merchant-events`, in different accounts. The reason:
 * JetStream publishes its replies with the server's rights to any subject in the request (decision 98).
 */
export class BusConnection {
  private connected = true;
  private outgoing: Parameters<NatsConnection['publish']>[] = [];
  private readonly interruptions = new Set<() => void>();
  /** Functions that renew rejected subscriptions. */
  private readonly rejected = new Set<() => void>();
  private resubscribing: NodeJS.Timeout | undefined;
  private readonly inProcess = inProcessBus();

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

  /** Opens a connection only for events. @throws as `open` */
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
   * Returns an inbox for the replies of another app. NATS lets an app publish only to inboxes with its own
   * name. Each called app sees a different random part, so it cannot address the inbox of another app.
   */
  newInbox(callee: string): string {
    return `${this.inboxPrefix}.${callee}.${randomBytes(16).toString('hex')}`;
  }

  /** Sends one request and waits for the reply at a new inbox. @throws NatsError */
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
   * Whether this app replies to the given subject, which the caller chose. A reply is published with the
   * rights of this app: a reply to `$JS.API.STREAM.PURGE.…` would delete its events.
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
   * Opens a connection for the events of this app, which the caller closes. Its status is not reported,
   * except violations.
   * @param purpose label of the connection in metrics
   * @throws Error when no server accepts the connection immediately
   */
  openEvents(purpose: string = eventsPurpose): Promise<BusConnection> {
    const { onStatus: _, ...options } = this.options;
    return BusConnection.join(this.family, purpose, { ...options, firstConnectMs: 0 });
  }

  /**
   * Open sockets to NATS by purpose, for this connection and those from `openEvents`. Each has 1, or 0
   * without a server.
   */
  get openSockets(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { purpose, sockets } of this.family.members)
      counts.set(purpose, (counts.get(purpose) ?? 0) + sockets.open);
    return counts;
  }

  /** Returns JetStream, for a connection for events. */
  jetstream(): JetStreamClient {
    return this.nats.jetstream(jetstreamOptions(this.options));
  }

  jetstreamManager(): Promise<JetStreamManager> {
    return this.nats.jetstreamManager({ ...jetstreamOptions(this.options), checkAPI: false });
  }

  /** Whether two sockets are open. Requests may then arrive on one, while NATS rejects the replies on the other. */
  get isDoubled(): boolean {
    return this.member.sockets.open > 1;
  }

  /** Closes all sockets of this connection, and connects again. */
  reconnect(): void {
    this.member.sockets.destroy();
  }

  /** Registers a listener for rejected subscriptions and published messages on any connection of the app. */
  onViolation(listener: (violation: PermissionViolation) => void): () => void {
    this.family.violations.add(listener);
    return () => void this.family.violations.delete(listener);
  }

  get isDraining(): boolean {
    return this.nats.isDraining();
  }

  /**
   * Publishes a message. All messages of one turn of the event loop are sent in one write to the socket. The write is
   * the largest cost of a message.
   * @throws NatsError when the connection is closed or the message is larger than the server accepts
   */
  publish(subject: string, payload: Uint8Array, options?: PublishOptions): void {
    if (this.nats.isClosed()) throw NatsError.errorForCode(ErrorCode.ConnectionClosed);
    if (this.isTooLarge(payload, options?.headers))
      throw NatsError.errorForCode(ErrorCode.MaxPayloadExceeded);
    if (this.connected && this.inProcess?.deliver(subject, { ...options, data: payload })) return;
    if (this.outgoing.push([subject, payload, options]) === 1) setImmediate(() => this.send());
  }

  /**
   * Registers a listener for a lost connection, a reconnect and renewed subscriptions. Messages may have been
   * lost before. All subscriptions are sent before the listener is called, so later requests on this
   * connection are processed after them.
   */
  onInterruption(listener: () => void): () => void {
    this.interruptions.add(listener);
    return () => void this.interruptions.delete(listener);
  }

  /**
   * Registers a single retry of a subscription that the server rejected. It runs after a reconnect, or after
   * a delay on the same connection, because a server that reloads its users keeps connections. Interruption
   * listeners run afterwards.
   */
  onResubscribe(subscribe: () => void): () => void {
    this.rejected.add(subscribe);
    this.resubscribing ??= setTimeout(() => {
      this.resubscribing = undefined;
      if (this.isConnected && this.rejected.size > 0) this.interrupted();
    }, this.options.resubscribeMs ?? defaultResubscribeMs).unref();
    return () => void this.rejected.delete(subscribe);
  }

  /**
   * Receives messages of apps in this process without the NATS server, while this connection is open.
   * @param prefix `op.<app>`, or the inbox of a client without the final dot
   * @returns a function that ends it
   */
  receiveInProcess(prefix: string, { accepts, onMessage }: InProcessReceiver): () => void {
    const receiver = { accepts: (subject: string) => this.isConnected && accepts(subject), onMessage };
    return this.inProcess?.add(prefix, receiver) ?? (() => undefined);
  }

  /** Resolves when the connection is permanently closed. */
  get closed(): Promise<void | Error> {
    return this.nats.closed();
  }

  /** Sends buffered messages, then closes. Without a connection it closes immediately. */
  async close(): Promise<void> {
    this.send();
    if (this.isConnected) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise((resolve) => (timer = setTimeout(resolve, drainTimeoutMs)));
      await Promise.race([this.nats.drain().catch(() => undefined), timeout]);
      clearTimeout(timer);
    }
    // If a drain loses its server, it ends without an error, and nats.js would reconnect for ever.
    if (!this.nats.isClosed()) await this.nats.close();
  }

  /** Publishes all buffered messages together, which nats.js sends in one write. */
  private send(): void {
    const messages = this.outgoing;
    this.outgoing = [];
    for (const message of messages) {
      try {
        this.nats.publish(...message);
      } catch (error) {
        // The connection was closed or drained, so the message is not sent. A waiting client fails at its time-out.
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

/** Returns the login. All servers belong to one cluster and have the same user. */
const loginOf = (urls: readonly URL[]): { username: string; password: string } =>
  urls.find((url) => url.username) ?? { username: '', password: '' };

const jetstreamOptions = (options: BusOptions): { apiPrefix?: string } =>
  loginOf(urlsOf(options)).username === '' ? {} : { apiPrefix };

function connectionOptions(options: BusOptions, purpose: string): ConnectionOptions {
  const urls = urlsOf(options);
  const { username, password } = loginOf(urls);
  const user = decodeURIComponent(username) + (purpose === callsPurpose ? '' : '-events');
  // With TLS configured, a server without TLS is rejected, because the password would be sent unencrypted.
  const isEncrypted = urls.some(({ protocol }) => protocol === 'tls:') || !!options.tls?.caFile;
  return {
    servers: urls.map((url) => url.host),
    ...(username && { user, pass: decodeURIComponent(password) }),
    ...(isEncrypted && { tls: tlsOptions(urls, options.tls) }),
    name: options.app,
    inboxPrefix: inboxPrefixOf(options.app),
    // Reconnects without a limit: a process that ended would only be restarted to reconnect.
    maxReconnectAttempts: -1,
    // nats.js closes a connection after two rejections of its user. That ends the process for calls; events
    // wait instead.
    ignoreAuthErrorAbort: purpose !== callsPurpose,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    timeout: options.dialTimeoutMs ?? defaultDialTimeoutMs,
    // Capturing a stack trace for each request costs more than the request.
    noAsyncTraces: true,
    // A frozen or unreachable server is replaced within nine seconds, a stopped server immediately.
    pingInterval: options.pingIntervalMs ?? defaultPingIntervalMs,
    maxPingOut: 2,
  };
}

/** Returns the encoded length of headers in bytes; all headers are ASCII. */
function headersLength(headers: MsgHdrs | undefined): number {
  if (!headers) return 0;
  const lines = [...headers].flatMap(([name, values]) => values.map((value) => `${name}: ${value}\r\n`));
  return `NATS/1.0\r\n${lines.join('')}\r\n`.length;
}

/** nats.js does not pass the name of a server with an IP address, and Node would verify the name `localhost`. */
function tlsOptions(urls: readonly URL[], files: TlsFiles = {}): TlsOptions {
  const addresses = urls.map(({ hostname }) => hostname.replace(/^\[|\]$/g, '')).filter((host) => isIP(host));
  const verify = (name: string, certificate: PeerCertificate): Error | undefined => {
    const names = name === 'localhost' && addresses.length > 0 ? addresses : [name];
    const failures = names.map((each) => checkServerIdentity(each, certificate));
    return failures.every(Boolean) ? failures[0] : undefined;
  };
  return { ...files, checkServerIdentity: verify } as TlsOptions;
}

/** Whether retries cannot help, as with a rejected password or certificate. The process then ends with the reason. */
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
