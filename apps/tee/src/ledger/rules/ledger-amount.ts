import { DomainError } from '@tollbridge/rpc';
import { maxAmountAtomic } from '@tollbridge/nanopay-protocol';

/**
 * Parses an amount. A value above the range of its column would fail the whole commit.
 * @param besides the amount that the parsed amount is added to
 * @throws DomainError VALIDATION_ERROR with the field
 */
export function ledgerAmount(text: string, field: string, besides = 0n): bigint {
  const amountAtomic = BigInt(text);
  if (besides + amountAtomic > maxAmountAtomic)
    throw DomainError.invalid([{ field, message: 'exceeds the largest amount of the ledger' }]);
  return amountAtomic;
}
