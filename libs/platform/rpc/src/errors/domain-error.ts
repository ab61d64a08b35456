import { errorCodes, statusOf, type ErrorCode } from './error-codes';

export interface FieldError {
  field: string;
  message: string;
}

/** For a call with an Idempotency-Key: the time of the first answer, and whether this is a replay. */
export interface FirstAnswer {
  answeredAtMs: number;
  isReplayed: boolean;
  /** The request that a failure was first answered to; replies stored by earlier versions lack it. */
  requestId?: string;
}

/**
 * The one error class of the product. Code, message and details are public: they reach the caller as they are.
 * The cause is private: it reaches the log only.
 */
export class DomainError extends Error {
  readonly details: unknown;
  /** When a retry may succeed. */
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

/** The errors as one text of bounded length, cut behind a whole error, and how many do not fit. */
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
