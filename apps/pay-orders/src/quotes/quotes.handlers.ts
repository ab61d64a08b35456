import { Controller, Inject } from '@nestjs/common';
import { quotesApi, type QuoteReply, type QuoteRequest } from '@tollbridge/api';
import { DomainError, Handles } from '@tollbridge/bus';
import { Clock } from '@tollbridge/data';
import { formatUnits } from '@tollbridge/money';
import { ServiceConfig } from '@tollbridge/service';
import { Deployments } from '../chains/deployments';
import type { PayOrdersConfig } from '../config';
import { expiryOf } from '../orders/order';
import { settlementSeconds } from './settlement-time';

@Controller()
@Handles(quotesApi)
export class QuotesHandlers {
  constructor(
    private readonly deployments: Deployments,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: PayOrdersConfig,
  ) {}

  quote(request: QuoteRequest): QuoteReply {
    const route = this.deployments.route(request);
    if ('reason' in route) throw new DomainError('QUOTE_UNAVAILABLE', route.reason);
    const { settle_amount: amount } = request;
    // A direct quote is 1:1 and cannot go stale; it expires when an order made from it now would.
    const expiresAtMs = expiryOf(this.clock.now(), this.config.PAY_ORDERS_LIFETIME_SECONDS);
    const formatted = formatUnits(BigInt(amount), route.token.decimals);
    return {
      method: 'Direct',
      pay_amount: amount,
      pay_amount_formatted: formatted,
      receive_amount: amount,
      receive_amount_formatted: formatted,
      estimated_time: settlementSeconds(route.chain),
      exchange_rate: '1',
      slippage_bps: 0,
      expires_at: new Date(expiresAtMs).toISOString(),
    };
  }
}
