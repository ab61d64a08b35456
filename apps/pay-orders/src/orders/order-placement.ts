import { Inject, Injectable } from '@nestjs/common';
import type { CreateOrderReply, CreateOrderRequest, OrderTermsRequest } from '@tollbridge/contracts';
import { DomainError, makerOf, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { KeyBudgets } from '@tollbridge/key-budgets';
import { OutboxWorker, ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { WalletCall } from '@tollbridge/chain-port';
import type { Logger } from '@tollbridge/observability';
import { Deployments, type DirectRoute, type PayRoute } from '../chains/deployments';
import type { PayOrdersConfig } from '../config';
import { RouteCommitments } from '../cross-chain/commit-route';
import { TokenPrices } from '../prices/token-prices';
import { RefundAccounts } from '../refunds/evm/refund-accounts';
import { RefundAddressesRepository, type RefundAddress } from '../refunds/refund-addresses.repository';
import { createdReply, directOrderOf, spendOf, termsOf } from './create-order';
import type { OrderTerms } from './order';
import { OrdersRepository } from './storage/orders.repository';

/** Creates orders, after a reservation of the API key's budget. */
@Injectable()
export class OrderPlacement {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly deployments: Deployments,
    private readonly commitments: RouteCommitments,
    private readonly accounts: RefundAccounts,
    private readonly addresses: RefundAddressesRepository,
    private readonly spends: KeyBudgets,
    private readonly prices: TokenPrices,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: PayOrdersConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  async place(request: CreateOrderRequest, context: CallContext): Promise<CreateOrderReply> {
    return this.create(request, this.routeOf(request), context);
  }

  /** The route provider refunds to an address of the refund account that no other order has. */
  async placeWithoutPayer(request: OrderTermsRequest, context: CallContext): Promise<CreateOrderReply> {
    const route = this.routeOf(request);
    if (route.method === 'Direct')
      throw new DomainError('ROUTE_UNAVAILABLE', 'A direct order needs the address of its payer.');
    const refundAddress = await this.refundAddressOn(route.payChain.id);
    const { address: payer_address } = refundAddress;
    return this.create({ ...request, payer_address }, route, context, refundAddress);
  }

  private routeOf(request: OrderTermsRequest): PayRoute {
    const route = this.deployments.route(request);
    if ('reason' in route) throw new DomainError('ROUTE_UNAVAILABLE', route.reason);
    return route;
  }

  private async refundAddressOn(chain: string): Promise<RefundAddress> {
    const kind = this.accounts.kindOf({ id: chain });
    if (kind === null)
      throw new DomainError('ROUTE_UNAVAILABLE', `Orders that are paid on ${chain} need a payer_address.`);
    if (kind === 'manual') return { address: this.accounts.options.manualAccounts.get(chain)!, index: null };
    const index = await this.addresses.nextIndex();
    return { address: this.accounts.addressOf(index), index };
  }

  private async create(
    request: CreateOrderRequest,
    route: PayRoute,
    context: CallContext,
    refundAddress?: RefundAddress,
  ): Promise<CreateOrderReply> {
    const lifetimeSeconds = this.config.PAY_ORDERS_LIFETIME_SECONDS;
    const isPayerless = refundAddress !== undefined;
    const terms = termsOf(request, route, this.clock.now(), lifetimeSeconds, { isPayerless });
    const insert = () =>
      route.method === 'Direct'
        ? this.insertDirect(terms, route, context)
        : this.commitments.commit(terms, route, context, refundAddress);
    // Any client may hold a publishable key: it must not use up the budget of its owner.
    const isCounted = makerOf(context) !== undefined;
    const reply = isCounted
      ? await this.spends.during(context, () => spendOf(terms, route, this.prices), insert)
      : await insert();
    this.outbox.wake();
    return reply;
  }

  private async insertDirect(
    terms: OrderTerms,
    route: DirectRoute,
    context: CallContext,
  ): Promise<CreateOrderReply> {
    const reply = createdReply(terms, null, { walletCall: await this.walletCall(terms, route) });
    await this.orders.insert({ terms, context }, reply);
    return reply;
  }

  /** An order can be created and paid without it, so a failing node does not fail the order. */
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
