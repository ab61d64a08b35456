import { DomainError } from '@tollbridge/bus';
import { ProviderError } from '@tollbridge/providers';

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
      'The provider of mail did not answer in time, and may have done it all the same. With an Idempotency-Key, repeat the call under the same one.',
      { cause: error },
    );
  const known = error.kind === 'rejected' ? refused(error) : undefined;
  return (
    known ??
    new DomainError('UPSTREAM_UNAVAILABLE', 'The provider of mail does not answer.', { cause: error })
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
  new DomainError('SERVICE_UNAVAILABLE', `${what} is not set up in this deployment.`);
