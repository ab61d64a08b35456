import { Inject, Injectable } from '@nestjs/common';
import { chains, findToken, type Chain, type Token } from '@tollbridge/chains';
import { Clock } from '@tollbridge/database';
import { unitsWorth, usdValue } from '@tollbridge/prices';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { decimalNumber } from '@tollbridge/money';
import { Deployments, type CrossChainRoute } from '../chains/deployments';
import type { PayOrdersConfig } from '../config';
import { failureOf } from '../cross-chain/route-failure';
import { RouteProvider } from '../cross-chain/route-provider';
import { depositDeadline, previewRequest } from '../cross-chain/route-request';
import { TokenPrices } from '../prices/token-prices';
import type { MinAmount } from './min-amount';
import { MinAmountsRepository } from './min-amounts.repository';

const probeTimeoutMs = 5_000;
// Below every minimum, so that the provider rejects it and returns its minimum.
const probeAmount = 1n;
const referenceSymbol = 'USDC';
const referenceChain = 'eip155:8453';

/** `noRoute`: the route does not exist now. `unknown`: the provider or a price is unavailable. */
type Probed = { kind: 'measured'; minimum: MinAmount } | { kind: 'noRoute' | 'unknown' };

/** Finds the minimum amount of a route with a quote that is too small. */
@Injectable()
export class MinAmountProbe {
  /** The route of every token of every chain into the reference token. */
  readonly routes: readonly CrossChainRoute[];

  constructor(
    private readonly stored: MinAmountsRepository,
    private readonly provider: RouteProvider,
    private readonly prices: TokenPrices,
    deployments: Deployments,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: PayOrdersConfig,
  ) {
    this.routes = probedRoutes(deployments);
  }

  get isActive(): boolean {
    return this.provider.routes !== undefined;
  }

  /** Refreshes the prices. @returns whether the reference token has a price, which it may lack after a start */
  async hasPrice({ settleChain, settleToken }: CrossChainRoute): Promise<boolean> {
    await this.prices.refresh();
    return this.prices.usd(settleChain.id, settleToken.address) !== undefined;
  }

  /** Stores the minimum of a route. Deletes it when the route does not exist now. */
  async run(route: CrossChainRoute): Promise<void> {
    const { id: blockchain } = route.payChain;
    const { symbol: token } = route.payToken;
    const probed = await this.probe(route);
    if (probed.kind === 'noRoute') await this.stored.forget(blockchain, token);
    if (probed.kind === 'measured') await this.stored.save(probed.minimum);
  }

  private async probe(route: CrossChainRoute): Promise<Probed> {
    const { settleChain, settleToken } = route;
    const price = this.prices.usd(settleChain.id, settleToken.address);
    if (price === undefined) return { kind: 'unknown' };
    const nowMs = this.clock.now();
    const deadline = depositDeadline(nowMs, route.payChain);
    const settings = { slippageBps: this.config.PAY_ORDERS_SLIPPAGE_BPS };
    const request = previewRequest(route, probeAmount, deadline, settings);
    let least = probeAmount;
    try {
      await this.provider.routes!.quote(request, AbortSignal.timeout(probeTimeoutMs));
    } catch (error) {
      const { minUsd, minSettleAtomic, isRejected } = failureOf(error, route, price);
      if (!isRejected) return { kind: 'unknown' };
      const found =
        minSettleAtomic ?? (minUsd === null ? undefined : unitsWorth(minUsd, settleToken.decimals, price));
      if (found === undefined) return { kind: 'noRoute' };
      least = found;
    }
    const minimum = {
      payChain: route.payChain.id,
      payToken: route.payToken.symbol,
      settleChain: settleChain.id,
      settleToken: settleToken.symbol,
      settleAtomic: least,
      usd: decimalNumber(usdValue(least, settleToken.decimals, price)),
      measuredAtMs: nowMs,
    };
    return { kind: 'measured', minimum };
  }
}

function probedRoutes(deployments: Deployments): CrossChainRoute[] {
  const reference = referenceOf(deployments);
  if (!reference) return [];
  const { chain: settleChain, token: settleToken } = reference;
  const payable = chains.filter(({ isTestnet }) => !isTestnet).map(({ id }) => deployments.known(id)!);
  return payable
    .flatMap((payChain) => payChain.tokens.map((payToken) => ({ payChain, payToken })))
    .filter(({ payChain, payToken }) => payChain !== settleChain || payToken !== settleToken)
    .map((from) => ({ method: 'CrossChain', ...from, settleChain, settleToken }));
}

function referenceOf(deployments: Deployments): { chain: Chain; token: Token } | undefined {
  for (const chain of [...deployments.chains, deployments.known(referenceChain)!]) {
    const token = findToken(chain, referenceSymbol);
    if (token) return { chain, token };
  }
  return undefined;
}
