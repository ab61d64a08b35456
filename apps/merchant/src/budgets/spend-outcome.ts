import type { OrderChanged, PayoutState, PurchaseStatus, TransactionUpdate } from '@tollbridge/contracts';

/** The outcome of a spend; `open` while it is unknown. */
export type SpendOutcome = 'captured' | 'released' | 'open';

type OrderOutcome = Pick<OrderChanged, 'status' | 'settled_amount'>;

/** A short delivery fails the order, but the merchant retains what arrived, so it is captured. */
export function outcomeOfOrder({ status, settled_amount: received }: OrderOutcome): SpendOutcome {
  if (status === 'settled' || (status === 'failed' && (received ?? null) !== null)) return 'captured';
  return status === 'failed' || status === 'expired' ? 'released' : 'open';
}

type SetOutcome = Pick<TransactionUpdate, 'status' | 'spent'>;

/** The amount that a failed set has spent is captured, too. */
export function outcomeOfTransaction({ status, spent = false }: SetOutcome): SpendOutcome {
  if (status === 'completed' || spent) return 'captured';
  return status === 'failed' || status === 'expired' ? 'released' : 'open';
}

/** For an attempt without news: a set that still waits for signatures was not executed by it. */
export function outcomeOfStaleTransaction(update: SetOutcome): SpendOutcome {
  const { status } = update;
  return status === 'building' || status === 'built' ? 'released' : outcomeOfTransaction(update);
}

export function outcomeOfPurchase(status: PurchaseStatus): SpendOutcome {
  if (status === 'completed') return 'captured';
  return ['failed', 'refunded', 'refused'].includes(status) ? 'released' : 'open';
}

/** Null: the payout was never submitted to a chain, and reserves nothing. */
export function outcomeOfPayout(state: PayoutState | null): SpendOutcome {
  if (state === 'completed' || state === 'partly_paid') return 'captured';
  if (state === null) return 'released';
  // A state of a newer release stays open: releasing a budget that was spent would lose money.
  return ['failed', 'rejected', 'expired'].includes(state) ? 'released' : 'open';
}
