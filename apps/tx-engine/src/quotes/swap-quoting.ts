import { Inject, Injectable } from '@nestjs/common';
import type { AskedProvider, SwapQuoteReply } from '@tollbridge/contracts';
import type { CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { rateOf } from '@tollbridge/money';
import { untilAborted } from '@tollbridge/http';
import { SwapRouter, type ProviderAnswer, type RoutedSwap, type SwapRequest } from '@tollbridge/routing';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { v7 as uuid } from 'uuid';
import { EvmChains } from '../chains/evm-chains';
import type { TxEngineConfig } from '../config';
import { GasPrices } from '../chains/gas-prices';
import { SwapPrices } from './prices';
import { providerFailure } from './quote-failure';
import { QuotesRepository, type StoredQuote } from './quotes.repository';
import { feeView, stepView, tokenView } from './swap-view';

// The gas of a typical approval. The build simulates the real one.
const approvalGasUnits = 50_000n;
// A quote without a gas price is better than a late quote.
const gasPriceTimeoutMs = 2_000;

/** Requests quotes from all providers of a pair, and stores the best one. */
@Injectable()
export class SwapQuoting {
  constructor(
    private readonly router: SwapRouter,
    private readonly chains: EvmChains,
    private readonly gasPrices: GasPrices,
    private readonly prices: SwapPrices,
    private readonly quotes: QuotesRepository,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: TxEngineConfig,
  ) {}

  async quote(swap: SwapRequest, owner: string, context: CallContext): Promise<SwapQuoteReply> {
    // Read first, because the router uses it to value the gas of each provider's quote.
    const { chainId } = this.chains.ofToken(swap.from).chain;
    const reading = untilAborted(this.gasPrices.perUnit(chainId), AbortSignal.timeout(gasPriceTimeoutMs));
    const gasPerUnit = await reading.catch(() => null);
    const routed = await this.route(swap);
    const expiresAtMs = (Math.floor(this.clock.now() / 1_000) + this.config.TX_ENGINE_QUOTE_SECONDS) * 1_000;
    const quote: StoredQuote = {
      id: uuid(),
      owner,
      provider: routed.provider,
      from: swap.from,
      to: swap.to,
      amountInAtomic: swap.amountInAtomic,
      amountOutAtomic: routed.quote.amountOutAtomic,
      minAmountOutAtomic: routed.quote.minAmountOutAtomic,
      slippageBps: swap.slippageBps,
      expiresAtMs,
    };
    const reply = this.view(quote, routed, gasPerUnit);
    await this.quotes.insert(quote, context, reply);
    return reply;
  }

  private async route(swap: SwapRequest): Promise<RoutedSwap> {
    try {
      return await this.router.quote(swap);
    } catch (error) {
      throw providerFailure(error, swap.to);
    }
  }

  private view(quote: StoredQuote, routed: RoutedSwap, gasPerUnit: bigint | null): SwapQuoteReply {
    const { from, to, amountInAtomic, amountOutAtomic } = quote;
    const { gasUnits, priceImpactBps, fees, steps, estimatedSeconds } = routed.quote;
    const allGas = gasUnits + (from.address === null ? 0n : approvalGasUnits);
    const coin = this.chains.coin(this.chains.ofToken(from).chain.chainId);
    return {
      quoteId: quote.id,
      inputToken: tokenView(this.chains, from),
      outputToken: tokenView(this.chains, to),
      inputAmount: String(amountInAtomic),
      outputAmount: String(amountOutAtomic),
      minOutputAmount: String(quote.minAmountOutAtomic),
      exchangeRate: rateOf(amountOutAtomic, to.decimals, amountInAtomic, from.decimals),
      priceImpact: priceImpactBps === null ? null : percent(priceImpactBps),
      slippageBps: quote.slippageBps,
      fees: fees.map((fee) => feeView(this.chains, this.prices, fee)),
      route: steps.map((step) => stepView(this.chains, step)),
      provider: routed.provider,
      reason: routed.reason,
      asked: routed.answers.map(answerView),
      estimatedGas: String(allGas),
      estimatedGasUsd: gasPerUnit === null ? null : this.prices.value(coin, allGas * gasPerUnit),
      estimatedTime: estimatedSeconds,
      expiresAt: quote.expiresAtMs / 1_000,
    };
  }
}

function answerView(answer: ProviderAnswer): AskedProvider {
  const { provider } = answer;
  if (answer.outcome !== 'quoted')
    return { provider, outputAmount: null, gasInOutputToken: null, problem: answer.reason };
  const { amountOutAtomic, gasCostAtomic } = answer;
  const gasInOutputToken = gasCostAtomic === null ? null : String(gasCostAtomic);
  return { provider, outputAmount: String(amountOutAtomic), gasInOutputToken, problem: null };
}

/** Formats basis points as percent. */
function percent(bps: number): string {
  const whole = Math.max(0, Math.round(bps));
  return `${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
}
