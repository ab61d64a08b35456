import { ErrorCode, type Msg, type NatsError } from 'nats';
import type { BusConnection } from './bus-connection';
import { unrestrictedAccess, type CallAccess } from '../calls/call-access';
import { callContext, type CallContext } from '../calls/call-context';
import { DomainError, type FirstAnswer } from '../errors/domain-error';
import type { PageFacts } from '../declarations/list-pages';
import type { BusOperation } from '../declarations/operation';
import { LastingSubscription } from './lasting-subscription';
import { CallRejectedError, type ServiceIdentity } from './service-identity';
import {
  decodeFailure,
  encodeContext,
  failureHeader,
  hungUpSubject,
  readFirstAnswer,
  readPageFacts,
  sealHeader,
  stoppingHeaders,
} from '../declarations/wire';

/** The encoded output. For a call with an idempotency key also the time of the first answer. */
export interface BusReply {
  bytes: Uint8Array;
  first?: FirstAnswer | undefined;
  /** Paging facts of a list. */
  page?: PageFacts;
}

type AnyOperation = BusOperation<never, never> | BusOperation<any, any>;

/** A call in flight, kept because reads are resent after a reconnect. */
interface Sent {
  operation: AnyOperation;
  json: Uint8Array;
  context: CallContext;
  /** Whether the call of a sealed operation was sent unencrypted, to a service of release 0.1.0. */
  isInClear: boolean;
}

interface Pending extends Sent {
  resolve(reply: BusReply): void;
  reject(error: DomainError): void;
  expiresAtMs: number;
}

