import { Injectable } from '@nestjs/common';
import type { TransactionClient } from '@tollbridge/database';
import type { OrderChange, OrderListener } from '../orders/order-change';
import type { CountedPayment, PayLinkListener } from '../paylinks/paylink-listener';
import { payLinkVersion, recordOfPayLink, recordsOf } from './dashboard-record';
import { DashboardRepository } from './dashboard.repository';

/**
 * Updates the dashboard in the transaction that handles each event. Outdated events are recorded too, because of the
 * flags that they set.
 */
@Injectable()
export class DashboardListener implements OrderListener, PayLinkListener {
  constructor(private readonly dashboard: DashboardRepository) {}

  async onOrders(changes: readonly OrderChange[], client: TransactionClient): Promise<void> {
    const records = changes.flatMap(({ order, type, wallet }) => recordsOf(order, type, wallet));
    await this.dashboard.record(client, records);
  }

  async onPayment(payment: CountedPayment, isCounted: boolean, client: TransactionClient): Promise<void> {
    const record = recordOfPayLink({
      ...payment,
      network: payment.chain,
      isCounted,
      version: payLinkVersion(payment.version, isCounted),
    });
    await this.dashboard.record(client, [record]);
  }
}
