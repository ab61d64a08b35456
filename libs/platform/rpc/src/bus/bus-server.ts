import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { headers as natsHeaders, type Msg, type MsgHdrs } from 'nats';
import type { BusConnection } from './bus-connection';
import { clientEntrance, unrestrictedAccess, type CallAccess } from '../calls/call-access';
import { logFields, ServerStopping, servicePrincipal, type CallContext } from '../calls/call-context';
import { DomainError } from '../errors/domain-error';
import type { CallSpan } from '../calls/call-span';
import { callHandler, type Handler, type Outcome } from '../calls/call-handler';
import type { ReplyStore } from '../calls/idempotency';
import { pageFactsOf } from '../declarations/list-pages';
import { MemoryReplies } from '../calls/memory-replies';
import { LastingSubscription } from './lasting-subscription';
import { CallRejectedError, type SealedBody, type ServiceIdentity } from './service-identity';
import {
  decodeHead,
  failureHeader,
  failureHeaders,
  failureOf,
  hungUpSubject,
  isCallerStopping,
  pageHeaders,
  sealHeader,
  storedReplyHeaders,
  type CallHead,
} from '../declarations/wire';

export interface BusServerHooks {
  /** Called once for every answered request. All unknown operations share one name. */
  onAnswered?(subject: string, code: string, seconds: number, sampledTraceId?: string): void;
  /** Begins a span for a call; undefined without tracing. */
  trace?(subject: string, traceparent: string): CallSpan | undefined;
  /** Maps an unexpected failure, such as an unavailable database, to an error for the caller. */
  explain?(cause: unknown): DomainError | undefined;
  /** Called for faults of the service, with the cause, which the caller does not receive. */
  onFault?(fields: { requestId: string; traceId: string }, subject: string, cause: unknown): void;
  /** Called for each rejected call, for example with an invalid signature or an unauthorised caller. */
  onRejected?(rejection: CallRejectedError, subject: string): void;
}

export interface BusServerOptions {
  /** Verifies the signatures of calls. */
  identity: ServiceIdentity;
  /** The operations that each app may call. */
  access?: CallAccess;
  hooks?: BusServerHooks;
  /** The store of replies to calls with an idempotency key. */
  replies?: ReplyStore;
  /** Subjects below `op.<app>` that other subscriptions of the app handle. */
  otherSubjects?: ReadonlySet<string>;
  /**
   * Whether this process may answer now, for an app with one answering process at a time. Each process then
   * receives each call, so that a stopped process cannot withhold calls from its successor. Without it,
   * replicas share the calls.
   */
  isAnswering?: () => boolean;
  /** Maximum time for calls in flight after `close`, in milliseconds. */
  drainTimeoutMs?: number;
  /** Until this time apps of release 0.1.0 may call, which do not support sealed calls. */
  oldReleaseUntilMs?: number;
}

// A database pool cannot serve more calls within their time-out. Further callers get SERVICE_UNAVAILABLE immediately.
const maxInFlight = 2_000;
const defaultDrainTimeoutMs = 15_000;
// Subjects are untrusted input. Only the subjects of operations become metric labels.
const unknownSubject = 'unknown';

/**
 * The Nest transport: answers an app's operations from one queue subscription (`op.<app>.>`), so that
 * replicas share the work. It finishes running calls before it closes.
 */
export class BusServer extends Server implements CustomTransportStrategy {
  private subscription: LastingSubscription | undefined;
  private hangUps: LastingSubscription | undefined;
  /** Abort controllers of running calls that end with their caller, by reply subject. */
  private readonly abandonable = new Map<string, AbortController>();
  private inFlight = 0;
  private whenIdle: (() => void) | undefined;

  private readonly identity: ServiceIdentity;
  private readonly access: CallAccess;
  private readonly hooks: BusServerHooks;
  private readonly replies: ReplyStore;
  private readonly otherSubjects: ReadonlySet<string>;
  private readonly isAnswering: (() => boolean) | undefined;
  private readonly drainTimeoutMs: number;
  private readonly oldReleaseUntilMs: number;

  constructor(
    private readonly bus: BusConnection,
    options: BusServerOptions,
  ) {
    super();
    const { identity, access, hooks, replies, otherSubjects, isAnswering, drainTimeoutMs } = options;
    this.identity = identity;
    this.access = access ?? unrestrictedAccess;
    this.hooks = hooks ?? {};
    this.replies = replies ?? new MemoryReplies();
    this.otherSubjects = otherSubjects ?? new Set();
    this.isAnswering = isAnswering;
    this.drainTimeoutMs = drainTimeoutMs ?? defaultDrainTimeoutMs;
    this.oldReleaseUntilMs = options.oldReleaseUntilMs ?? 0;
  }

