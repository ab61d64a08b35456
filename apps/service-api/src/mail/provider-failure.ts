import { DomainError } from '@tollbridge/rpc';
import { ProviderError } from '@tollbridge/http';

/**
 * What a failed request means for who asked. Nothing of the provider's own words is in it.
 * @param refused what its refusals mean, where that can be told; undefined is our own fault, such as a bad key
 */
export function failureOf(
  error: unknown,
  refused: (error: ProviderError) => DomainError | undefined = () => undefined,
): unknown {
  if (!(error instanceof ProviderError)) return error;
  if (error.kind === 'unknownOutcome')
    return new DomainError(
      'OUTCOME_UNKNOWN',
      'The mail provider did not answer in time, so the outcome is unknown. If you sent an Idempotency-Key, repeat the call with the same one.',
      { cause: error },
    );
  const known = error.kind === 'rejected' ? refused(error) : undefined;
  return (
    known ??
    new DomainError('UPSTREAM_UNAVAILABLE', 'The mail provider does not answer. Retry later.', {
      cause: error,
    })
  );
}

/** @throws DomainError as `failureOf` makes it */
export async function orFailure<T>(
  asked: Promise<T>,
  refused?: (error: ProviderError) => DomainError | undefined,
): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw failureOf(error, refused);
  }
}

/** What this deployment has not set up. */
export const notSetUp = (what: string): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', `${what} is not configured in this deployment.`);
