import type { ReplyHeaders } from './http-sender';

/**
 * Meaning of a failed call for the caller:
 * - `unavailable`: the call had no effect, because it was a read or was never sent. It may be retried.
 * - `rejected`: the provider rejected the request, and will reject it again.
 * - `rateLimited`: like `unavailable`, but the caller must wait for `retryAfterMs`.
 * - `badReply`: the reply violates the provider's protocol, and is not used.
 * - `unknownOutcome`: a call that changes something may have taken effect. Read the state before the next action.
 */
export type ProviderErrorKind = 'unavailable' | 'rejected' | 'rateLimited' | 'badReply' | 'unknownOutcome';

export interface ProviderErrorOptions {
  kind: ProviderErrorKind;
  /** Message for logs; never the text of the provider, which may quote secrets. */
  message: string;
  /** HTTP status, if a reply arrived. */
  status?: number;
  retryAfterMs?: number;
  /** Body of the reply with limited size. Only the adapter may use it, never a reply or a log. */
  body?: unknown;
  /** Headers of the reply, such as a payment requirement. Only the adapter may use them. */
  headers?: ReplyHeaders;
  cause?: unknown;
}

/** Failure of a call to a provider. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** Not enumerable, so that logs do not contain it. */
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

  /** Whether the same call may be repeated without harm. */
  get mayBeRepeated(): boolean {
    return this.kind === 'unavailable' || this.kind === 'rateLimited';
  }
}

/**
 * The reply is longer than the request allows. The circuit breaker does not count it, because the provider is
 * not at fault.
 */
export class OversizedReply extends ProviderError {
  constructor(provider: string) {
    super(provider, { kind: 'rejected', message: 'the reply is longer than the request allows' });
  }
}
