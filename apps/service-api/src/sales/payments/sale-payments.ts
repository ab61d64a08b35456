import type { RefundAuthorization, Sale, SaleFailure, StoredPayment } from '../sale';

/**
 * `elsewhere`: the wallet was paid by a settlement that is not of this sale, and the chain can no longer drop it. Until
 * it is known that the payment can never be settled, a failure is `unknown`.
 */
export type Settlement =
  | { kind: 'unknown' }
  | { kind: 'settled'; transaction: string }
  | { kind: 'rejected'; failure: SaleFailure }
  | { kind: 'elsewhere'; payment: { transaction: string; amountAtomic: bigint } };

/**
 * `later`: not known, or not possible now; the same refund is tried again. `expired`: it was never sent and never will
 * be: a new one may be authorized. `stuck`: it failed, or may have been made, and an operator must look.
 */
export type Refund = { kind: 'later' | 'expired' | 'stuck' } | { kind: 'refunded'; transaction: string };

/** How one scheme settles and refunds. Both are idempotent by the id of the sale. */
export interface SalePayments {
  /** The end of a payment that does not name its own end. Read before the payment is claimed. */
  endOf?(): Promise<Pick<StoredPayment, 'lastHeight'>>;
  settle(sale: Sale): Promise<Settlement>;
  /** After `expired`. */
  newRefund(sale: Sale): Promise<RefundAuthorization>;
  refund(sale: Sale): Promise<Refund>;
}

// Failures of a call that has no final answer yet.
const unanswered: readonly unknown[] = ['SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN', 'INTERNAL_ERROR'];

export const isUnanswered = (error: unknown): boolean =>
  unanswered.includes((error as { code?: unknown }).code);

export const unpaid = (reason: string | undefined, message: string | undefined): Settlement => ({
  kind: 'rejected',
  failure: {
    code: 'CONFLICT',
    message: message ?? 'The payment was rejected.',
    details: { reason: reason ?? 'invalid_payload' },
  },
});
