import type { OrderChanged, OrderEventType } from '@tollbridge/contracts';
import { canonicalPayer } from '@tollbridge/chains';
import type { TransactionClient } from '@tollbridge/database';

/** An order event with its merchant. */
export interface OrderEvent {
  /** The same when the event is redelivered. */
  eventId: string;
  type: OrderEventType;
  order: OrderChanged;
  /** The merchant of the order. */
  wallet: string;
  /** The trace of the event. */
  traceparent: string;
}

export interface OrderChange extends OrderEvent {
  /** The order before this event, including earlier events of the batch; null when it was unknown. */
  before: OrderChanged | null;
  /**
   * False if a newer event of the order was handled before: events may arrive out of order. A listener that stores a
   * state uses only the newest event, and compares it with `before`. A listener that forwards events uses all.
   */
  isNewest: boolean;
}

/** A feature that follows orders. All listeners run in the transaction that records the events as handled. */
export interface OrderListener {
  /**
   * Handles the changes of a batch in this order, with set-based statements. Rows that other transactions also lock are
   * locked in key order, so that transactions do not deadlock.
   */
  onOrders(changes: readonly OrderChange[], client: TransactionClient): Promise<void>;
}

type Attributed = Pick<OrderChanged, 'merchant_id' | 'merchant_address' | 'created_by'>;

/**
 * The merchant of an order. Any client may write any wallet into `merchant_id`. So it counts only when that wallet
 * created the order or is paid by it. Otherwise the order belongs to its receiver.
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