  /** Subscribes to requests. Calls back when requests can arrive, or with an error if this user may not subscribe. */
  listen(callback: (error?: Error) => void): void {
    const { app, nats } = this.bus;
    let rejected: Error | undefined;
    this.subscription = new LastingSubscription(this.bus, `op.${app}.>`, {
      ...(!this.isAnswering && { queue: app }),
      inProcess: {
        prefix: `op.${app}`,
        accepts: (subject) => this.messageHandlers.has(subject) && this.isAnswering?.() !== false,
      },
      onMessage: (message) => this.accept(message),
      onRejected: (error) => (rejected = error),
    });
    // This subscription has no queue group, because only the replica that serves the call can abort it.
    this.hangUps = new LastingSubscription(this.bus, hungUpSubject(app), {
      onMessage: (message) => this.abandon(message),
    });
    // The server answers in order, so an error about the subscription arrives before the reply to this flush.
    nats.flush().then(
      () => callback(rejected),
      (error: Error) => callback(error),
    );
  }

  async close(): Promise<void> {
    // Drain stops new messages, and delivers messages that the server has already sent.
    await this.subscription?.drain();
    this.hangUps?.unsubscribe();
    // These calls wait for minutes, far longer than the drain time-out. The abort makes their handlers answer now.
    for (const call of this.abandonable.values()) call.abort(new ServerStopping());
    if (this.inFlight > 0) await this.untilIdle();
    // Without the bus, replies cannot be sent.
    if (this.bus.isConnected) await this.bus.nats.flush().catch(() => undefined);
  }

  on(): never {
    throw new Error('the bus transport has no events of its own');
  }

  unwrap<T>(): T {
    return this.bus.nats as T;
  }

  private abandon(message: Msg): void {
    const reason = isCallerStopping(message.headers) ? new ServerStopping() : undefined;
    this.abandonable.get(message.string())?.abort(reason);
  }

