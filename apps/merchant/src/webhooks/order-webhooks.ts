import { Inject, Injectable } from '@nestjs/common';
import type { OrderChanged, OrderEventType, WebhookType } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import type { OrderChange, OrderListener } from '../orders/order-change';
import { noReference, PaymentReferences } from '../payments/requests/payment-references.repository';
import { walletsWithEndpoint, type Transaction } from './webhook-messages.repository';
import { notifyReachable } from './webhook-outbox';

/** The webhook of each order event; null for a later price, since the merchant was notified of the payment already. */
const typeOf = {
  'order-created': 'order.created',
  'order-settling': 'order.settling',
  'order-settled': 'order.settled',
  'order-valued': null,
  'order-refunded': 'order.refunded',
  'order-reopened': 'order.reopened',
  'order-failed': 'order.failed',
  'order-expired': 'order.expired',
  'order-reorged': 'order.reorged',
  'order-exception': 'order.exception',
} as const satisfies Record<OrderEventType, WebhookType | null>;

/** Events that concern the merchant of any order, because money has arrived or moved, or a settlement was reverted. */
const moneyEvents: readonly OrderEventType[] = ['order-settled', 'order-reorged', 'order-exception'];

/** Receivers of webhooks get the fields of prices only for orders with one. */
const withoutEmptyPrice = ({ price, rate, ...order }: OrderChanged): OrderChanged => ({
  ...order,
  ...(price && rate && { price, rate }),
});

/**
 * Notifies merchants of their orders with one message for each event, including events that arrive out of order. Anyone
 * can create orders that pay a merchant. So orders of other creators cause a message only when money moves.
 */
@Injectable()
export class OrderWebhooks implements OrderListener {
  constructor(
    private readonly references: PaymentReferences,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async onOrders(changes: readonly OrderChange[], client: Transaction): Promise<void> {
    const nowMs = this.clock.now();
    const own = changes.filter(
      ({ type, order, wallet }) => order.created_by === wallet || moneyEvents.includes(type),
    );
    if (own.length === 0) return;
    // Most wallets have no endpoint, so their references are not read (benchmark "create an order").
    const reachable = await walletsWithEndpoint(client, new Set(own.map(({ wallet }) => wallet)), nowMs);
    const sent = own.filter(({ wallet }) => reachable.has(wallet));
    const references = await this.references.of(
      sent.map(({ order }) => order.order_id),
      client,
    );
    const messages = sent.flatMap(({ type: eventType, order, wallet, traceparent }) => {
      const type = typeOf[eventType];
      if (type === null) return [];
      const { payment_request_id, description, metadata } = references.get(order.order_id) ?? noReference;
      const data = { ...withoutEmptyPrice(order), payment_request_id, description, metadata };
      return [{ wallet, type, data, nowMs, traceparent }];
    });
    await notifyReachable(client, messages, reachable);
  }
}
