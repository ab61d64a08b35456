import { ProviderError } from '@tollbridge/http';
import { DomainError } from '@tollbridge/rpc';

/** Error of a purchase that the provider declined: nothing was bought. `reason` becomes `details.reason`. */
export function purchaseDeclined(reason: string, message: string, cause?: unknown): DomainError {
  return new DomainError('PURCHASE_REFUSED', message, { details: { reason }, cause });
}

/** Converts the failure of a read. */
export function readFailure(error: unknown): unknown {
  return error instanceof ProviderError
    ? new DomainError('UPSTREAM_UNAVAILABLE', undefined, { cause: error })
    : error;
}

/** @throws DomainError UPSTREAM_UNAVAILABLE when the provider fails */
export async function readUpstream<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw readFailure(error);
  }
}
