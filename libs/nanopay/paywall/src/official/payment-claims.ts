import type { StoredResponse } from '../response-store';

/** An earlier attempt to settle a payment. */
export interface Unsettled {
  /** `pending`: the transaction was sent. `lost`: the facilitator's answer did not arrive. */
  outcome: 'pending' | 'lost';
  /** The amount to charge. It is less than the price if the scheme and the handler allow it. */
  amount: string;
  /** Undefined if the response was too long to be stored. */
  response: StoredResponse | undefined;
  /** Set for a payment that another call had settled and that has not been served yet. */
  taken?: Taken;
}

export interface Taken {
  /** The facilitator assigns the success of the settlement to this key. */
  key: string;
  /** The transaction that paid the seller; undefined while it is unknown. */
  transaction?: string;
}

export type PaymentClaim =
  /** This request owns the claim. It must verify the payment and run the handler. */
  | { status: 'new' }
  /** Another request owns the claim now. */
  | { status: 'running' }
  /**
   * This request owns the claim. The handler has run, the outcome of the charge is unknown, and the request must settle
   * again.
   */
  | ({ status: 'unsettled' } & Unsettled)
  /** The payment has bought this response. */
  | { status: 'settled'; response: StoredResponse | undefined }
  /** The payment was sent for another resource. */
  | { status: 'conflict' }
  /** The store has reached its maximum. */
  | { status: 'full' };

/**
 * Claims of payments of official schemes: one payment runs one handler and buys one response. If all processes of a
 * seller share a store, a buyer can retry at any of them.
 */
export interface PaymentClaims {
  /** Part of the facilitator's idempotency key. It is the same in all processes that share the store. */
  readonly owner: string;
  /**
   * Claims a payment, or returns its state. Must be atomic. A claim of a dead process must expire, but not before its
   * handlers and settlements can have ended. The payment is then `new`, or `unsettled` as before.
   */
  claim(payment: string, resource: string): PaymentClaim | Promise<PaymentClaim>;
  /** Ends a claim with an unknown outcome. The next request with the payment settles again. */
  keepUnsettled(payment: string, resource: string, unsettled: Unsettled): void | Promise<void>;
  keepSettled(payment: string, resource: string, response: StoredResponse | undefined): void | Promise<void>;
  /** Ends a claim of a payment that was not charged. */
  release(payment: string): void | Promise<void>;
}
