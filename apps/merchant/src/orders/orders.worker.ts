import { Inject, Injectable } from '@nestjs/common';
import { orderEvents, type OrderChanged, type OrderEventType } from '@tollbridge/api';
import type { EventEnvelope } from '@tollbridge/bus';
import { Database, handleOnce } from '@tollbridge/data';
import { EventConsumers, OutboxWorker } from '@tollbridge/service';
import { walletOf, type OrderListener } from './order-change';
import { OrdersRepository } from './orders.repository';

/** Injection token of everything that follows from orders, in the order in which it runs. */
export const OrderListeners = Symbol('OrderListeners');

/** Hears what becomes of orders, and lets everything that follows from it happen in one transaction. */
@Injectable()
export class OrdersWorker {
  private readonly consumer: string;

  constructor(
    consumers: EventConsumers,
    private readonly database: Database,
    private readonly orders: OrdersRepository,
    private readonly outbox: OutboxWorker,
    @Inject(OrderListeners) private readonly listeners: readonly OrderListener[],
  ) {
    const handle = (event: EventEnvelope) => this.handle(event);
    this.consumer = consumers.open({ source: 'pay-orders', purpose: 'orders', handle });
  }

  private async handle(event: EventEnvelope): Promise<void> {
    // A newer pay service may tell what this one does not know yet.
    if (!(event.type in orderEvents)) return;
    const order = event.data as OrderChanged;
    const wallet = walletOf(order);
    await handleOnce(this.database.pool, this.consumer, event.id, async (client) => {
      const noted = await this.orders.note(client, order, wallet);
      const change = { eventId: event.id, type: event.type as OrderEventType, order, wallet, ...noted };
      for (const listener of this.listeners) await listener.onOrder(change, client);
    });
    this.outbox.wake();
  }
}
