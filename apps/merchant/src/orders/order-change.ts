import type { OrderChanged, OrderEventType } from '@tollbridge/api';
import { canonicalPayer } from '@tollbridge/chains';
import type { TransactionClient } from '@tollbridge/data';

/** What an event of the pay service tells of an order. */
export interface OrderChange {
  /** The event's id: the same when the event comes again. */
  eventId: string;
  type: OrderEventType;
  order: OrderChanged;
  /** The merchant that it concerns. */
  wallet: string;
  /** The order as it was known before; null when nothing was. */
  before: OrderChanged | null;
  /**
   * Whether nothing newer is known. Events may overtake each other: who keeps a state looks at the newest only, and at
   * the difference to `before`; who passes on each event takes all.
   */
  isNewest: boolean;
}

/** What follows from orders. All listeners run in one transaction with the note that the event was handled. */
export interface OrderListener {
  onOrder(change: OrderChange, client: TransactionClient): Promise<void>;
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
