/** A block, slot or checkpoint: what orders a chain. A hash stands for all ancestors of its block. */
export interface BlockRef {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Time of the chain's own clock. */
  readonly timeMs: number;
}

/**
 * The payment order as the contract received it, in the specification's spelling. Texts, because a contract takes any
 * bytes from any caller: a payment belongs to an order only if all fields are equal.
 */
export interface PaymentFields {
  token_in: string;
  token_out: string;
  amount_in: string;
  token_in_address: string;
  merchant: string;
  merchant_amount: string;
  fee_receiver: string;
  fee_amount: string;
  deadline: string;
}

/** One payment that a payment contract recorded. */
export interface Payment {
  readonly orderId: string;
  /** The contract's hash of all terms. */
  readonly orderHash: string;
  readonly payer: string;
  readonly fields: PaymentFields;
  readonly height: number;
  readonly blockHash: string;
  readonly txHash: string;
  /** Unique among the payments of a block. */
  readonly logIndex: number;
}

export type PaymentUpdate =
  /** Nothing to apply: the caller is in step with `head`, or the node is behind the caller. */
  | { readonly kind: 'idle'; readonly head: BlockRef }
  /**
   * The blocks above `to` left the chain: everything taken from greater heights is void. Never on chains with finality.
   */
  | { readonly kind: 'rollback'; readonly to: BlockRef; readonly removed: number; readonly head: BlockRef }
  /** All payments after the caller's newest block up to the last of `blocks`, its new newest block. */
  | {
      readonly kind: 'advance';
      readonly blocks: readonly BlockRef[];
      readonly payments: readonly Payment[];
      readonly head: BlockRef;
    };

export type ReportedTransaction =
  /** No node has the transaction. */
  | { readonly state: 'notFound' }
  /** A node has it, and no block. */
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly height: number }
  | {
      readonly state: 'succeeded';
      readonly height: number;
      /** Payments that the order's contract recorded. */
      readonly payments: readonly Payment[];
      /** The transaction looks like a payment, and another contract took it. */
      readonly paysOtherContract: boolean;
    };
