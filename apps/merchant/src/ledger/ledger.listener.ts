import { Injectable } from '@nestjs/common';
import type { TransactionClient } from '@tollbridge/database';
import { payLinkVersion } from '../dashboard/dashboard-record';
import type { OrderChange, OrderListener } from '../orders/order-change';
import type { CountedPayment, PayLinkListener } from '../paylinks/paylink-listener';
import { positionOf, receivedPosition, type Target } from './ledger-position';
import { LedgerRepository } from './ledger.repository';

/** Posts the amounts of orders and PayLink payments, in the transaction of their change. */
@Injectable()
export class LedgerListener implements OrderListener, PayLinkListener {
  constructor(private readonly ledger: LedgerRepository) {}

  async onOrders(changes: readonly OrderChange[], client: TransactionClient): Promise<void> {
    const targets = changes.flatMap(({ order, wallet, before, isNewest }): Target[] => {
      const position = isNewest ? positionOf(order) : [];
      // A new order without an amount needs no lookup of earlier postings.
      if (!isNewest || (before === null && position.length === 0)) return [];
      const { order_id: id, version, updated_at: updatedAt } = order;
      return [{ wallet, reference: `order:${id}`, version, occurredAtMs: Date.parse(updatedAt), position }];
    });
    await this.ledger.post(client, targets);
  }

  async onPayment(payment: CountedPayment, isCounted: boolean, client: TransactionClient): Promise<void> {
    // A payment that is neither verified nor confirmed is only a claim, not received money.
    if (!payment.isVerified && !payment.isConfirmed) return;
    await this.ledger.post(client, [
      {
        wallet: payment.wallet,
        reference: `paylink:${payment.id}`,
        version: payLinkVersion(payment.version, isCounted),
        occurredAtMs: payment.changedAtMs,
        position: isCounted ? receivedPosition(payment, payment.amount) : [],
      },
    ]);
  }
}
