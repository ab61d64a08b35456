import { Injectable } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { canonicalTxHash, findChain } from '@tollbridge/chains';
import type { TransactionClient } from '@tollbridge/database';
import type { OrderChange, OrderListener } from '../../orders/order-change';
import { lockCheckouts } from '../../payments/payments.repository';
import { PaymentSettlement } from './payment-settlement';

/**
 * Reverts PayLink payments by transactions that settle orders, since the delivery of an order looks like any transfer.
 * Also locks the links of orders that are checkouts, so that all links are locked in one order.
 */
@Injectable()
export class OrderTransfers implements OrderListener {
  constructor(private readonly settlement: PaymentSettlement) {}

  async onOrders(changes: readonly OrderChange[], client: TransactionClient): Promise<void> {
    const newest = changes.filter(({ isNewest }) => isNewest);
    const transfers = newest.flatMap(({ order, before }) => {
      const { settle_chain: network, settle_tx: hash, order_id: orderId } = order;
      const isNewSettlement = hash !== null && hash !== before?.settle_tx;
      const chain = isNewSettlement ? findChain(network) : undefined;
      return chain ? [{ chain: chain.id, txHash: canonicalTxHash(hash!), orderId }] : [];
    });
    const counting = newest.filter(({ order, before }) => [order.status, before?.status].includes('settled'));
    const orderIds = counting.map(({ order }) => order.order_id);
    await this.settlement.assignToOrders(client, transfers, {
      checkouts: orderIds.length === 0 ? async () => [] : () => lockCheckouts(client, orderIds),
      context: callContext({ principal: 'watcher' }),
    });
  }
}