  private untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      const timeout = setTimeout(resolve, this.drainTimeoutMs);
      this.whenIdle = () => {
        clearTimeout(timeout);
        resolve();
      };
    });
  }

  private accept(message: Msg): void {
    // The queue subscription also receives these messages, which other subscriptions handle.
    if (message.subject === hungUpSubject(this.bus.app) || this.otherSubjects.has(message.subject)) return;
    // The process that may answer has received the same call.
    if (this.isAnswering?.() === false) return;
    if (message.reply && !this.bus.answersAt(message.reply)) {
      this.hooks.onRejected?.(new CallRejectedError('replySubject'), this.nameOf(message));
      return;
    }
    if (this.inFlight >= maxInFlight) {
      this.respond(message, {
        ok: false,
        error: new DomainError(
          'SERVICE_UNAVAILABLE',
          'The service is at capacity. Retry after retryAfter seconds.',
        ),
      });
      return;
    }
    this.inFlight++;
    void this.answer(message).finally(() => {
      this.inFlight--;
      if (this.inFlight === 0) this.whenIdle?.();
    });
  }

  private async answer(message: Msg): Promise<void> {
    const startedMs = performance.now();
    const call = this.verified(message);
    if (!call) return;
    const { context, json, seal } = call;
    const handler = this.messageHandlers.get(message.subject) as Handler | undefined;
    const subject = handler ? message.subject : unknownSubject;
    const span = this.hooks.trace?.(subject, context.traceparent);
    const answered = span
      ? span.run(() => this.run(handler, json, { ...context, traceparent: span.traceparent }))
      : this.run(handler, json, context);
    const outcome = this.respond(message, await answered, seal);
    if (context.signal) this.abandonable.delete(message.reply!);
    const code = outcome.ok ? 'OK' : outcome.error.code;
    span?.end(
      { 'rpc.response.status_code': code },
      outcome.ok || outcome.error.status < 500 ? undefined : code,
    );
    if (!outcome.ok && outcome.error.status >= 500 && outcome.error.cause !== undefined)
      this.hooks.onFault?.(logFields(context), subject, outcome.error);
    this.hooks.onAnswered?.(subject, code, (performance.now() - startedMs) / 1000, span?.sampledTraceId);
  }

  /** Verifies and decrypts a call. Rejected calls are answered here. @returns undefined for a rejected call */
  private verified(message: Msg): VerifiedCall | undefined {
    const { subject, data: body } = message;
    const head = decodeHead(message);
    try {
      const caller = this.identity.verify(head.signature, { subject, fields: head.signedFields, body });
      const right = this.access(caller, subject);
      if (right === 'none') throw new CallRejectedError('notAllowed', caller);
      const opened = this.opened(message, caller);
      const context = this.contextOf(head, message.reply);
      // Set only when true, because nearly all calls come from the gateway.
      if (caller !== clientEntrance) context.isPeerCall = true;
      if (right !== 'forPrincipal')
        return { ...opened, context: { ...context, principal: servicePrincipal(caller) } };
      return { ...opened, context };
    } catch (error) {
      if (!(error instanceof CallRejectedError)) throw error;
      this.hooks.onRejected?.(error, this.nameOf(message));
      // The sender receives no reason. The log and the metric show a wrong configuration.
      this.respond(message, { ok: false, error: new DomainError('INTERNAL_ERROR') });
      return undefined;
    }
  }

  /**
   * Returns the input of a call, and the function that seals its reply.
   * @throws CallRejectedError when a sealed operation is called unencrypted
   */
  private opened({ subject, reply = '', headers, data }: Msg, caller: string): Omit<VerifiedCall, 'context'> {
    if (!this.messageHandlers.get(subject)?.extras?.['isSealed']) return { json: data };
    const seal = headers?.get(sealHeader) ?? '';
    if (seal === '' && Date.now() < this.oldReleaseUntilMs) return { json: data };
    return {
      json: this.identity.open('sealed-call', caller, { subject, reply }, { seal, body: data }),
      seal: (failure, body) =>
        this.identity.seal('sealed-reply', caller, { subject, reply, ...(failure && { failure }) }, body),
    };
  }

  private nameOf({ subject }: Msg): string {
    return this.messageHandlers.has(subject) ? subject : unknownSubject;
  }

  private contextOf({ context, endsWithCaller }: CallHead, reply: string | undefined): CallContext {
    if (!reply || !endsWithCaller) return context;
    const abandoned = new AbortController();
    this.abandonable.set(reply, abandoned);
    return { ...context, signal: abandoned.signal };
  }

  private async run(handler: Handler | undefined, json: Uint8Array, context: CallContext): Promise<Outcome> {
    if (!handler) return { ok: false, error: new DomainError('SERVICE_UNAVAILABLE') };
    const outcome = await callHandler(handler, { json, context, replies: this.replies });
    if (outcome.ok || outcome.error.code !== 'INTERNAL_ERROR' || outcome.stored) return outcome;
    return { ok: false, error: this.hooks.explain?.(outcome.error.cause) ?? outcome.error };
  }

  /**
   * Sends the outcome and returns the sent outcome. An output that does not fit into a message becomes INTERNAL_ERROR.
   */
  private respond(message: Msg, outcome: Outcome, seal?: Seal): Outcome {
    if (!message.reply || this.bus.nats.isClosed()) return outcome;
    try {
      this.reply(message.reply, outcome, seal);
      return outcome;
    } catch (cause) {
      const fault = faultOf(cause);
      try {
        this.reply(message.reply, fault, seal);
      } catch {
        // The bus is closing, so the call fails at the client's time-out.
      }
      return fault;
    }
  }

  private reply(inbox: string, outcome: Outcome, seal?: Seal): void {
    const { bytes, headers } = encodeOutcome(outcome);
    if (!seal) return this.bus.publish(inbox, bytes, headers && { headers });
    const sealed = seal(headers?.get(failureHeader) ?? '', bytes);
    const all = headers ?? natsHeaders();
    all.set(sealHeader, sealed.seal);
    this.bus.publish(inbox, sealed.body, { headers: all });
  }
}

/** Encrypts a reply for the calling app. */
type Seal = (failure: string, body: Uint8Array) => SealedBody;

interface VerifiedCall {
  context: CallContext;
  json: Uint8Array;
  /** Seals the reply; present if the call was sealed. */
  seal?: Seal;
}

function encodeOutcome(outcome: Outcome): { bytes: Uint8Array; headers?: MsgHdrs } {
  if (outcome.stored) {
    const { reply, isReplayed } = outcome.stored;
    return { bytes: reply.bytes, headers: storedReplyHeaders(reply, isReplayed) };
  }
  if (!outcome.ok) {
    const { error } = outcome;
    return { bytes: Buffer.from(JSON.stringify(failureOf(error))), headers: failureHeaders(error.code) };
  }
  const page = pageFactsOf(outcome.output);
  const bytes = Buffer.from(JSON.stringify(outcome.output));
  return page === undefined ? { bytes } : { bytes, headers: pageHeaders(page) };
}

function faultOf(cause: unknown): Outcome & { ok: false } {
  return { ok: false, error: new DomainError('INTERNAL_ERROR', undefined, { cause }) };
}
