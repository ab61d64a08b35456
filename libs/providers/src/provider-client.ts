import {
  bulkhead,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
  isBulkheadRejectedError,
  SamplingBreaker,
  wrap,
  type IPolicy,
} from 'cockatiel';
import { ProviderError } from './provider-error';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ProviderClientOptions {
  /** For errors and logs. */
  provider: string;
  /** A path in it stays in front of every request's. */
  baseUrl: string;
  /** Sent with every request: keys, user agent. */
  headers?: Readonly<Record<string, string>>;
  /** For one exchange, the reading of the body included. */
  timeoutMs: number;
  maxReplyBytes?: number;
  /** Calls at once; more wait in a queue of four times as many, and beyond that are refused at once. */
  maxConcurrent?: number;
  fetch?: Fetch;
}

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash; every variable part encoded by the caller. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** What a lost answer leaves unknown: a purchase, a minted address. Then a time-out is `unknownOutcome`. */
  changesSomething?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

// A list of some hundred tokens is 60 KB; nothing that is asked for is larger than a few megabytes.
const defaultMaxReplyBytes = 4 * 1024 * 1024;
const defaultMaxConcurrent = 32;
const queuePerSlot = 4;
// Half of the calls of 10 s failing is an outage; one call in 5 s then finds out whether it is over.
const breakerWindowMs = 10_000;
const breakerThreshold = 0.5;
const breakerMinimumPerSecond = 1;
const breakerHalfOpenMs = 5_000;
const maxRetryAfterMs = 10 * 60_000;

/**
 * JSON over HTTP to one provider: bounded in time, size and number, with a circuit breaker, and with every failure
 * classified. It repeats nothing by itself: only the caller knows what a repetition costs.
 */
export class ProviderClient {
  private readonly policy: IPolicy;
  private readonly fetch: Fetch;
  private readonly base: string;

  constructor(private readonly options: ProviderClientOptions) {
    const maxConcurrent = options.maxConcurrent ?? defaultMaxConcurrent;
    this.base = options.baseUrl.replace(/\/+$/, '');
    this.fetch = options.fetch ?? fetch;
    const breaker = circuitBreaker(
      // A refusal is an answer: the provider is well.
      handleWhen((error) => !(error instanceof ProviderError) || error.kind !== 'rejected'),
      {
        halfOpenAfter: breakerHalfOpenMs,
        breaker: new SamplingBreaker({
          threshold: breakerThreshold,
          duration: breakerWindowMs,
          minimumRps: breakerMinimumPerSecond,
        }),
      },
    );
    this.policy = wrap(bulkhead(maxConcurrent, maxConcurrent * queuePerSlot), breaker);
  }

  /**
   * The parsed JSON of a 2xx answer.
   * @throws ProviderError for everything else
   */
  async request(request: ProviderRequest): Promise<unknown> {
    try {
      return await this.policy.execute(() => this.exchange(request), request.signal);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      if (isBrokenCircuitError(error))
        throw this.error('unavailable', 'has failed often and is left alone for some seconds');
      if (isBulkheadRejectedError(error))
        throw this.error('unavailable', 'has more calls waiting than it can answer');
      throw this.error('unavailable', 'the call was given up before it was sent', { cause: error });
    }
  }

  private async exchange(request: ProviderRequest): Promise<unknown> {
    const { timeoutMs = this.options.timeoutMs, signal } = request;
    const timeout = AbortSignal.timeout(timeoutMs);
    const abort = signal ? AbortSignal.any([timeout, signal]) : timeout;
    let response: Response;
    let text: string;
    try {
      response = await this.fetch(this.urlOf(request), this.initOf(request, abort));
      text = await this.boundedText(response);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      throw this.lost(request, error, timeout.aborted ? `no answer within ${timeoutMs} ms` : undefined);
    }
    if (response.ok) return this.parse(request, text);
    throw this.refusal(request, response, text);
  }

  private urlOf({ path, query = {} }: ProviderRequest): string {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const search = new URLSearchParams(given).toString();
    return `${this.base}${path}${search && `?${search}`}`;
  }

  private initOf({ method, body, headers }: ProviderRequest, signal: AbortSignal): RequestInit {
    return {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...this.options.headers,
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
      // A redirect would carry the request, and perhaps a key, to a host that nobody configured.
      redirect: 'error',
    };
  }

  /** Counts decompressed bytes, so a small gzip that unfolds to gigabytes is cut off as well. */
  private async boundedText(response: Response): Promise<string> {
    const maxBytes = this.options.maxReplyBytes ?? defaultMaxReplyBytes;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) throw this.error('badReply', `reply larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  private parse(request: ProviderRequest, text: string): unknown {
    try {
      return text === '' ? undefined : JSON.parse(text);
    } catch {
      // It was done, or not: an answer that cannot be read does not say.
      throw this.error(request.changesSomething ? 'unknownOutcome' : 'badReply', 'the reply is not JSON');
    }
  }

  private refusal({ changesSomething }: ProviderRequest, response: Response, text: string): ProviderError {
    const { status } = response;
    const rest = { status, body: jsonOrText(text) };
    const message = `answered ${status}`;
    if (status === 429) {
      const retryAfterMs = retryAfterOf(response.headers.get('retry-after'));
      return this.error('rateLimited', message, {
        ...rest,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      });
    }
    if (status < 500) return this.error('rejected', message, rest);
    // A gateway in front of it answers 5xx also after the request went through.
    return this.error(changesSomething ? 'unknownOutcome' : 'unavailable', message, rest);
  }

  private lost({ changesSomething }: ProviderRequest, cause: unknown, timedOut?: string): ProviderError {
    const code = systemCode(cause);
    // Only a connection that was never made surely carried nothing.
    const wasSent = !neverConnected.has(code);
    const kind = changesSomething && wasSent ? 'unknownOutcome' : 'unavailable';
    return this.error(kind, timedOut ?? `connection failed (${code})`);
  }

  private error(
    kind: ProviderError['kind'],
    message: string,
    rest: { status?: number; retryAfterMs?: number; body?: unknown; cause?: unknown } = {},
  ): ProviderError {
    return new ProviderError(this.options.provider, { kind, message, ...rest });
  }
}

const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, 1_000);
  }
}

/** Seconds or a date; bounded, as nobody is kept waiting for a day by a header. */
function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), maxRetryAfterMs) : undefined;
}

/** Only a code such as ECONNREFUSED is taken over: the message of a foreign error may quote the URL. */
function systemCode(error: unknown): string {
  const inner = (error as { cause?: unknown } | null)?.cause ?? error;
  const code = (inner as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : 'unknown';
}
