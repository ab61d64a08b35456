import { keyRejectionMessages, type KeyRejection } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';

export function unauthorized(
  reason: KeyRejection,
  sentence: string = keyRejectionMessages[reason],
): DomainError {
  return new DomainError('UNAUTHORIZED', sentence, { details: { reason } });
}

/** A question has no effect, so one without an answer may be repeated, whatever became of it. */
export const uncheckable =
  (what: string) =>
  (cause: unknown): never => {
    if (cause instanceof DomainError && cause.code === 'UNAUTHORIZED') throw cause;
    const sentence = `${what} cannot be verified at present. Retry after retryAfter seconds.`;
    throw new DomainError('SERVICE_UNAVAILABLE', sentence, { cause });
  };
