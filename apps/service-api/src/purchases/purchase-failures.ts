import { ProviderError } from '@tollbridge/http';
import { DomainError } from '@tollbridge/rpc';
import type { Rejection } from './purchase';

export const unknownOutcome = (cause?: unknown): DomainError =>
  new DomainError(
    'OUTCOME_UNKNOWN',
    'The provider did not answer in time, so the outcome is unknown until it is reconciled. Repeat the call with the same reference: nothing is bought twice.',
    { cause },
  );

export function toRejection(error: unknown): Rejection {
  const { code, message, details } = error instanceof DomainError ? error : new DomainError('INTERNAL_ERROR');
  return { code, message, ...(details !== undefined && { details }) };
}

/** Converts a failed request to the client's error. Only a failure that proves that nothing was bought is definite. */
export function toPurchaseError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (!(error instanceof ProviderError)) return unknownOutcome(error);
  switch (error.kind) {
    case 'rejected':
      return new DomainError('PURCHASE_REFUSED', undefined, { cause: error });
    case 'unavailable':
    case 'rateLimited':
      return new DomainError('UPSTREAM_UNAVAILABLE', undefined, { cause: error });
    case 'badReply':
    case 'unknownOutcome':
      return unknownOutcome(error);
  }
}
