import type { TransactionClient } from '@tollbridge/database';

/** A payment of a link that counts, or counted before the change. */
export interface CountedPayment {
  id: string;
  /** The wallet of the merchant. */
  wallet: string;
  linkId: string;
  linkName: string;
  /** The chain's id in the registry. */
  chain: string;
  token: string;
  decimals: number;
  amount: bigint;
  txHash: string;
  /** The payer; null for a payment that no node has verified. */
  payer: string | null;
  /** The value in US dollars when the payment was counted, as a decimal string; null without a price. */
  valueUsd: string | null;
  /** Whether a node has verified it. */
  isVerified: boolean;
  /** Whether the merchant confirmed it manually. */
  isConfirmed: boolean;
  /** The number of changes of the payment. One change may revert the payment and count it again. */
  version: number;
  changedAtMs: number;
}

/** A feature that handles changes of PayLink payments. All listeners run in the transaction of the change. */
export interface PayLinkListener {
  /**
   * @param isCounted false for a payment that was reverted, for example by a reorganisation; it may count again with
   * the same id
   */
  onPayment(payment: CountedPayment, isCounted: boolean, client: TransactionClient): Promise<void>;
}

/** Injection token of the PayLink listeners, in the order of their execution. */
export const PayLinkListeners = Symbol('PayLinkListeners');
