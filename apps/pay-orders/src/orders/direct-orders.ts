import { Inject, Injectable } from '@nestjs/common';
import type { CreateOrderReply } from '@tollbridge/contracts';
import type { CallContext } from '@tollbridge/rpc';
import { ServiceLogger } from '@tollbridge/bootstrap';
import type { WalletCall } from '@tollbridge/chain-port';
import type { Logger } from '@tollbridge/observability';
import type { DirectRoute } from '../chains/deployments';
import { createdReply, directOrderOf } from './create-order';
import type { OrderTerms } from './order';
import { OrdersRepository } from './storage/orders.repository';

/** Creates orders that are paid to the payment contract, with the call for the payer's wallet. */
@Injectable()
export class DirectOrders {
  constructor(
    private readonly orders: OrdersRepository,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Resolves after the commit of the order and its event. */
  async create(terms: OrderTerms, route: DirectRoute, context: CallContext): Promise<CreateOrderReply> {
    const reply = createdReply(terms, null, { walletCall: await this.walletCall(terms, route) });
    await this.orders.insert({ terms, context }, reply);
    return reply;
  }

  /** The order can be created and paid without this call, so a failing node does not fail the order. */
  private async walletCall(terms: OrderTerms, route: DirectRoute): Promise<WalletCall | null> {
    try {
      return await route.adapter.walletCall(directOrderOf(terms, route), terms.payerAddress);
    } catch (error) {
      this.logger.warn(
        { chain: route.chain.id, orderId: terms.id, err: error },
        'order without a wallet call',
      );
      return null;
    }
  }
}
