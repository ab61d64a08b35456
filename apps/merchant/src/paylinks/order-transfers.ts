import { Injectable } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { canonicalTxHash, findChain } from '@tollbridge/chains';
import type { TransactionClient } from '@tollbridge/database';
import type { OrderChange, OrderListener } from '../orders/order-change';
import { SettlePayment } from './settle-payment';

/** A transaction that settles an order pays no link, even if a link has counted it: a delivery looks like any transfer. */
@Injectable()
export class OrderTransfers implements OrderListener {
  constructor(private readonly settlement: SettlePayment) {}

  async onOrders(changes: readonly OrderChange[], client: TransactionClient): Promise<void> {
    const transfers = changes.flatMap(({ order, before, isNewest }) => {
      const { settle_chain: network, settle_tx: hash } = order;
      const isNewSettlement = isNewest && hash !== null && hash !== before?.settle_tx;
      const chain = isNewSettlement ? findChain(network) : undefined;
      return chain ? [{ chain: chain.id, txHash: canonicalTxHash(hash!) }] : [];
    });
    await this.settlement.assignToOrders(client, transfers, callContext({ principal: 'watcher' }));
  }
}
