import type { OrderStatus, PayoutState, PurchaseStatus, TransactionState } from '@tollbridge/api';

/** What became of something that a key spends on; `open` while that is not known. */
export type SpendOutcome = 'captured' | 'released' | 'open';

export function outcomeOfOrder(status: OrderStatus): SpendOutcome {
  if (status === 'settled') return 'captured';
  return status === 'failed' || status === 'expired' ? 'released' : 'open';
}

export function outcomeOfTransaction(status: TransactionState): SpendOutcome {
  if (status === 'completed') return 'captured';
  return status === 'failed' || status === 'expired' ? 'released' : 'open';
}

/** Of a try that nobody has spoken of for long: a set that still waits for signatures was not executed by it. */
export function outcomeOfSilentTransaction(status: TransactionState): SpendOutcome {
  return status === 'building' || status === 'built' ? 'released' : outcomeOfTransaction(status);
}

export function outcomeOfPurchase(status: PurchaseStatus): SpendOutcome {
  if (status === 'completed') return 'captured';
  return ['failed', 'refunded', 'refused'].includes(status) ? 'released' : 'open';
}

/** Null: it was never for the chain, and reserves nothing. */
export function outcomeOfPayout(state: PayoutState | null): SpendOutcome {
  if (state === 'completed' || state === 'partly_paid') return 'captured';
  return state === 'awaiting_approval' || state === 'sending' ? 'open' : 'released';
}
