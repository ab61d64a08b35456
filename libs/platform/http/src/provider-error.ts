import type { ReplyHeaders } from './http-sender';

/**
 * What a failed call means for the caller:
 * - `unavailable`: nothing happened there, now; a read, or a purchase that was never sent. May be tried again.
 * - `rejected`: it understood and rejected the request. It will reject the same request again.
 * - `rateLimited`: as `unavailable`, and `retryAfterMs` says when.
 * - `badReply`: its reply does not follow its protocol, and is not used.
 * - `unknownOutcome`: a call that changes something may have taken effect. It is read back before anything else.
 */
export type ProviderErrorKind = 'unavailable' | 'rejected' | 'rateLimited' | 'badReply' | 'unknownOutcome';

export interface ProviderErrorOptions {
  kind: ProviderErrorKind;
  /** For logs; never the text of the provider, which may quote secrets. */
  message: string;
  /** HTTP status, where one was answered. */
  status?: number;
  retryAfterMs?: number;
  /** The body of the reply, bounded: for the adapter to map, never for a reply or a log. */
  body?: unknown;
  /** The headers of the reply, such as a demand for payment: for the adapter only, too. */
  headers?: ReplyHeaders;
  cause?: unknown;
}

/** Why a call to a provider failed. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** Not enumerable, so that no log writes it. */
  declare readonly body: unknown;
  declare readonly headers: ReplyHeaders | undefined;

  constructor(
    readonly provider: string,
    { kind, message, status, retryAfterMs, body, headers, cause }: ProviderErrorOptions,
  ) {
    super(`${provider}: ${message}`, { cause });
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    Object.defineProperty(this, 'body', { value: body, enumerable: false });
    Object.defineProperty(this, 'headers', { value: headers, enumerable: false });
  }

  /** Whether the same call may be made again without harm. */
  get mayBeRepeated(): boolean {
    return this.kind === 'unavailable' || this.kind === 'rateLimited';
  }
}

/**
 * The reply is longer than the request allows. The provider is not at fault, so its circuit breaker does not count it.
 */
export class OversizedReply extends ProviderError {
  constructor(provider: string) {
    super(provider, { kind: 'rejected', message: 'the reply is longer than the request allows' });
  }
}
