import { Inject, Injectable } from '@nestjs/common';
import { Clock, type TransactionClient } from '@tollbridge/data';
import type { OrderChange, OrderListener } from '../orders/order-change';
import { followOrderOfPayment } from './payments.repository';
import { tellOfPayment } from './tell-payment';

/** Payments follow their orders, also back when a chain drops a block, and on when money comes late. */
@Injectable()
export class PaymentsOfOrders implements OrderListener {
  constructor(@Inject(Clock) private readonly clock: Clock) {}

  async onOrder({ order, isNewest }: OrderChange, client: TransactionClient): Promise<void> {
    if (!isNewest) return;
    const followed = await followOrderOfPayment(client, order);
    if (!followed || followed.payment.status === followed.before.status) return;
    await tellOfPayment(client, followed.payment, followed.request, this.clock.now());
  }
}
