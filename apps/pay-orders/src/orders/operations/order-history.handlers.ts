import { Controller } from '@nestjs/common';
import {
  orderHistoryApi,
  type OrderChanged,
  type OrderHistoryReply,
  type OrderHistoryRequest,
} from '@tollbridge/contracts';
import { Handles } from '@tollbridge/rpc';
import { OrderHistoryRepository } from '../storage/order-history.repository';

@Controller()
@Handles(orderHistoryApi)
export class OrderHistoryHandlers {
  constructor(private readonly history: OrderHistoryRepository) {}

  async orderHistory({ afterSeq = 0, limit = 200 }: OrderHistoryRequest): Promise<OrderHistoryReply> {
    const events = await this.history.after(afterSeq, limit);
    const prunedUntil = (await this.history.prunedUntil())?.toISOString();
    return {
      ...(prunedUntil && { prunedUntil }),
      events: events.map(({ order, ...event }) => ({ ...event, order: complete(order) })),
    };
  }
}

/** Adds the fields that were introduced after the event was published. */
function complete(published: Partial<OrderChanged>): OrderChanged {
  return { created_by: null, settled_value_usd: null, ...published } as OrderChanged;
}
