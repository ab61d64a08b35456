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
import { ProviderError, type ProviderErrorOptions } from './provider-error';
import { requestInit, requestUrl, type ProviderRequest } from './provider-request';
import { retryAfterOf } from './retry-after';

export interface ProviderClientOptions {
  /** For errors and logs. */
  provider: string;
  /** A path in it stays in front of every request's, a query behind it. */
  baseUrl: string;
  /** Sent with every request: keys, user agent. */
  headers?: Readonly<Record<string, string>>;
  /**
   * From the call to the end of the body, waiting for a turn included: who buys knows until when something may be sent.
   */
  timeoutMs: number;
  maxReplyBytes?: number;
  /** Calls at once; more wait in a queue of four times as many, and beyond that are rejected at once. */
  maxConcurrent?: number;
  /** Instead of `JSON.parse`, where whole numbers above 2^53 must stay exact. Throws for what is not JSON. */
  parseJson?: (text: string) => unknown;
  /** For a provider that answers 5xx also to what it rejected and certainly did not do: decides by status and JSON. */
  isRejection?: (status: number, body: unknown) => boolean;
  fetch?: SendHttp;
}

const sendHttp = httpSender();

/** A rejection is an answer, so it passes the circuit breaker as one. */
type Answer = { reply: unknown } | { rejection: ProviderError };

// A list of some hundred tokens is 60 KB; nothing that is asked for is larger than a few megabytes.
const defaultMaxReplyBytes = 4 * 1024 * 1024;
const defaultMaxConcurrent = 32;
const queuePerSlot = 4;
// More than half of the last 20 calls failing is an outage, 5 calls are the minimum for a verdict. By number and not by time:
// a provider that is asked twice a minute and never answers would cost every caller the whole time-out for ever.
const breakerCalls = 20;
const breakerMinimumCalls = 5;
const breakerThreshold = 0.5;
// One call in 5 s then finds out whether it is over.
const breakerHalfOpenMs = 5_000;

/**
 * JSON, forms or text over HTTP to one provider: bounded in time, size and number, with a circuit breaker, and with every failure
 * classified. It repeats nothing by itself: only the caller knows what a repetition costs.
 */
export class ProviderClient {
  private readonly policy: IPolicy;
  private readonly send: SendHttp;
  private readonly parseJson: (text: string) => unknown;

  constructor(private readonly options: ProviderClientOptions) {
    const maxConcurrent = options.maxConcurrent ?? defaultMaxConcurrent;
    this.send = options.fetch ?? sendHttp;
    this.parseJson = options.parseJson ?? JSON.parse;
    // Whatever else is thrown, such as a caller's leaving, says nothing about the provider.
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
    this.policy = wrap(bulkhead(maxConcurrent, maxConcurrent * queuePerSlot), breaker);
  }

  /**
   * The parsed JSON of a 2xx answer, undefined when that is empty; its text where the request wants text.
   * @throws ProviderError for everything else
   */
  async request(request: ProviderRequest): Promise<unknown> {
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
        throw this.error('unavailable', 'has failed often and is left alone for some seconds');
      if (isBulkheadRejectedError(error))
        throw this.error('unavailable', 'has more calls waiting than it can answer');
      // Ours: a body that is not JSON, a header that HTTP does not allow.
      if (!abort.abortedBy) throw error;
      const late = `${wasBegun ? 'no answer' : 'no turn'} within ${timeoutMs} ms`;
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
      const maxBytes = this.options.maxReplyBytes ?? defaultMaxReplyBytes;
      const text = await boundedText(response, maxBytes, abort.signal);
      const isDone = response.status >= 200 && response.status < 300;
      return isDone ? { reply: this.parse(request, text) } : this.rejection(request, response, text);
    } catch (error) {
      if (error instanceof ProviderError || abort.abortedBy === 'caller') throw error;
      if (error instanceof ReplyTooLarge) throw this.unreadable(request, 'the reply is too large');
      throw this.lost(request, error, abort.abortedBy ? `no answer within ${timeoutMs} ms` : undefined);
    }
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
    // 408: it gave up waiting for us, and says nothing about what was asked.
    const isRejected =
      (status < 500 && status !== 408) || this.options.isRejection?.(status, rest.body) === true;
    if (isRejected) return { rejection: this.error('rejected', message, rest) };
    // A gateway in front of it answers 5xx also after the request went through.
    throw this.error(changesSomething ? 'unknownOutcome' : 'unavailable', message, rest);
  }

  /** It was done, or not: an answer that cannot be read does not say. */
  private unreadable({ changesSomething }: ProviderRequest, message: string): ProviderError {
    return this.error(changesSomething ? 'unknownOutcome' : 'badReply', message);
  }

  private lost(request: ProviderRequest, cause: unknown, timedOut?: string): ProviderError {
    const code = systemCode(cause);
    // Only a connection that was never made surely carried nothing.
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
// The error also occurs on a connection that was open and has sent: then a call other than `connect` failed.
const unreachableCodes = ['EHOSTUNREACH', 'ENETUNREACH'];

function neverConnected(error: unknown, code: string): boolean {
  if (connectCodes.includes(code)) return true;
  const inner = innerOf(error) as { errors?: unknown[] } | null;
  const all = (inner?.errors ?? [inner]) as ({ syscall?: unknown } | null)[];
  return unreachableCodes.includes(code) && all.every((one) => one?.syscall === 'connect');
}

const innerOf = (error: unknown): unknown => (error as { cause?: unknown } | null)?.cause ?? error;

/** Only a code such as ECONNREFUSED is taken over: the message of a foreign error may quote the URL. */
function systemCode(error: unknown): string {
  const code = (innerOf(error) as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : 'unknown';
}
