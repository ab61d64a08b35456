import { Injectable } from '@nestjs/common';
import type { TransactionClient } from '@tollbridge/database';
import type { OrderChange, OrderListener } from '../orders/order-change';
import { Budgets, type SpendEnding } from './budgets';
import { outcomeOfOrder } from './spend-outcome';

/** Ends what keys have reserved for orders. An order that a reorganisation reverts still counts until it fails. */
@Injectable()
export class OrderSpends implements OrderListener {
  constructor(private readonly budgets: Budgets) {}

  async onOrders(changes: readonly OrderChange[], client: TransactionClient): Promise<void> {
    const endings = changes.flatMap(({ order, isNewest }): SpendEnding[] => {
      const outcome = outcomeOfOrder(order);
      return isNewest && outcome !== 'open' ? [{ reference: order.order_id, outcome }] : [];
    });
    await this.budgets.end(client, endings);
  }
}
