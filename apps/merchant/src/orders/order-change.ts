import type { OrderChanged, OrderEventType } from '@tollbridge/contracts';
import { canonicalPayer } from '@tollbridge/chains';
import type { TransactionClient } from '@tollbridge/database';

/** An order event with its merchant. */
export interface OrderEvent {
  /** Stays the same when the event is redelivered. */
  eventId: string;
  type: OrderEventType;
  order: OrderChanged;
  /** The wallet of the order's merchant. */
  wallet: string;
  /** The trace context of the event. */
  traceparent: string;
}

export interface OrderChange extends OrderEvent {
  /** The order before this event, including earlier events of the batch; null for an unknown order. */
  before: OrderChanged | null;
  /**
   * False when a newer event of the order was handled before, since events may arrive out of order. A listener that
   * stores a state uses only the newest event and compares it with `before`. A listener that forwards events uses all.
   */
  isNewest: boolean;
}

/** A feature that handles changes of orders. All listeners run in the transaction that marks the events as handled. */
export interface OrderListener {
  /**
   * Handles the changes of a batch in this order, with set-based statements. Rows that other transactions also lock
   * must be locked in key order, so that transactions do not deadlock.
   */
  onOrders(changes: readonly OrderChange[], client: TransactionClient): Promise<void>;
}

type Attributed = Pick<OrderChanged, 'merchant_id' | 'merchant_address' | 'created_by'>;

/**
 * The wallet of an order's merchant. Any client may write any wallet into `merchant_id`, so it counts only when that
 * wallet created the order or receives the payment. Otherwise the receiver is the merchant.
 */
export function walletOf({
  merchant_id: id,
  merchant_address: receiver,
  created_by: creator,
}: Attributed): string {
  const named = canonicalPayer(id);
  if (named === null) return creator ?? receiver;
  return named === creator || named === receiver ? named : receiver;
}
