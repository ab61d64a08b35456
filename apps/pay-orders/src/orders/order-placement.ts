import { Inject, Injectable } from '@nestjs/common';
import type { Conversion, CreateOrderReply } from '@tollbridge/contracts';
import { makerOf, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { KeyBudgets } from '@tollbridge/key-budgets';
import { OutboxWorker, ServiceConfig } from '@tollbridge/bootstrap';
import type { PayRoute } from '../chains/deployments';
import type { PayOrdersConfig } from '../config';
import { RouteCommitments } from '../cross-chain/commit-route';
import { TokenPrices } from '../prices/token-prices';
import type { RefundAddress } from '../refunds/refund-addresses.repository';
import { spendOf, termsOf, type OrderRequest } from './create-order';
import { DirectOrders } from './direct-orders';
import { orderCreated } from './order';

/** Creates orders, after reserving the budget of the API key. */
@Injectable()
export class OrderPlacement {
  constructor(
    private readonly direct: DirectOrders,
    private readonly commitments: RouteCommitments,
    private readonly spends: KeyBudgets,
    private readonly prices: TokenPrices,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: PayOrdersConfig,
  ) {}

  /**
   * @param refundAddress for an order without a payer
   * @param conversion for an order with a price
   */
  async place(
    request: OrderRequest,
    route: PayRoute,
    context: CallContext,
    {
      refundAddress,
      conversion = null,
    }: { refundAddress?: RefundAddress; conversion?: Conversion | null } = {},
  ): Promise<CreateOrderReply> {
    const lifetimeSeconds = this.config.PAY_ORDERS_LIFETIME_SECONDS;
    const isPayerless = refundAddress !== undefined;
    const terms = termsOf(request, route, this.clock.now(), lifetimeSeconds, {
      isPayerless,
      conversion,
    });
    const create = () =>
      route.method === 'Direct'
        ? this.direct.create(terms, route, context)
        : this.commitments.commit(terms, route, context, refundAddress);
    // Any client may have a publishable key, so it must not use up the budget of its owner.
    const isCounted = makerOf(context) !== undefined;
    const reply = isCounted
      ? await this.spends.during(context, () => spendOf(terms, route, this.prices), create)
      : await create();
    // A direct order leaves nothing else to do before its payment.
    this.outbox.wake(route.method === 'Direct' ? orderCreated : undefined);
    return reply;
  }
}
