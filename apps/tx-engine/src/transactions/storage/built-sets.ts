import { DomainError } from '@tollbridge/rpc';
import { sumUsd } from '@tollbridge/money';
import type { Placed } from './quote-sets.repository';
import type { TransactionSet } from '../transaction-set';

export interface BuiltSets {
  /** In the order of the request; repeated orders of one quote and signer share a set. */
  results: (TransactionSet | DomainError)[];
  /** Dollars for the gas of all sets; null without a price. */
  gasCostUsd: string | null;
  /** Dollars of approval gas saved by building the sets together; null without a price. */
  savedUsd: string | null;
}

export const isSet = (result: TransactionSet | DomainError): result is TransactionSet =>
  !(result instanceof DomainError);

export function quoteExecuted({ id, state }: Pick<TransactionSet, 'id' | 'state'>): DomainError {
  const details = { reason: 'quote_executed', transactionId: id, status: state };
  return new DomainError('INVALID_QUOTE', 'This quote was executed already. Request a new quote.', {
    details,
  });
}

/** Summarises the final sets. Each is counted once. */
export function summary(results: readonly (TransactionSet | DomainError)[], placed: Placed): BuiltSets {
  const final = results.map((result) => {
    if (result instanceof DomainError) return result;
    const outcome = placed.get(result.id);
    if (outcome?.kind === 'executed') return quoteExecuted(result);
    return outcome ? outcome.set : result;
  });
  const sets = new Set(final.filter(isSet));
  const sum = (valueOf: (set: TransactionSet) => string | null) => sumUsd([...sets].map(valueOf));
  return { results: final, gasCostUsd: sum((set) => set.gasCostUsd), savedUsd: sum((set) => set.savedUsd) };
}
