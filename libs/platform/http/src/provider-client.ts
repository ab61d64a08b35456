import {
  bulkhead,
  circuitBreaker,
  CountBreaker,
  handleWhen,
  isBrokenCircuitError,
  isBulkheadRejectedError,
  wrap,
  type IPolicy,
} from 'cockatiel';
import { boundedText, ReplyTooLarge } from './bounded-text';
import { ExchangeAbort, untilAborted } from './exchange-abort';
import { httpSender, type HttpReply, type SendHttp } from './http-sender';
import { providerActivity } from './provider-activity';
import { OversizedReply, ProviderError, type ProviderErrorOptions } from './provider-error';
import { requestInit, requestUrl, type ProviderRequest } from './provider-request';
import { retryAfterOf } from './retry-after';

export interface ProviderClientOptions {
  /** Name of the provider in errors and logs. */
  provider: string;
  /** Base URL: its path is prepended to the path of each request, and its query is added to the query. */
  baseUrl: string;
  /** Headers of every request, such as keys and the user agent. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Time-out in milliseconds from the call to the end of the body, including the time in the queue. After it
   * a queued purchase is not sent.
   */
  timeoutMs: number;
  maxReplyBytes?: number;
  /** Maximum concurrent calls. Four times as many wait in a queue; further calls are rejected immediately. */
  maxConcurrent?: number;
  /** Replaces `JSON.parse` for replies with whole numbers above 2^53. It must throw for invalid JSON. */
  parseJson?: (text: string) => unknown;
  /** Whether a status and body are a rejection, for a provider that also answers rejected requests with 5xx. */
  isRejection?: (status: number, body: unknown) => boolean;
  fetch?: SendHttp;
}

const sendHttp = httpSender();

/** A rejection is returned instead of thrown, because the circuit breaker counts it as a success. */
type Answer = { reply: unknown } | { rejection: ProviderError };

// A list of some hundred tokens is 60 KB. The largest expected replies have a few megabytes.
const defaultMaxReplyBytes = 4 * 1024 * 1024;
const defaultMaxConcurrent = 32;
const queuePerSlot = 4;
// The circuit opens when more than half of the last 20 calls failed, with at least 5 calls. A time window
// would rarely have enough calls for a provider with two calls a minute. During an outage each call would
// then wait for the whole time-out.
const breakerCalls = 20;
const breakerMinimumCalls = 5;
const breakerThreshold = 0.5;
// An open circuit allows one trial call every 5 s.
const breakerHalfOpenMs = 5_000;

/**
 * Client for one provider: JSON, forms or text over HTTP, with limits for time, size and concurrency, and with a
 * circuit breaker. It classifies every failure. It never retries, because only the caller knows whether a retry is
 * safe.
 */
export class ProviderClient {
  private readonly policy: IPolicy;
  private readonly send: SendHttp;
  private readonly parseJson: (text: string) => unknown;

  constructor(private readonly options: ProviderClientOptions) {
    const maxConcurrent = options.maxConcurrent ?? defaultMaxConcurrent;
    this.send = options.fetch ?? sendHttp;
    this.parseJson = options.parseJson ?? JSON.parse;
    // Other errors, such as an abort by the caller, do not indicate a failure of the provider.
    const breaker = circuitBreaker(
      handleWhen((error) => error instanceof ProviderError),
      {
        halfOpenAfter: breakerHalfOpenMs,
        breaker: new CountBreaker({
          threshold: breakerThreshold,
          size: breakerCalls,
          minimumNumberOfCalls: breakerMinimumCalls,
        }),
      },
    );
    const { provider } = options;
    providerActivity.add(provider);
    let isOpen = false;
    // A failed trial call emits `break` again for an open circuit.
    breaker.onBreak(() => {
      if (!isOpen) providerActivity.opened(provider);
      isOpen = true;
    });
    breaker.onReset(() => {
      if (isOpen) providerActivity.closed(provider);
      isOpen = false;
    });
    this.policy = wrap(bulkhead(maxConcurrent, maxConcurrent * queuePerSlot), breaker);
  }

  /**
   * Returns the parsed JSON of a 2xx reply, or its text with `replyAs: 'text'`; undefined for an empty reply.
   * @throws ProviderError for every other reply and for failures
   */
  async request(request: ProviderRequest): Promise<unknown> {
    const { provider } = this.options;
    const startedMs = performance.now();
    const record = (failure: string): void =>
      providerActivity.answered(provider, (performance.now() - startedMs) / 1000, failure);
    try {
      const reply = await this.ask(request);
      record('');
      return reply;
    } catch (error) {
      record(error instanceof ProviderError ? error.kind : 'error');
      throw error;
    }
  }

