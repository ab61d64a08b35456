import { Inject, Injectable } from '@nestjs/common';
import { quotesApi, type PaymentOption } from '@tollbridge/contracts';
import { BusClient, DomainError, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { LRUCache } from 'lru-cache';
import { ChainNodes } from '../../chains/chain-nodes';
import { candidatesFor, optionOf, sorted, type FromToken } from './payment-options';
import { RefundChains } from './refund-chains';
import type { PaymentRequest } from '../payment';
import type { PayAmount } from '../payments.repository';
import { RequestAmounts } from '../requests/request-amounts';

/** What a payer can pay for a request now. */
export interface Offer extends PayAmount {
  options: PaymentOption[];
}

/** The quoted options of one amount. */
interface Quoted {
  /** In the order of the candidates. An option is undefined while its quote has not arrived. */
  options: (PaymentOption | undefined)[];
  /** Resolves when every quote has succeeded or failed. */
  all: Promise<unknown>;
}

// The longest time that a page waits for quotes. Later quotes are cached for the next request.
const waitTimeoutMs = 2_500;
// A reload within this time shows the same prices. Only the order fixes a price.
const freshMs = 20_000;
const maxCached = 500;
// Above this number of quotes in flight, only direct options are offered, since they need no quote of a provider.
const maxInFlight = 400;

/** Quotes the payment options of payers, with a short-lived cache. */
@Injectable()
export class OptionQuotes {
  private readonly cached: LRUCache<string, Quoted>;
  private inFlight = 0;

  constructor(
    private readonly bus: BusClient,
    private readonly chains: ChainNodes,
    private readonly refundChains: RefundChains,
    private readonly amounts: RequestAmounts,
    @Inject(Clock) clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.cached = new LRUCache({ max: maxCached, ttl: freshMs, ttlResolution: 0, perf: clock });
  }

  /**
   * The amount of a request at the current rate, and its options.
   * @throws DomainError RATE_UNAVAILABLE
   */
  async offerFor(request: PaymentRequest, settle: FromToken, context: CallContext): Promise<Offer> {
    const converted = this.amounts.of(request);
    return { ...converted, options: await this.optionsFor(settle, converted.amount, context) };
  }

  /** Resolves within `waitTimeoutMs` and never rejects. Options without a quote are omitted. */
  async optionsFor(settle: FromToken, amount: bigint, context: CallContext): Promise<PaymentOption[]> {
    const key = `${settle.chain.id} ${settle.token.symbol} ${amount}`;
    const quoted = this.cached.get(key) ?? this.request(key, settle, amount, context);
    await within(waitTimeoutMs, quoted.all);
    return sorted(quoted.options.filter((option) => option !== undefined));
  }

  private request(key: string, settle: FromToken, amount: bigint, context: CallContext): Quoted {
    const candidates = candidatesFor(settle, this.chains);
    const isBusy = this.inFlight + candidates.length > maxInFlight;
    const options: Quoted['options'] = [];
    const quotes = (isBusy ? [settle] : candidates).map(async (from, at) => {
      options[at] = await this.quote(from, settle, amount, context);
    });
    const quoted = { options, all: Promise.all(quotes) };
    if (!isBusy) this.cached.set(key, quoted);
    return quoted;
  }

  private async quote(
    from: FromToken,
    settle: FromToken,
    amount: bigint,
    context: CallContext,
  ): Promise<PaymentOption | undefined> {
    const pair = {
      pay_blockchain: from.chain.id,
      pay_token: from.token.symbol,
      settle_chain: settle.chain.id,
      settle_token: settle.token.symbol,
    };
    this.inFlight++;
    try {
      const { requestId, traceparent } = context;
      const asking = { requestId, traceparent, principal: 'public' };
      const input = { ...pair, settle_amount: String(amount) };
      const [quote, refundChains] = await Promise.all([
        this.bus.call(quotesApi.operations.quote, input, asking),
        this.refundChains.read(context),
      ]);
      return optionOf(from, settle, quote, refundChains);
    } catch (error) {
      // A token pair without a provider is expected, so only other failures are logged.
      if (!(error instanceof DomainError) || error.code !== 'QUOTE_UNAVAILABLE')
        this.logger.warn({ err: error }, 'payment option quote failed');
      return undefined;
    } finally {
      this.inFlight--;
    }
  }
}

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
