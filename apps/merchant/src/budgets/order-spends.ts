import { Injectable } from '@nestjs/common';
import type { TransactionClient } from '@tollbridge/data';
import type { OrderChange, OrderListener } from '../orders/order-change';
import { Budgets } from './budgets';
import { outcomeOfOrder } from './spend-outcome';

/** Ends what keys have reserved for orders. What a reorganisation takes back counts until the order fails. */
@Injectable()
export class OrderSpends implements OrderListener {
  constructor(private readonly budgets: Budgets) {}

  async onOrder({ order, isNewest }: OrderChange, client: TransactionClient): Promise<void> {
    const outcome = outcomeOfOrder(order);
    if (!isNewest || outcome === 'open') return;
    if (outcome === 'captured') await this.budgets.capture(client, order.order_id);
    else await this.budgets.release(client, order.order_id);
  }
}
