import { Inject, Injectable } from '@nestjs/common';
import { quotesApi, type PaymentOption } from '@tollbridge/contracts';
import { BusClient, DomainError, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { ChainNodes } from '../chains/chain-nodes';
import { candidatesFor, optionOf, sorted, type FromToken } from './payment-options';
import { RefundChains } from './refund-chains';

/** What is known by now of the options of one amount. */
interface Quoted {
  atMs: number;
  options: PaymentOption[];
  /** Resolves when all have answered. */
  all: Promise<unknown>;
}

// A page is shown after this time with what has answered; the rest is there when it is opened again.
const patienceMs = 2_500;
// A payer who looks again sees the same prices; what he pays is fixed by the order.
const freshMs = 20_000;
const mostKept = 500;
// Beyond this many quotes under way, only direct options are offered: those ask nobody.
const mostUnderWay = 400;

/** What a payer could pay with, at the prices of the moment. */
@Injectable()
export class OptionQuotes {
  private readonly kept = new Map<string, Quoted>();
  private underWay = 0;

  constructor(
    private readonly bus: BusClient,
    private readonly chains: ChainNodes,
    private readonly refundChains: RefundChains,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Never later than in `patienceMs`, and never an exception: what gave no quote is left out. */
  async optionsFor(settle: FromToken, amount: bigint, context: CallContext): Promise<PaymentOption[]> {
    const key = `${settle.chain.id} ${settle.token.symbol} ${amount}`;
    const known = this.kept.get(key);
    const isFresh = known !== undefined && this.clock.now() - known.atMs < freshMs;
    const quoted = isFresh ? known : this.ask(key, settle, amount, context);
    await within(patienceMs, quoted.all);
    return sorted(quoted.options);
  }

  private ask(key: string, settle: FromToken, amount: bigint, context: CallContext): Quoted {
    const candidates = candidatesFor(settle, this.chains);
    const isBusy = this.underWay + candidates.length > mostUnderWay;
    const options: PaymentOption[] = [];
    const asked = (isBusy ? [settle] : candidates).map(async (from) => {
      const option = await this.quote(from, settle, amount, context);
      if (option) options.push(option);
    });
    const quoted = { atMs: this.clock.now(), options, all: Promise.all(asked) };
    if (!isBusy) this.keep(key, quoted);
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
    this.underWay++;
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
      // That there is none is an answer; anything else should be looked at.
      if (!(error instanceof DomainError) || error.code !== 'QUOTE_UNAVAILABLE')
        this.logger.warn({ err: error }, 'an option of a payment could not be quoted');
      return undefined;
    } finally {
      this.underWay--;
    }
  }

  private keep(key: string, quoted: Quoted): void {
    // The oldest stand first; one that is asked anew goes to the end.
    this.kept.delete(key);
    this.kept.set(key, quoted);
    const [oldest] = this.kept.keys();
    if (this.kept.size > mostKept && oldest !== undefined) this.kept.delete(oldest);
  }
}

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
