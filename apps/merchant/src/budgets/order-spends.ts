import { Injectable } from '@nestjs/common';
import type { TransactionClient } from '@tollbridge/database';
import type { OrderChange, OrderListener } from '../orders/order-change';
import { Budgets, type SpendEnding } from './budgets';
import { outcomeOfOrder } from './spend-outcome';

/**
 * Captures or releases the reservations of orders. A reorganisation releases nothing: a captured spend counts until the
 * order fails or expires.
 */
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
