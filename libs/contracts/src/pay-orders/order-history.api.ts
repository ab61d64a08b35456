import {
  Integer,
  internalFeature,
  internalOperation,
  ListOf,
  Nested,
  OneOf,
  Text,
  Timestamp,
} from '@tollbridge/rpc';
import { OrderChanged, orderEvents, type OrderEventType } from './orders.events';

const position = { min: 0, example: 41_250 };

export class OrderHistoryRequest {
  @Integer({ description: '`seq` of the last event that the caller has processed', default: 0, ...position })
  afterSeq?: number;
  // 200 events of the largest size stay below the largest bus message.
  @Integer({ description: 'Largest number of events', min: 1, max: 200, default: 200, example: 200 })
  limit?: number;
}

export class PastOrderEvent {
  @Integer({ description: 'Position in the history: increases, with gaps', ...position })
  seq: number;
  @Text({
    description: 'Id of the event, as published',
    format: 'uuid',
    example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  })
  id: string;
  @OneOf(Object.keys(orderEvents), { description: 'Type of the event', example: 'order-settled' })
  type: OrderEventType;
  @Nested(() => OrderChanged, { description: 'Data of the event' })
  order: OrderChanged;
}

export class OrderHistoryReply {
  @ListOf(() => PastOrderEvent, {
    description: 'Oldest first; fewer than `limit` means the end of the history',
    maxItems: 200,
  })
  events: PastOrderEvent[];
  @Timestamp({
    description: 'Events before this time are no longer stored; absent while all are',
    example: '2026-11-20T12:00:00.000Z',
    optional: true,
  })
  prunedUntil?: string;
}

/**
 * The stored events of orders, for consumers that rebuild a projection: the stream retains seven days, the outbox
 * RETENTION_OUTBOX_DAYS. A
 * change that is being written during the call may be missing between two later ones; it arrives as an event.
 */
export const orderHistoryApi = internalFeature('pay-orders', 'history', {
  orderHistory: internalOperation({
    isRead: true,
    summary: 'Read past events of orders, page by page',
    input: OrderHistoryRequest,
    output: OrderHistoryReply,
    errors: [],
  }),
});