// Failures that a service answers before it has verified the caller. They have no details and are not sealed.
const unsealedFailures: readonly string[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
// One timer checks all waiting calls, because a timer per call would cost more than the call.
const sweepIntervalMs = 200;
// A longer time between two checks means that this process stalled. Replies may have arrived that it has not read.
const maxTickMs = 2 * sweepIntervalMs;
// Limits the memory: further calls are rejected with SERVICE_UNAVAILABLE.
const maxPending = 10_000;
const defaultReconnectMs = 1_000;

export interface BusClientOptions {
  /**
   * Maximum wait for another server of the cluster after a lost connection, in milliseconds; 1 s by default.
   * Until then calls wait unsent. A longer wait would let calls queue up while the whole bus is down.
   */
  reconnectMs?: number;
  /** Called for each call without a reply in time although the bus was connected. */
  onTimeout?(operation: AnyOperation): void;
  /** Called once with the number of calls that failed with OUTCOME_UNKNOWN because of a lost connection. */
  onLost?(calls: number): void;
  /** Called for each reply that the service has not sealed for this app. */
  onRejectedReply?(rejection: CallRejectedError, operation: AnyOperation): void;
  /** Until this time services of release 0.1.0 may run, which do not support sealed calls. */
  oldReleaseUntilMs?: number;
}

/**
 * Calls operations over NATS. One subscription receives the replies of an app; a number in the subject matches them to
 * calls. That costs a map look-up instead of a subscription, a timer and an iterator per request.
 */
export class BusClient {
  private readonly pending = new Map<string, Pending>();
  /** The called app, for each call that ends when its caller aborts. */
  private readonly waiting = new Map<string, string>();
  /** Prefix of the reply subjects, by the called app. Opened with the first call. */
  private readonly inboxes = new Map<string, { prefix: string; replies: LastingSubscription }>();
  private sweeper: NodeJS.Timeout | undefined;
  private lastCall = 0;
  private closed = false;
  /** Ends the wait of each unsent call while the connection is lost. */
  private readonly unsent = new Set<() => void>();
  private wasLost = false;
  private lostAtMs = 0;
  private readonly stopListening: () => void;
  private readonly reconnectMs: number;
  /** Running time of this process without stalls, because a stall must not use up the time-outs of calls. */
  private awakeMs = 0;
  private measuredAtMs = performance.now();

  /** @param access the declared calls of the app; any other call is rejected before it is sent */
  constructor(
    private readonly bus: BusConnection,
    private readonly identity: ServiceIdentity,
    private readonly access: CallAccess = unrestrictedAccess,
    private readonly options: BusClientOptions = {},
  ) {
    this.reconnectMs = options.reconnectMs ?? defaultReconnectMs;
    this.stopListening = bus.onInterruption(() => this.interrupted());
  }

  /** Calls an operation of another service. @throws DomainError that the service answered */
  async call<I, O>(
    operation: BusOperation<I, O>,
    input: I,
    context: CallContext = callContext(),
  ): Promise<O> {
    const { bytes } = await this.callBytes(operation, Buffer.from(JSON.stringify(input)), context);
    return JSON.parse(Buffer.from(bytes).toString()) as O;
  }

  /** Calls an operation with encoded JSON and returns encoded JSON, without parsing. */
  callBytes(operation: AnyOperation, json: Uint8Array, context: CallContext): Promise<BusReply> {
    if (this.closed || this.pending.size + this.unsent.size >= maxPending)
      return Promise.reject(new DomainError('SERVICE_UNAVAILABLE'));
    const { endsWithCaller, subject } = operation;
    if (this.access(this.identity.app, subject) === 'none')
      return Promise.reject(undeclared(this.identity.app, subject));
    if (endsWithCaller && context.signal?.aborted)
      return Promise.reject(new DomainError('OUTCOME_UNKNOWN', 'The client closed the connection.'));
    if (!this.bus.isConnected) return this.callWhenConnected(operation, json, context);
    const call = String(++this.lastCall);
    const sent = { operation, json, context, isInClear: false };
    try {
      this.send(call, sent);
    } catch (error) {
      return Promise.reject(notSent(error));
    }
    const answered = new Promise<BusReply>((resolve, reject) => {
      const expiresAtMs = this.measure() + operation.timeoutMs;
      this.pending.set(call, { ...sent, resolve, reject, expiresAtMs });
    });
    // The timer runs only while calls wait. In an idle process, five wake-ups per second would be most of its load.
    // `setImmediate` runs after socket reads, so replies that have arrived are handled before their calls expire.
    this.sweeper ??= setInterval(() => setImmediate(() => this.expire()), sweepIntervalMs).unref();
    if (endsWithCaller && context.signal) this.endWith(context.signal, operation.app, call, answered);
    return answered;
  }

  private send(call: string, { operation, json, context, isInClear }: Sent): void {
    const { app, subject, endsWithCaller, isSealed } = operation;
    const reply = this.replySubject(app, call);
    const sealed =
      isSealed && !isInClear ? this.identity.seal('sealed-call', app, { subject, reply }, json) : undefined;
    const body = sealed?.body ?? json;
    const headers = encodeContext(context, endsWithCaller, (fields) =>
      this.identity.sign(app, { subject, fields, body }),
    );
    if (sealed) headers.set(sealHeader, sealed.seal);
    this.bus.publish(subject, body, { reply, headers });
  }

  private replySubject(app: string, call: string): string {
    const inbox = this.inboxes.get(app) ?? this.openInbox(app);
    return inbox.prefix + call;
  }

  private openInbox(app: string): { prefix: string; replies: LastingSubscription } {
    const name = this.bus.newInbox(app);
    const prefix = `${name}.`;
    const replies = new LastingSubscription(this.bus, `${prefix}*`, {
      inProcess: { prefix: name, accepts: () => true },
      onMessage: (message) => this.settle(app, message.subject.slice(prefix.length), message),
    });
    const inbox = { prefix, replies };
    this.inboxes.set(app, inbox);
    return inbox;
  }

  /** Waits for a connection and then calls. An unsent call has no effect, so it is safe to wait. */
  private async callWhenConnected(
    operation: AnyOperation,
    json: Uint8Array,
    context: CallContext,
  ): Promise<BusReply> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => end(), this.reconnectMs);
      const end = (): void => {
        clearTimeout(timer);
        this.unsent.delete(end);
        resolve();
      };
      this.unsent.add(end);
    });
    if (!this.bus.isConnected) throw new DomainError('SERVICE_UNAVAILABLE');
    return this.callBytes(operation, json, context);
  }

  /**
   * Handles a lost or restored connection, or renewed subscriptions. Replies that were sent during the interruption are
   * lost. A reply that a service sends later arrives, so a write stays in flight until its time-out.
   */
  private interrupted(): void {
    if (!this.bus.isConnected) {
      [this.wasLost, this.lostAtMs] = [true, performance.now()];
      return;
    }
    for (const end of [...this.unsent]) end();
    if (!this.wasLost) return;
    this.wasLost = false;
    for (const [call, sent] of this.pending) {
      // A read with an idempotency key is not resent: while the first delivery is served, the second would be rejected.
      if (sent.operation.isRead && sent.context.idempotencyKey === undefined) this.resend(call, sent);
    }
  }

  /** Notifies the service when the caller aborts. If the message is lost, the work ends at its time-out. */
  private endWith(signal: AbortSignal, app: string, call: string, answered: Promise<unknown>): void {
    const hangUp = (): void => {
      this.take(call)?.reject(new DomainError('OUTCOME_UNKNOWN'));
      if (this.bus.isConnected)
        this.bus.publish(hungUpSubject(app), Buffer.from(this.replySubject(app, call)));
    };
    this.waiting.set(call, app);
    signal.addEventListener('abort', hangUp, { once: true });
    const forget = (): void => {
      this.waiting.delete(call);
      signal.removeEventListener('abort', hangUp);
    };
    answered.then(forget, forget);
  }

  /** For the stop of this process: makes services answer their waiting calls now, as during their own stop. */
  endWaitingCalls(): void {
    if (!this.bus.isConnected) return;
    for (const [call, app] of this.waiting)
      this.bus.publish(hungUpSubject(app), Buffer.from(this.replySubject(app, call)), {
        headers: stoppingHeaders(),
      });
  }

  get inFlight(): number {
    return this.pending.size;
  }

  close(): void {
    this.closed = true;
    this.stopListening();
    for (const end of [...this.unsent]) end();
    clearInterval(this.sweeper);
    for (const { replies } of this.inboxes.values()) replies.unsubscribe();
    for (const call of this.pending.keys()) this.take(call)?.reject(new DomainError('OUTCOME_UNKNOWN'));
  }

  private settle(app: string, call: string, message: Msg): void {
    // The inboxes share call numbers, so only the called app may answer a call.
    const pending = this.pending.get(call);
    if (pending?.operation.app !== app) return;
    this.pending.delete(call);
    const { operation, isInClear } = pending;
    const { headers } = message;
    if (headers?.code === 503) return pending.reject(new DomainError('SERVICE_UNAVAILABLE'));
    const isSealed = operation.isSealed && !isInClear;
    if (isSealed && this.isOfOldRelease(message)) return this.resend(call, { ...pending, isInClear: true });
    const bytes = isSealed ? this.opened(operation, message) : message.data;
    // The effect of the call is unknown.
    if (!bytes) return pending.reject(new DomainError('OUTCOME_UNKNOWN'));
    if (!headers) return pending.resolve({ bytes });
    const first = readFirstAnswer(headers);
    if (headers.has(failureHeader)) pending.reject(decodeFailure(bytes, first));
    else pending.resolve({ bytes, first, page: readPageFacts(headers) });
  }

  /** Decrypts the reply to a sealed call. Undefined if the service has not sealed it for this app. */
  private opened(operation: AnyOperation, { subject: reply, headers, data }: Msg): Uint8Array | undefined {
    const { app, subject } = operation;
    const seal = headers?.get(sealHeader) ?? '';
    const failure = headers?.get(failureHeader) ?? '';
    // The service rejected the call before it decrypted it, so the reply is not sealed.
    if (seal === '' && failure !== '' && unsealedFailures.includes(decodeFailure(data).code)) return data;
    try {
      return this.identity.open('sealed-reply', app, { subject, reply, failure }, { seal, body: data });
    } catch (error) {
      if (!(error instanceof CallRejectedError)) throw error;
      this.options.onRejectedReply?.(error, operation);
      return undefined;
    }
  }

  /** Whether the service has release 0.1.0, which rejects a sealed call as malformed JSON, without effect. */
  private isOfOldRelease({ headers }: Msg): boolean {
    const { oldReleaseUntilMs = 0 } = this.options;
    return (
      headers?.get(failureHeader) === 'MALFORMED_JSON' &&
      !headers.has(sealHeader) &&
      Date.now() < oldReleaseUntilMs
    );
  }

  /**
   * Sends a call again. The call fails if it cannot be sent, for example above the message limit of the next server.
   */
  private resend(call: string, sent: Pending): void {
    this.pending.set(call, sent);
    try {
      this.send(call, sent);
    } catch (error) {
      this.take(call)?.reject(notSent(error));
    }
  }

  private take(call: string): Pending | undefined {
    const pending = this.pending.get(call);
    this.pending.delete(call);
    return pending;
  }

  /** Returns the running time of this process without stalls, in milliseconds. */
  private measure(): number {
    const nowMs = performance.now();
    this.awakeMs += Math.min(nowMs - this.measuredAtMs, maxTickMs);
    this.measuredAtMs = nowMs;
    return this.awakeMs;
  }

  /** Fails expired calls with OUTCOME_UNKNOWN. After the bus was lost for `reconnectMs`, all calls fail. */
  private expire(): void {
    const nowMs = this.measure();
    const isLost = !this.bus.isConnected && performance.now() - this.lostAtMs > this.reconnectMs;
    if (isLost && this.pending.size > 0) this.options.onLost?.(this.pending.size);
    for (const [call, { expiresAtMs, operation }] of this.pending) {
      if (!isLost && expiresAtMs > nowMs) continue;
      if (!isLost) this.options.onTimeout?.(operation);
      this.take(call)?.reject(new DomainError('OUTCOME_UNKNOWN'));
    }
    if (this.pending.size > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}

function undeclared(app: string, subject: string): DomainError {
  const cause = new Error(`${app} calls ${subject} without declaring it in libs/contracts/src/calls.ts`);
  return new DomainError('INTERNAL_ERROR', undefined, { cause });
}

/** Returns the error of a call that was not sent and had no effect. */
function notSent(cause: unknown): DomainError {
  const { code } = cause as NatsError;
  if (code === ErrorCode.MaxPayloadExceeded)
    return new DomainError(
      'PAYLOAD_TOO_LARGE',
      'The request is larger than the service accepts. Send a smaller body.',
    );
  if (code === ErrorCode.ConnectionClosed || code === ErrorCode.ConnectionDraining)
    return new DomainError('SERVICE_UNAVAILABLE', undefined, { cause });
  return new DomainError('INTERNAL_ERROR', undefined, { cause });
}
