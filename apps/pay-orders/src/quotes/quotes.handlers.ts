import { Controller, Inject } from '@nestjs/common';
import { quotesApi, type QuoteReply, type QuoteRequest } from '@tollbridge/api';
import { DomainError, Handles } from '@tollbridge/bus';
import { Clock } from '@tollbridge/data';
import { formatUnits } from '@tollbridge/money';
import { Deployments } from '../chains/deployments';
import { settlementSeconds } from './settlement-time';

// A direct quote is 1:1 and cannot go stale; it expires when an order made from it now would.
const quoteLifetimeMs = 30 * 60_000;

@Controller()
@Handles(quotesApi)
export class QuotesHandlers {
  constructor(
    private readonly deployments: Deployments,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  quote(request: QuoteRequest): QuoteReply {
    const route = this.deployments.route(request);
    if ('reason' in route) throw new DomainError('QUOTE_UNAVAILABLE', route.reason);
    const { settle_amount: amount } = request;
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
      expires_at: new Date(this.clock.now() + quoteLifetimeMs).toISOString(),
    };
  }
}
