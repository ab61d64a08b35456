/** A block, slot or checkpoint, in the order of the chain. A hash determines all ancestors of its block. */
export interface BlockRef {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Time on the chain's own clock. */
  readonly timeMs: number;
}

/**
 * The payment order as the contract received it, with the field names of the specification. The values are strings,
 * because a contract accepts any bytes from any caller. A payment belongs to an order only if all fields are equal.
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

/** A payment that a payment contract recorded. */
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
  /** Nothing to apply: the caller is at `head`, or the node is behind the caller. */
  | { readonly kind: 'idle'; readonly head: BlockRef }
  /**
   * The blocks above `to` are not part of the chain any more, so everything from greater heights is invalid. Never
   * returned on chains with finality.
   */
  | { readonly kind: 'rollback'; readonly to: BlockRef; readonly removed: number; readonly head: BlockRef }
  /** All payments after the caller's newest block, up to the last of `blocks`, which becomes the newest block. */
  | {
      readonly kind: 'advance';
      readonly blocks: readonly BlockRef[];
      readonly payments: readonly Payment[];
      readonly head: BlockRef;
    };

export type ReportedTransaction =
  /** The transaction is unknown to all nodes. */
  | { readonly state: 'notFound' }
  /** A node has the transaction, but no block includes it yet. */
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly height: number }
  | {
      readonly state: 'succeeded';
      readonly height: number;
      /** Payments that the order's contract recorded. */
      readonly payments: readonly Payment[];
      /** The transaction resembles a payment, but is for another contract. */
      readonly paysOtherContract: boolean;
    };
