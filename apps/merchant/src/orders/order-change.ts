import type { OrderChanged, OrderEventType } from '@tollbridge/contracts';
import { canonicalPayer } from '@tollbridge/chains';
import type { TransactionClient } from '@tollbridge/database';

/** What an event of the pay service says of an order. */
export interface OrderEvent {
  /** The same when the event is delivered again. */
  eventId: string;
  type: OrderEventType;
  order: OrderChanged;
  /** The merchant that it concerns. */
  wallet: string;
}

export interface OrderChange extends OrderEvent {
  /** The order as it was known before this event, also by an earlier one of the same batch; null when it was not. */
  before: OrderChanged | null;
  /**
   * Whether nothing newer is known. Events may overtake each other: a listener that keeps a state looks at the newest
   * only, and at the difference to `before`; a listener that passes on each event takes all.
   */
  isNewest: boolean;
}

/** What follows from orders. All listeners run in one transaction with the record that the events were handled. */
export interface OrderListener {
  /**
   * Handles the changes of a batch as if they came one by one, in this order, by statements for all of them. Rows that
   * others may lock as well are locked in the order of their keys.
   */
  onOrders(changes: readonly OrderChange[], client: TransactionClient): Promise<void>;
}

type Attributed = Pick<OrderChanged, 'merchant_id' | 'merchant_address' | 'created_by'>;

/**
 * The merchant of an order. Anybody may write anybody's wallet into `merchant_id`, so it is believed only when that wallet
 * made the order or is paid by it; an order that only claims somebody's name is its receiver's.
 */
export function walletOf({
  merchant_id: id,
  merchant_address: receiver,
  created_by: maker,
}: Attributed): string {
  const named = canonicalPayer(id);
  if (named === null) return maker ?? receiver;
  return named === maker || named === receiver ? named : receiver;
}
