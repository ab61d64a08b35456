import { Inject, Injectable } from '@nestjs/common';
import { Clock, type TransactionClient } from '@tollbridge/database';
import type { OrderChange, OrderListener } from '../orders/order-change';
import { followOrdersOfPayments } from './payments.repository';
import { tellOfPayments } from './tell-payment';

/** Payments follow their orders, also back when a chain drops a block, and on when money comes late. */
@Injectable()
export class PaymentsOfOrders implements OrderListener {
  constructor(@Inject(Clock) private readonly clock: Clock) {}

  async onOrders(changes: readonly OrderChange[], client: TransactionClient): Promise<void> {
    const newest = changes.filter(({ isNewest }) => isNewest).map(({ order }) => order);
    const followed = await followOrdersOfPayments(client, newest);
    const moved = followed.filter(({ before, payment }) => payment.status !== before.status);
    await tellOfPayments(client, moved, this.clock.now());
  }
}
