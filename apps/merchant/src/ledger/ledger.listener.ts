import { Injectable } from '@nestjs/common';
import type { TransactionClient } from '@tollbridge/database';
import { payLinkVersion } from '../dashboard/dashboard-record';
import type { OrderChange, OrderListener } from '../orders/order-change';
import type { CountedPayment, PayLinkListener } from '../paylinks/paylink-listener';
import { positionOf, receivedPosition, type Target } from './ledger-position';
import { LedgerRepository } from './ledger.repository';

/** Posts what each order and each payment of a link has moved, in the transaction of the change that tells it. */
@Injectable()
export class LedgerListener implements OrderListener, PayLinkListener {
  constructor(private readonly ledger: LedgerRepository) {}

  async onOrders(changes: readonly OrderChange[], client: TransactionClient): Promise<void> {
    const targets = changes.flatMap(({ order, wallet, before, isNewest }): Target[] => {
      const position = isNewest ? positionOf(order) : [];
      // A new order that has moved nothing needs no look-up.
      if (!isNewest || (before === null && position.length === 0)) return [];
      const { order_id: id, version, updated_at: updatedAt } = order;
      return [{ wallet, reference: `order:${id}`, version, occurredAtMs: Date.parse(updatedAt), position }];
    });
    await this.ledger.post(client, targets);
  }

  async onPayment(payment: CountedPayment, isCounted: boolean, client: TransactionClient): Promise<void> {
    // What neither a node has verified nor the merchant has confirmed is a claim, and no money that was received.
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
