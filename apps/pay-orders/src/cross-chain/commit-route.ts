import { Inject, Injectable } from '@nestjs/common';
import type { CreateOrderReply } from '@tollbridge/contracts';
import { DomainError, type CallContext } from '@tollbridge/rpc';
import { canonicalAddress } from '@tollbridge/chains';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ProviderError } from '@tollbridge/http';
import { RouteRejection, type CommittedRoute, type RouteRequest } from '@tollbridge/routing';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { decimalNumber } from '@tollbridge/money';
import type { CrossChainRoute } from '../chains/deployments';
import type { PayOrdersConfig } from '../config';
import { createdReply } from '../orders/create-order';
import type { OrderDeposit, OrderTerms } from '../orders/order';
import { TokenPrices } from '../prices/token-prices';
import type { RefundAddress } from '../refunds/refund-addresses.repository';
import { DepositsRepository } from './deposits.repository';
import { RouteCommitsRepository, type CommitOutcome } from './route-commits.repository';
import { failureOf, requireCarried } from './route-failure';
import { RouteProvider } from './route-provider';
import { feeOf, orderRequest } from './route-request';

/**
 * Requests the deposit address of an order. The request is stored before it is sent, sent only once, and its result is
 * stored with the order.
 */
@Injectable()
export class RouteCommitments {
  constructor(
    private readonly provider: RouteProvider,
    private readonly deposits: DepositsRepository,
    private readonly commits: RouteCommitsRepository,
    private readonly prices: TokenPrices,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: PayOrdersConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /**
   * Resolves after the commit of the order, its deposit and its event.
   * @param refundAddress for an order without a payer
   */
  async commit(
    terms: OrderTerms,
    route: CrossChainRoute,
    context: CallContext,
    refundAddress?: RefundAddress,
  ): Promise<CreateOrderReply> {
    const { PAY_ORDERS_SLIPPAGE_BPS: slippageBps, ONECLICK_FEE_ACCOUNT: operatorAccount } = this.config;
    const fee = feeOf(terms, route, operatorAccount);
    if (fee === undefined) {
      const sentence = `A fee cannot be paid to an address on ${route.settleChain.name}: this deployment has no ONECLICK_FEE_ACCOUNT. Use fee_amount 0.`;
      throw new DomainError('ROUTE_UNAVAILABLE', sentence);
    }
    const request = orderRequest(terms, route, { slippageBps }, fee);
    await this.commits.recordRequest(terms.id, request, this.clock.now());
    const committed = await this.ask(terms, route, request);
    const deposit = depositOf(committed, route);
    const reply = createdReply(terms, deposit, { fee });
    const order = { terms, deposit, committed, reply, ...(refundAddress && { refundAddress }) };
    await this.deposits.insertOrder(order, this.clock.now(), context);
    return reply;
  }

  private async ask(
    terms: OrderTerms,
    route: CrossChainRoute,
    request: RouteRequest,
  ): Promise<CommittedRoute> {
    try {
      const committed = await this.provider.routes!.commit(request);
      requireUsable(committed, route, terms);
      requireCarried(route, committed);
      return committed;
    } catch (error) {
      const { outcome, reason } = outcomeOf(error);
      await this.commits.recordOutcome(terms.id, outcome, reason, this.clock.now());
      if (outcome === 'unknown')
        this.logger.warn(
          { orderId: terms.id, err: error },
          'deposit address may exist unknown to any client',
        );
      const price = this.prices.usd(route.settleChain.id, route.settleToken.address);
      const { sentence, isRejected, minUsd } = failureOf(error, route, price);
      const details = minUsd === null ? {} : { details: { min_amount_usd: decimalNumber(minUsd) } };
      if (isRejected) throw new DomainError('ROUTE_UNAVAILABLE', sentence, details);
      const noOrder =
        'The route provider does not answer, so no order was created. Retry after retryAfter seconds.';
      throw new DomainError('UPSTREAM_UNAVAILABLE', noOrder, { cause: error });
    }
  }
}

function outcomeOf(error: unknown): { outcome: CommitOutcome; reason: string } {
  if (error instanceof RouteRejection) return { outcome: 'refused', reason: error.reason };
  const { message } = error as Error;
  const isKnown = error instanceof ProviderError && error.kind !== 'unknownOutcome';
  return { outcome: isKnown ? 'unavailable' : 'unknown', reason: message.slice(0, 500) };
}

// The time for a last-minute deposit to be mined.
const leastMarginMs = 10 * 60_000;

/** Checks the terms that the payer relies on. The adapter has already verified the provider's signature and amounts. */
function requireUsable(
  committed: CommittedRoute,
  { payChain }: CrossChainRoute,
  { expiresAtMs }: OrderTerms,
): void {
  const fail = (message: string): never => {
    throw new ProviderError('route', { kind: 'unknownOutcome', message });
  };
  const address = canonicalAddress(payChain, committed.deposit.address);
  if (!address.ok) fail(`the deposit address is not valid on ${payChain.id}: ${address.reason}`);
  if (committed.deadline.getTime() < expiresAtMs + leastMarginMs) fail('the deposit ends too early');
}

function depositOf(committed: CommittedRoute, { payToken }: CrossChainRoute): OrderDeposit {
  return {
    address: committed.deposit.address,
    memo: committed.deposit.memo,
    amount: committed.amountInAtomic,
    decimals: payToken.decimals,
    estimatedSeconds: committed.estimatedSeconds,
    state: 'waiting',
    depositedAmount: null,
    refundedAmount: null,
    proof: null,
    forwarded: [],
  };
}