  private async ask(request: ProviderRequest): Promise<unknown> {
    const timeoutMs = request.timeoutMs ?? this.options.timeoutMs;
    const abort = new ExchangeAbort(timeoutMs, request.signal);
    let wasBegun = false;
    const begin = (): Promise<Answer> => {
      wasBegun = true;
      return this.exchange(request, abort, timeoutMs);
    };
    try {
      const answer = await untilAborted(this.policy.execute(begin, abort.signal), abort.signal);
      if ('rejection' in answer) throw answer.rejection;
      return answer.reply;
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      if (isBrokenCircuitError(error))
        throw this.error('unavailable', 'has failed often, and its circuit is open for some seconds');
      if (isBulkheadRejectedError(error))
        throw this.error('unavailable', 'has more calls waiting than it can answer');
      // An error of this app: an invalid body or header.
      if (!abort.abortedBy) throw error;
      const late = `${wasBegun ? 'no answer within' : 'still queued after'} ${timeoutMs} ms`;
      const message = abort.abortedBy === 'caller' ? 'the caller gave up waiting' : late;
      throw this.error(this.lostKind(request, wasBegun), message);
    } finally {
      abort.dispose();
    }
  }

  private async exchange(request: ProviderRequest, abort: ExchangeAbort, timeoutMs: number): Promise<Answer> {
    const url = requestUrl(this.options.baseUrl, request);
    const init = requestInit(request, this.options.headers);
    try {
      const response = await this.send(url, { ...init, signal: abort.signal });
      const maxBytes = request.maxReplyBytes ?? this.options.maxReplyBytes ?? defaultMaxReplyBytes;
      const text = await boundedText(response, maxBytes, abort.signal);
      const isDone = response.status >= 200 && response.status < 300;
      return isDone ? { reply: this.parse(request, text) } : this.rejection(request, response, text);
    } catch (error) {
      if (error instanceof ProviderError || abort.abortedBy === 'caller') throw error;
      if (error instanceof ReplyTooLarge) return this.oversized(request);
      throw this.lost(request, error, abort.abortedBy ? `no answer within ${timeoutMs} ms` : undefined);
    }
  }

  private oversized(request: ProviderRequest): Answer {
    const isExpected = request.maxReplyBytes !== undefined && !request.changesSomething;
    if (isExpected) return { rejection: new OversizedReply(this.options.provider) };
    throw this.unreadable(request, 'the reply is too large');
  }

  private parse(request: ProviderRequest, text: string): unknown {
    if (request.replyAs === 'text') return text;
    if (text === '') return undefined;
    try {
      return this.parseJson(text);
    } catch {
      throw this.unreadable(request, 'the reply is not JSON');
    }
  }

  private rejection(
    { changesSomething }: ProviderRequest,
    { status, headers }: HttpReply,
    text: string,
  ): Answer {
    const rest = { status, headers, body: this.jsonOrText(text) };
    const message = `answered ${status}`;
    if (status === 429) {
      const retryAfterMs = retryAfterOf(headers.get('retry-after'), Date.now());
      const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
      throw this.error('rateLimited', message, { ...rest, ...wait });
    }
    // 408: the provider timed out while it waited for the request, so it did not reject the content.
    const isRejected =
      (status < 500 && status !== 408) || this.options.isRejection?.(status, rest.body) === true;
    if (isRejected) return { rejection: this.error('rejected', message, rest) };
    // The provider's proxy may answer 5xx although the request succeeded.
    throw this.error(changesSomething ? 'unknownOutcome' : 'unavailable', message, rest);
  }

  /** An unreadable reply to a change leaves its outcome unknown. */
  private unreadable({ changesSomething }: ProviderRequest, message: string): ProviderError {
    return this.error(changesSomething ? 'unknownOutcome' : 'badReply', message);
  }

  private lost(request: ProviderRequest, cause: unknown, timedOut?: string): ProviderError {
    const code = systemCode(cause);
    // The request was certainly not sent only if no connection was made.
    const kind = this.lostKind(request, !neverConnected(cause, code));
    return this.error(kind, timedOut ?? `connection failed (${code})`);
  }

  private lostKind(request: ProviderRequest, mayHaveBeenSent: boolean): ProviderError['kind'] {
    return request.changesSomething && mayHaveBeenSent ? 'unknownOutcome' : 'unavailable';
  }

  private jsonOrText(text: string): unknown {
    try {
      return this.parseJson(text);
    } catch {
      return text.slice(0, 1_000);
    }
  }

  private error(
    kind: ProviderError['kind'],
    message: string,
    rest: Pick<ProviderErrorOptions, 'status' | 'retryAfterMs' | 'body' | 'headers'> = {},
  ): ProviderError {
    return new ProviderError(this.options.provider, { kind, message, ...rest });
  }
}

const connectCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CONNECT_TIMEOUT'];
// These codes also occur on an open connection that has sent the request. Then the failed system call is not `connect`.
const unreachableCodes = ['EHOSTUNREACH', 'ENETUNREACH'];

function neverConnected(error: unknown, code: string): boolean {
  if (connectCodes.includes(code)) return true;
  const inner = innerOf(error) as { errors?: unknown[] } | null;
  const all = (inner?.errors ?? [inner]) as ({ syscall?: unknown } | null)[];
  return unreachableCodes.includes(code) && all.every((one) => one?.syscall === 'connect');
}

const innerOf = (error: unknown): unknown => (error as { cause?: unknown } | null)?.cause ?? error;

/** Returns only the code, such as ECONNREFUSED, because an error message may quote the URL. */
function systemCode(error: unknown): string {
  const code = (innerOf(error) as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : 'unknown';
}
