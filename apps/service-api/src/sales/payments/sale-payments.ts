import type { RefundAuthorization, Sale, SaleFailure, StoredPayment } from '../sale';

/**
 * `elsewhere`: a settlement of another call has paid the wallet, and is final on the chain. While the payment can still
 * be settled, a failure is `unknown`.
 */
export type Settlement =
  | { kind: 'unknown' }
  | { kind: 'settled'; transaction: string }
  | { kind: 'rejected'; failure: SaleFailure }
  | { kind: 'elsewhere'; payment: { transaction: string; amountAtomic: bigint } };

/**
 * `later`: the outcome is unknown, or the refund is not possible now; the same refund is retried. `expired`: it was not
 * sent and can no longer be sent, so a new refund may be authorized. `stuck`: it failed or may have been made, and an
 * operator must act.
 */
export type Refund = { kind: 'later' | 'expired' | 'stuck' } | { kind: 'refunded'; transaction: string };

/** Settles and refunds payments of one scheme. Both are idempotent by the id of the sale. */
export interface SalePayments {
  /** Returns the expiry of a payment that does not contain it. Read before the payment is claimed. */
  endOf?(): Promise<Pick<StoredPayment, 'lastHeight'>>;
  settle(sale: Sale): Promise<Settlement>;
  /** Creates a new refund after the previous one has expired. */
  newRefund(sale: Sale): Promise<RefundAuthorization>;
  refund(sale: Sale): Promise<Refund>;
}

// Error codes of a call without a final answer yet.
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
