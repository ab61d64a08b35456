import type { OrderChanged, PayoutState, PurchaseStatus, TransactionUpdate } from '@tollbridge/contracts';

/** What became of something that a key spends on; `open` while that is not known. */
export type SpendOutcome = 'captured' | 'released' | 'open';

type OrderOutcome = Pick<OrderChanged, 'status' | 'settled_amount'>;

/** Of a delivery that was too small the order has failed, and the merchant keeps what arrived: money that moved. */
export function outcomeOfOrder({ status, settled_amount: received }: OrderOutcome): SpendOutcome {
  if (status === 'settled' || (status === 'failed' && (received ?? null) !== null)) return 'captured';
  return status === 'failed' || status === 'expired' ? 'released' : 'open';
}

type SetOutcome = Pick<TransactionUpdate, 'status' | 'spent'>;

/** What a failed set has spent all the same counts: money that moved. */
export function outcomeOfTransaction({ status, spent = false }: SetOutcome): SpendOutcome {
  if (status === 'completed' || spent) return 'captured';
  return status === 'failed' || status === 'expired' ? 'released' : 'open';
}

/** Of a try that nobody has spoken of for long: a set that still waits for signatures was not executed by it. */
export function outcomeOfSilentTransaction(update: SetOutcome): SpendOutcome {
  const { status } = update;
  return status === 'building' || status === 'built' ? 'released' : outcomeOfTransaction(update);
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
