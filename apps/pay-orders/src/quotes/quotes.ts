import { Inject, Injectable } from '@nestjs/common';
import type { QuoteReply } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { Deployments, type CrossChainRoute, type Pair } from '../chains/deployments';
import type { PayOrdersConfig } from '../config';
import { failureOf, requireCarried } from '../cross-chain/route-failure';
import { RouteProvider } from '../cross-chain/route-provider';
import { depositDeadline, previewRequest } from '../cross-chain/route-request';
import { expiryOf } from '../orders/order';
import { TokenPrices } from '../prices/token-prices';
import { crossChainQuote, directQuote } from './quote-view';

export type QuoteOutcome =
  | { quote: QuoteReply }
  /** The reason for the missing quote, and the minimum in dollars if that is the reason. */
  | { error: string; minUsd: string | null };

// Clients get a reply within this time, even if the provider does not answer.
const quoteTimeoutMs = 5_000;
// The rate varies. The price of an order is fixed at its creation.
const crossChainQuoteMs = 60_000;

/** Quotes of direct and cross-chain payments. */
@Injectable()
export class Quotes {
  constructor(
    private readonly deployments: Deployments,
    private readonly provider: RouteProvider,
    private readonly prices: TokenPrices,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: PayOrdersConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Resolves within 5 seconds, and never throws for a failure of the provider. */
  async quote(pair: Pair, amount: bigint): Promise<QuoteOutcome> {
    const route = this.deployments.route(pair);
    if ('reason' in route) return { error: route.reason, minUsd: null };
    if (route.method === 'CrossChain') return this.quoteAcross(route, amount);
    // A direct quote is 1:1 and cannot become outdated. It expires when an order created now would expire.
    const expiresAtMs = expiryOf(this.clock.now(), this.config.PAY_ORDERS_LIFETIME_SECONDS);
    return { quote: directQuote(route, amount, expiresAtMs, this.prices) };
  }

  private async quoteAcross(route: CrossChainRoute, amount: bigint): Promise<QuoteOutcome> {
    const { PAY_ORDERS_SLIPPAGE_BPS: slippageBps, PAY_ORDERS_LIFETIME_SECONDS: lifetimeSeconds } =
      this.config;
    const nowMs = this.clock.now();
    const deadline = depositDeadline(expiryOf(nowMs, lifetimeSeconds), route.payChain);
    const request = previewRequest(route, amount, deadline, { slippageBps });
    try {
      const quote = await this.provider.routes!.quote(request, AbortSignal.timeout(quoteTimeoutMs));
      requireCarried(route, quote);
      const terms = { slippageBps, expiresAtMs: nowMs + crossChainQuoteMs };
      return { quote: crossChainQuote(route, quote, amount, terms, this.prices) };
    } catch (error) {
      const price = this.prices.usd(route.settleChain.id, route.settleToken.address);
      const { sentence, minUsd, isRejected } = failureOf(error, route, price);
      if (!isRejected) this.logger.warn({ err: error }, 'route provider quote failed');
      return { error: sentence, minUsd };
    }
  }
}
