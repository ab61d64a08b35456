import { Inject, Injectable } from '@nestjs/common';
import { orderEvents, type OrderChanged, type OrderEventType } from '@tollbridge/contracts';
import type { EventDeclaration, EventEnvelope } from '@tollbridge/rpc';
import { Database, handleBatchOnce } from '@tollbridge/database';
import { EventConsumers, OutboxWorker } from '@tollbridge/bootstrap';
import { checkOrder } from './check-order';
import { walletOf, type OrderEvent, type OrderListener } from './order-change';
import { takeWork } from '../events/pending-work';
import { OrdersRepository } from './orders.repository';

/** Injection token of the order listeners, in the order of their execution. */
export const OrderListeners = Symbol('OrderListeners');

// All order events, because the consumer would acknowledge an event of an undeclared type without handling it.
const declared = Object.values(orderEvents) as [
  EventDeclaration<OrderChanged>,
  ...EventDeclaration<OrderChanged>[],
];

/** Consumes order events. All listeners handle a batch in one transaction. */
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
    this.consumer = consumers.open({
      purpose: 'orders',
      events: declared,
      check: checkOrder,
      handle: (events) => this.handle(events),
    });
  }

  private async handle(events: readonly EventEnvelope<OrderChanged>[]): Promise<void> {
    let leavesWork = false;
    await handleBatchOnce(this.database.pool, this.consumer, events, async (fresh, client) => {
      const changes = await this.orders.record(client, fresh.map(toOrderEvent));
      for (const listener of this.listeners) await listener.onOrders(changes, client);
      leavesWork = takeWork(client) || fresh.some(({ type }) => type !== orderEvents['order-created'].type);
    });
    if (leavesWork) this.outbox.wake();
  }
}

function toOrderEvent({ id, type, data: order, traceparent }: EventEnvelope<OrderChanged>): OrderEvent {
  return { eventId: id, type: type as OrderEventType, order, wallet: walletOf(order), traceparent };
}
