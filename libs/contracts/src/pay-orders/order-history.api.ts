import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { Integer, ListOf, Nested, OneOf, Timestamp } from '../decorators';
import { OrderChanged, orderEvents, type OrderEventType } from './orders.events';
import { Id } from '../shared-fields';

const position = { min: 0, example: 41_250 };

export class OrderHistoryRequest {
  @Integer('`seq` of the last event that the caller has processed', { default: 0, ...position })
  afterSeq?: number;
  // 200 events of maximum size fit into one bus message.
  @Integer('Largest number of events', { min: 1, max: 200, default: 200, example: 200 }) limit?: number;
}

export class PastOrderEvent {
  @Integer('Position in the history: increases, with gaps', position) seq: number;
  @Id('Id of the event, as published')
  id: string;
  @OneOf(Object.keys(orderEvents), 'Type of the event', { example: 'order-settled' }) type: OrderEventType;
  @Nested(() => OrderChanged, 'Data of the event') order: OrderChanged;
}

export class OrderHistoryReply {
  @ListOf(() => PastOrderEvent, 'Oldest first; fewer than `limit` means the end of the history', {
    maxItems: 200,
  })
  events: PastOrderEvent[];
  @Timestamp('Events before this time were deleted; absent while all are stored', { optional: true })
  prunedUntil?: string;
}

/**
 * Returns stored events of orders, for consumers that rebuild a projection. The stream retains seven days, the outbox
 * RETENTION_OUTBOX_DAYS. A change that is being committed during the call may be missing between two later changes. It
 * arrives as an event.
 */
export const orderHistoryApi = internalFeature('pay-orders', 'history', {
  orderHistory: internalOperation({
    isRead: true,
    summary: 'Read past events of orders, page by page',
    input: OrderHistoryRequest,
    output: OrderHistoryReply,
  }),
});
