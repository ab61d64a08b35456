import { Inject, Injectable } from '@nestjs/common';
import type { OrderEventType, WebhookType } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import type { OrderChange, OrderListener } from '../orders/order-change';
import type { Transaction } from './webhook-messages.repository';
import { notifyMerchants } from './webhook-outbox';

/** Null for what is no news to a merchant: that he was paid he knows, and no webhook tells it twice. */
const typeOf = {
  'order-created': 'order.created',
  'order-settling': 'order.settling',
  'order-settled': 'order.settled',
  'order-valued': null,
  'order-refunded': 'order.refunded',
  'order-failed': 'order.failed',
  'order-expired': 'order.expired',
  'order-reorged': 'order.reorged',
} as const satisfies Record<OrderEventType, WebhookType | null>;

/** Told of every order: money has come to the merchant, or has been taken back by its chain. */
const aboutMoney: readonly OrderEventType[] = ['order-settled', 'order-reorged'];

/**
 * Tells a merchant what becomes of his orders: one message for each event, also for one that was overtaken. Anybody can make
 * orders that pay him, and report what does not pay them; of those that he did not make himself he hears when they pay.
 */
@Injectable()
export class OrderWebhooks implements OrderListener {
  constructor(@Inject(Clock) private readonly clock: Clock) {}

  async onOrders(changes: readonly OrderChange[], client: Transaction): Promise<void> {
    const nowMs = this.clock.now();
    const messages = changes
      .filter(({ type, order, wallet }) => order.created_by === wallet || aboutMoney.includes(type))
      .flatMap(({ type: told, order, wallet }) => {
        const type = typeOf[told];
        return type === null ? [] : [{ wallet, type, data: order, nowMs }];
      });
    await notifyMerchants(client, messages);
  }
}
