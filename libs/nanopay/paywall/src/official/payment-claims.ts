import type { StoredResponse } from '../response-store';

/** An earlier attempt to settle a payment. */
export interface Unsettled {
  /** `pending`: the transaction was sent. `lost`: the facilitator's answer did not arrive. */
  outcome: 'pending' | 'lost';
  /** What is charged: less than the price, where the scheme and the handler say so. */
  amount: string;
  /** Undefined if it was too long to be stored. */
  response: StoredResponse | undefined;
  /** Set for a payment that another call had settled: its handler has not served yet. */
  taken?: Taken;
}

export interface Taken {
  /** The facilitator gives the success of the settlement to it. */
  key: string;
  /** The one that has paid the seller; undefined while it is unknown. */
  transaction?: string;
}

export type PaymentClaim =
  /** The payment is this request's: verify it, and run the handler. */
  | { status: 'new' }
  /** Another request has the payment now. */
  | { status: 'running' }
  /** The handler has run and the outcome of the charge is unknown. The payment is this request's: settle again. */
  | ({ status: 'unsettled' } & Unsettled)
  /** The payment has bought this response. */
  | { status: 'settled'; response: StoredResponse | undefined }
  /** The payment was sent for another resource. */
  | { status: 'conflict' }
  /** The store has no room. */
  | { status: 'full' };

/**
 * Claims of payments of official schemes: one payment runs one handler and buys one response. A store that all
 * processes of a seller share lets a buyer retry at any of them.
 */
export interface PaymentClaims {
  /** Part of the facilitator's idempotency key. The same in all processes that share the store. */
  readonly owner: string;
  /**
   * Claims a payment, or returns its state. Must be atomic. A claim of a process that died must end by itself, but not
   * before its handlers and settlements have ended. The payment is then `new`, or `unsettled` as before.
   */
  claim(payment: string, resource: string): PaymentClaim | Promise<PaymentClaim>;
  /** Ends a claim of unknown outcome: the next request of the payment settles again. */
  keepUnsettled(payment: string, resource: string, unsettled: Unsettled): void | Promise<void>;
  keepSettled(payment: string, resource: string, response: StoredResponse | undefined): void | Promise<void>;
  /** Ends a claim of a payment that was not charged. */
  release(payment: string): void | Promise<void>;
}
