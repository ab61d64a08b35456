import { keyRejectionMessages, type KeyRejection } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';

export function unauthorized(
  reason: KeyRejection,
  message: string = keyRejectionMessages[reason],
): DomainError {
  return new DomainError('UNAUTHORIZED', message, { details: { reason } });
}

/** Converts the error of a lookup. A lookup has no effect, so every failure except a rejection may be retried. */
export const lookupFailure =
  (subject: string) =>
  (cause: unknown): never => {
    if (cause instanceof DomainError && cause.code === 'UNAUTHORIZED') throw cause;
    const message = `${subject} cannot be verified at present. Retry after retryAfter seconds.`;
    throw new DomainError('SERVICE_UNAVAILABLE', message, { cause });
  };
