import type { TransactionClient } from '@tollbridge/database';

/** A payment of a link that is counted, or was until now. */
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
  /** null where nobody could look. */
  payer: string | null;
  /** Decimal dollars when it was counted; null without a price. */
  valueUsd: string | null;
  /** Whether it was read on the chain. */
  isVerified: boolean;
  /** Whether the merchant confirmed it by hand. */
  isConfirmed: boolean;
  /** Which change of it this is. One change can take it back and count it again. */
  version: number;
  changedAtMs: number;
}

/** What follows from payments of links. All listeners run in the transaction that counts, or takes back. */
export interface PayLinkListener {
  /** Not counted is what was taken back, as when a reorganisation dropped it; it may be counted again, with the same id. */
  onPayment(payment: CountedPayment, isCounted: boolean, client: TransactionClient): Promise<void>;
}

/** Injection token of everything that follows from payments of links, in the order in which it runs. */
export const PayLinkListeners = Symbol('PayLinkListeners');
