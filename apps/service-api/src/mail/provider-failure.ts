import { DomainError } from '@tollbridge/rpc';
import { ProviderError } from '@tollbridge/http';

/**
 * Converts a failed request to an error without text of the provider.
 * @param convertRejection returns undefined for a fault of this deployment, such as an invalid API key
 */
export function failureOf(
  error: unknown,
  convertRejection: (error: ProviderError) => DomainError | undefined = () => undefined,
): unknown {
  if (!(error instanceof ProviderError)) return error;
  if (error.kind === 'unknownOutcome')
    return new DomainError(
      'OUTCOME_UNKNOWN',
      'The mail provider did not answer in time, so the outcome is unknown. If you sent an Idempotency-Key, repeat the call with the same one.',
      { cause: error },
    );
  const known = error.kind === 'rejected' ? convertRejection(error) : undefined;
  return (
    known ??
    new DomainError('UPSTREAM_UNAVAILABLE', 'The mail provider does not answer. Retry later.', {
      cause: error,
    })
  );
}

/** @throws DomainError that `failureOf` returns */
export async function orFailure<T>(
  asked: Promise<T>,
  convertRejection?: (error: ProviderError) => DomainError | undefined,
): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw failureOf(error, convertRejection);
  }
}

export const notConfigured = (what: string): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', `${what} is not configured in this deployment.`);
