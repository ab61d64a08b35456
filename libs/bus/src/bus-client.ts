import { ErrorCode, nuid, type Msg, type NatsError, type Subscription } from 'nats';
import type { BusConnection } from './bus-connection';
import { callContext, type CallContext } from './call-context';
import { DomainError } from './domain-error';
import type { BusOperation } from './operation';
import { decodeFailure, encodeContext, failureHeader } from './wire';

interface Pending {
  resolve(bytes: Uint8Array): void;
  reject(error: DomainError): void;
  expiresAtMs: number;
}

// One timer looks at all waiting calls: a timer per call would cost more than the call.
const sweepIntervalMs = 200;
// Memory is bounded: past this many calls in flight the caller is told to come back.
const maxPending = 10_000;

/**
 * Calls operations over NATS. All replies come to one subscription, told apart by a number in the subject, which costs
 * a map look-up instead of a subscription, a timer and an iterator per request.
 */
export class BusClient {
  private readonly pending = new Map<string, Pending>();
  private readonly inbox: string;
  private readonly replies: Subscription;
  private readonly sweeper: NodeJS.Timeout;
  private lastCall = 0;
  private closed = false;

  constructor(private readonly bus: BusConnection) {
    this.inbox = `_INBOX.${bus.app}.${nuid.next()}.`;
    this.replies = bus.nats.subscribe(`${this.inbox}*`, {
      // An error means that this user may not read here; the connection reports it, and no reply will come.
      callback: (error, message) => error === null && this.settle(message),
    });
    this.sweeper = setInterval(() => this.expire(), sweepIntervalMs);
    this.sweeper.unref();
  }

  /** Calls an operation of another service. Throws the `DomainError` that the service answered. */
  async call<I, O>(
    operation: BusOperation<I, O>,
    input: I,
    context: CallContext = callContext(),
  ): Promise<O> {
    const bytes = await this.callBytes(operation, Buffer.from(JSON.stringify(input)), context);
    return JSON.parse(Buffer.from(bytes).toString()) as O;
  }

  /** The same with JSON already encoded, and answered as it came: nothing is parsed. */
  callBytes(
    operation: BusOperation<never, never> | BusOperation<any, any>,
    json: Uint8Array,
    context: CallContext,
  ): Promise<Uint8Array> {
    if (this.closed || !this.bus.isConnected || this.pending.size >= maxPending) {
      return Promise.reject(new DomainError('SERVICE_UNAVAILABLE'));
    }
    const call = String(++this.lastCall);
    try {
      const headers = encodeContext(context);
      this.bus.publish(operation.subject, json, { reply: this.inbox + call, headers });
    } catch (error) {
      return Promise.reject(notSent(error));
    }
    return new Promise((resolve, reject) => {
      this.pending.set(call, { resolve, reject, expiresAtMs: performance.now() + operation.timeoutMs });
    });
  }

  get inFlight(): number {
    return this.pending.size;
  }

  close(): void {
    this.closed = true;
    clearInterval(this.sweeper);
    this.replies.unsubscribe();
    for (const call of this.pending.keys()) this.take(call)?.reject(new DomainError('OUTCOME_UNKNOWN'));
  }

  private settle(message: Msg): void {
    const pending = this.take(message.subject.slice(this.inbox.length));
    if (!pending) return;
    const headers = message.headers;
    if (!headers) pending.resolve(message.data);
    else if (headers.code === 503) pending.reject(new DomainError('SERVICE_UNAVAILABLE'));
    else if (headers.has(failureHeader)) pending.reject(decodeFailure(message.data));
    else pending.resolve(message.data);
  }

  private take(call: string): Pending | undefined {
    const pending = this.pending.get(call);
    this.pending.delete(call);
    return pending;
  }

  /** A call without an answer has an unknown outcome, at once when the bus is gone: its answer can no longer come. */
  private expire(): void {
    const nowMs = performance.now();
    const isCutOff = !this.bus.isConnected;
    for (const [call, { expiresAtMs }] of this.pending) {
      if (isCutOff || expiresAtMs <= nowMs) this.take(call)?.reject(new DomainError('OUTCOME_UNKNOWN'));
    }
  }
}

/** Nothing has left this process: the call had no effect, and the caller may be told so. */
function notSent(cause: unknown): DomainError {
  const { code } = cause as NatsError;
  if (code === ErrorCode.MaxPayloadExceeded)
    return new DomainError('PAYLOAD_TOO_LARGE', 'The request is larger than the bus can carry.');
  if (code === ErrorCode.ConnectionClosed || code === ErrorCode.ConnectionDraining)
    return new DomainError('SERVICE_UNAVAILABLE', undefined, { cause });
  return new DomainError('INTERNAL_ERROR', undefined, { cause });
}
