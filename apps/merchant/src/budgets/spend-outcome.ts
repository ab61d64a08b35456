import type { OrderChanged, PayoutState, PurchaseStatus, TransactionUpdate } from '@tollbridge/contracts';

/** The outcome of a spend; `open` while it is unknown. */
export type SpendOutcome = 'captured' | 'released' | 'open';

type OrderOutcome = Pick<OrderChanged, 'status' | 'settled_amount'>;

/**
 * A delivery below the order's amount fails the order, but the merchant retains the delivered amount, so it is
 * captured.
 */
export function outcomeOfOrder({ status, settled_amount: received }: OrderOutcome): SpendOutcome {
  if (status === 'settled' || (status === 'failed' && (received ?? null) !== null)) return 'captured';
  return status === 'failed' || status === 'expired' ? 'released' : 'open';
}

type SetOutcome = Pick<TransactionUpdate, 'status' | 'spent'>;

/** A failed set that has spent its input is captured, too. */
export function outcomeOfTransaction({ status, spent = false }: SetOutcome): SpendOutcome {
  if (status === 'completed' || spent) return 'captured';
  return status === 'failed' || status === 'expired' ? 'released' : 'open';
}

/** The outcome of a set without a recent event. A set that still waits for signatures was never executed. */
export function outcomeOfStaleTransaction(update: SetOutcome): SpendOutcome {
  const { status } = update;
  return status === 'building' || status === 'built' ? 'released' : outcomeOfTransaction(update);
}

export function outcomeOfPurchase(status: PurchaseStatus): SpendOutcome {
  if (status === 'completed') return 'captured';
  return ['failed', 'refunded', 'refused'].includes(status) ? 'released' : 'open';
}

/** @param state null when the payout needed no transaction on a chain, so nothing was spent */
export function outcomeOfPayout(state: PayoutState | null): SpendOutcome {
  if (state === 'completed' || state === 'partly_paid') return 'captured';
  if (state === null) return 'released';
  // An unknown state of a newer release stays open: releasing a budget that was spent would allow overspending.
  return ['failed', 'rejected', 'expired'].includes(state) ? 'released' : 'open';
}
