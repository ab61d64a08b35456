import type { FieldError } from '@tollbridge/rpc';
import { findChain } from '@tollbridge/chains';

/** Errors for fields that are not the id of a chain in the registry. Another name of a chain would be another asset. */
export function validateChains<F extends string>(
  given: Readonly<Record<F, string>>,
  fields: readonly F[],
): FieldError[] {
  return fields
    .filter((field) => findChain(given[field])?.id !== given[field])
    .map((field) => ({ field, message: 'is not a supported chain' }));
}
