import { Injectable } from '@nestjs/common';
import { callContext } from '@tollbridge/bus';
import { findChain } from '@tollbridge/chains';
import type { TransactionClient } from '@tollbridge/data';
import type { OrderChange, OrderListener } from '../orders/order-change';
import { SettlePayment } from './settle-payment';
import { canonicalHash } from './transfer';

/** What settles an order pays no link, also where a link was faster: a delivery looks like any transfer. */
@Injectable()
export class OrderTransfers implements OrderListener {
  constructor(private readonly settlement: SettlePayment) {}

  async onOrder({ order, before, isNewest }: OrderChange, client: TransactionClient): Promise<void> {
    const { settle_chain: network, settle_tx: hash } = order;
    const chain = findChain(network);
    if (!isNewest || hash === null || hash === before?.settle_tx || !chain) return;
    const transfer = { chain: chain.id, txHash: canonicalHash(hash) };
    await this.settlement.giveToOrder(client, transfer, callContext({ principal: 'watcher' }));
  }
}
