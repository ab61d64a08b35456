import { DomainError } from '@tollbridge/rpc';
import { maxAmountAtomic } from '@tollbridge/nanopay-protocol';

/**
 * An amount of a caller. More than a row of the ledger holds would spoil the commit that it is written with.
 * @param besides what it is added to
 * @throws DomainError
 */
export function ledgerAmount(text: string, field: string, besides = 0n): bigint {
  const amountAtomic = BigInt(text);
  if (besides + amountAtomic > maxAmountAtomic)
    throw DomainError.invalid([{ field, message: 'exceeds the largest amount of the ledger' }]);
  return amountAtomic;
}
