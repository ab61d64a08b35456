import { Integer, internalFeature, internalOperation, ListOf, Nested, OneOf, Text } from '@tollbridge/rpc';
import { OrderChanged, orderEvents, type OrderEventType } from './orders.events';

const position = { min: 0, example: 41_250 };

export class OrderHistoryRequest {
  @Integer({ description: 'The `seq` of the last event that is known already', default: 0, ...position })
  afterSeq?: number;
  // 200 events of the largest size are less than the bus carries at once.
  @Integer({ description: 'How many at most', min: 1, max: 200, default: 200, example: 200 })
  limit?: number;
}

export class PastOrderEvent {
  @Integer({ description: 'Its place in the history: grows, with gaps', ...position })
  seq: number;
  @Text({
    description: "The event's id, the same as when it was published",
    format: 'uuid',
    example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  })
  id: string;
  @OneOf(Object.keys(orderEvents), { description: 'Its type', example: 'order-settled' })
  type: OrderEventType;
  @Nested(() => OrderChanged, { description: 'What it told' })
  order: OrderChanged;
}

export class OrderHistoryReply {
  @ListOf(() => PastOrderEvent, {
    description: 'Oldest first; fewer than `limit` are the last',
    maxItems: 200,
  })
  events: PastOrderEvent[];
}

/**
 * Every event of orders there ever was, for those who keep a picture of them: the stream keeps seven days. A change that
 * is written at this moment may be missing between two later ones; it comes as an event.
 */
export const orderHistoryApi = internalFeature('pay-orders', 'history', {
  orderHistory: internalOperation({
    summary: 'Read past events of orders, page by page',
    input: OrderHistoryRequest,
    output: OrderHistoryReply,
    errors: [],
  }),
});
