import type { FieldError } from '@tollbridge/rpc';
import { findChain } from '@tollbridge/chains';

/**
 * Errors for fields that do not contain a chain id of the registry. An alias is rejected, because it would identify
 * another asset.
 */
export function validateChains<F extends string>(
  given: Readonly<Record<F, string>>,
  fields: readonly F[],
): FieldError[] {
  return fields
    .filter((field) => findChain(given[field])?.id !== given[field])
    .map((field) => ({ field, message: 'is not a supported chain' }));
}
