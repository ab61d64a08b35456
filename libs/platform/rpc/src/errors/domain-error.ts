import { errorCodes, statusOf, type ErrorCode } from './error-codes';

export interface FieldError {
  field: string;
  message: string;
}

/** First answer to a call with an Idempotency-Key: its time, and whether this reply is a replay. */
export interface FirstAnswer {
  answeredAtMs: number;
  isReplayed: boolean;
  /** Id of the request that a failure first answered; absent in replies stored by earlier versions. */
  requestId?: string;
}

/**
 * The only error class of replies. Code, message and details are public and are sent to the caller unchanged.
 * The cause is private and is only logged.
 */
export class DomainError extends Error {
  readonly details: unknown;
  /** Seconds until a retry may succeed. */
  readonly retryAfterSeconds: number | undefined;
  readonly first: FirstAnswer | undefined;

  constructor(
    readonly code: ErrorCode,
    publicMessage?: string,
    options: { details?: unknown; cause?: unknown; retryAfterSeconds?: number; first?: FirstAnswer } = {},
  ) {
    super(
      publicMessage ?? errorCodes[code][1],
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'DomainError';
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.first = options.first;
  }

  get status(): number {
    return statusOf(this.code);
  }

  static invalid(errors: FieldError[]): DomainError {
    const { text, left } = describeErrors(errors);
    const more = left > 0 ? `; and ${left} more: see details` : '';
    return new DomainError('VALIDATION_ERROR', `The request is not valid: ${text}${more}.`, {
      details: errors,
    });
  }
}

const maxDescribed = 400;

/** Returns the errors as one text of limited length, cut after a whole error, and the number of omitted errors. */
export function describeErrors(errors: readonly FieldError[]): { text: string; left: number } {
  const [first = '', ...others] = errors.map(({ field, message }) => `${field} ${message}`);
  let text = first.slice(0, maxDescribed);
  let left = others.length;
  for (const other of others) {
    if (text.length + other.length + 2 > maxDescribed) break;
    text += `; ${other}`;
    left -= 1;
  }
  return { text, left };
}
