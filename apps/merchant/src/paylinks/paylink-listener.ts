import type { TransactionClient } from '@tollbridge/database';

/** A payment of a link that counts, or counted until now. */
export interface CountedPayment {
  id: string;
  /** The merchant. */
  wallet: string;
  linkId: string;
  linkName: string;
  /** Id in the registry. */
  chain: string;
  token: string;
  decimals: number;
  amount: bigint;
  txHash: string;
  /** Null for payments that no node has verified. */
  payer: string | null;
  /** US dollars when it was counted, as a decimal string; null without a price. */
  valueUsd: string | null;
  /** Whether a node has verified it. */
  isVerified: boolean;
  /** Whether the merchant confirmed it by hand. */
  isConfirmed: boolean;
  /** Counts the changes of the payment. One change may revert it and count it again. */
  version: number;
  changedAtMs: number;
}

/** A feature that follows payments of links. All listeners run in the transaction of the change. */
export interface PayLinkListener {
  /**
   * @param isCounted false for a payment that was reverted, as by a reorganisation; it may count again with the same id
   */
  onPayment(payment: CountedPayment, isCounted: boolean, client: TransactionClient): Promise<void>;
}

/** Injection token of the list of PayLink listeners. They run in its order. */
export const PayLinkListeners = Symbol('PayLinkListeners');
