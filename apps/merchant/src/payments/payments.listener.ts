import { Inject, Injectable } from '@nestjs/common';
import { Clock, type TransactionClient } from '@tollbridge/database';
import type { OrderChange, OrderListener } from '../orders/order-change';
import { LinkCheckouts } from '../paylinks/link-checkouts';
import { followCheckouts } from './attempts/follow-checkouts';
import { followOrdersOfPayments, type Payment } from './payments.repository';
import { notifyOfPayments } from './notify-payments';
import { followAttempts } from './attempts/payment-attempts.repository';
import { publishPayments } from './publish-payments';

/** Updates payments when their orders change, also after reorganisations and late payments. */
@Injectable()
export class PaymentsOfOrders implements OrderListener {
  constructor(
    private readonly checkouts: LinkCheckouts,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async onOrders(changes: readonly OrderChange[], client: TransactionClient): Promise<void> {
    const newest = changes.filter(({ isNewest }) => isNewest);
    const followed = await followOrdersOfPayments(
      client,
      newest.map(({ order }) => order),
    );
    const nowMs = this.clock.now();
    await followAttempts(client, followed, nowMs);
    const changed = followed.filter(({ before, payment }) => payment.status !== before.status);
    const traces = new Map(newest.map(({ order, traceparent }) => [order.order_id, traceparent]));
    const traceOf = ({ orderId }: Payment) => traces.get(orderId);
    await followCheckouts(client, this.checkouts, followed, nowMs);
    await notifyOfPayments(client, changed, nowMs, traceOf);
    await publishPayments(client, followed, traceOf);
  }
}
