import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { MinAmountsReply } from '@tollbridge/contracts';
import { chains, findToken, type Chain, type Token } from '@tollbridge/chains';
import { Clock, Leases, type Lease } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { unitsWorth, usdValue } from '@tollbridge/prices';
import {
  PollingLoop,
  ServiceConfig,
  ServiceLogger,
  standingBy,
  WorkHints,
  type PollResult,
} from '@tollbridge/bootstrap';
import { decimalNumber } from '@tollbridge/money';
import { Deployments, type CrossChainRoute } from '../chains/deployments';
import type { PayOrdersConfig } from '../config';
import { failureOf } from '../cross-chain/route-failure';
import { RouteProvider } from '../cross-chain/route-provider';
import { depositDeadline, previewRequest } from '../cross-chain/route-request';
import { TokenPrices } from '../prices/token-prices';
import type { MinAmount } from './min-amount';
import { minAmountsReply } from './min-amounts-view';
import { MinAmountsRepository } from './min-amounts.repository';

// Minimums follow the chains' fees, which change within minutes at the fastest.
const roundMs = 10 * 60_000;
// Pause after a round that could not start.
const retryMs = 2_000;
const followMs = 15_000;
const probeTimeoutMs = 5_000;
// A replica that takes over probing starts a new round; its results are published after this many probes.
const publishEvery = 10;
// Below every minimum: the provider rejects it and states its minimum.
const probeAmount = 1n;
const referenceSymbol = 'USDC';
const referenceChain = 'eip155:8453';

/**
 * The minimum amounts of the route provider. It publishes none, so one replica probes them by quotes that are too
 * small, one after the other, and shares the results.
 */
@Injectable()
export class MinAmounts implements OnApplicationBootstrap, OnApplicationShutdown {
  private snapshot: MinAmountsReply = minAmountsReply([]);
  private readonly probing: PollingLoop;
  private readonly following: PollingLoop;
  private readonly warn: (error: unknown) => void;
  private lease: Lease | undefined;
  private readonly routes: CrossChainRoute[];
  private next = 0;
  private roundStartMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly stored: MinAmountsRepository,
    private readonly provider: RouteProvider,
    private readonly prices: TokenPrices,
    deployments: Deployments,
    private readonly hints: WorkHints,
    private readonly leases: Leases,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: PayOrdersConfig,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    this.routes = probedRoutes(deployments);
    this.warn = (error) => logger.warn({ err: error }, 'minimum amounts refresh failed');
    this.probing = new PollingLoop(
      () => this.step(),
      Math.max(config.PAY_ORDERS_PROBE_EVERY_MS, 1),
      this.warn,
    );
    hints.wakes(this.probing);
    this.following = new PollingLoop(() => this.readSnapshot(), followMs, this.warn);
  }

  async onApplicationBootstrap(): Promise<void> {
    // Before the first request, so that known minimums survive a restart.
    await this.readSnapshot().catch(this.warn);
    this.following.start();
    if (!this.provider.routes || this.config.PAY_ORDERS_PROBE_EVERY_MS === 0) return;
    this.lease = this.leases.candidate('probe min-amounts');
    this.lease.onAcquired(() => this.probing.wake());
    this.probing.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.probing.stop(), this.following.stop()]);
  }

  /** The minimum amounts from memory. */
  reply(): MinAmountsReply {
    return this.snapshot;
  }

  private async readSnapshot(): Promise<'done'> {
    this.snapshot = minAmountsReply(await this.stored.read());
    return 'done';
  }

  /** Probes one route. */
  private async step(): Promise<PollResult> {
    if (!this.lease?.isHeld) return standingBy;
    const nowMs = this.clock.now();
    const route = this.routes[this.next]!;
    if (this.next === 0) {
      const nextMs = this.roundStartMs + roundMs;
      if (nowMs < nextMs) return this.hints.idleUntil(nextMs);
      await this.prices.refresh();
      // All minimums are counted in one token: without its price, as after a start, a round is useless.
      const isPriced = this.prices.usd(route.settleChain.id, route.settleToken.address) !== undefined;
      this.roundStartMs = isPriced ? nowMs : nowMs - roundMs + retryMs;
      if (!isPriced) return 'done';
    }
    // Advance first: a route that fails each time must not block the others.
    this.next = (this.next + 1) % this.routes.length;
    try {
      await this.probe(route);
    } finally {
      if (this.next % publishEvery === 0) this.snapshot = minAmountsReply(await this.stored.publish());
    }
    return 'done';
  }

  private async probe(route: CrossChainRoute): Promise<void> {
    const { id: blockchain } = route.payChain;
    const { symbol: token } = route.payToken;
    const minimum = await this.minimumOf(route);
    if (minimum === 'unknown') return;
    if (minimum === 'none') await this.stored.forget(blockchain, token);
    else await this.stored.save(minimum);
  }

  /** `none` where the route does not exist now; `unknown` where the provider or a price is unavailable. */
  private async minimumOf(route: CrossChainRoute): Promise<MinAmount | 'none' | 'unknown'> {
    const { settleChain, settleToken } = route;
    const price = this.prices.usd(settleChain.id, settleToken.address);
    if (price === undefined) return 'unknown';
    const nowMs = this.clock.now();
    const deadline = depositDeadline(nowMs, route.payChain);
    const settings = { slippageBps: this.config.PAY_ORDERS_SLIPPAGE_BPS };
    const request = previewRequest(route, probeAmount, deadline, settings);
    let least = probeAmount;
    try {
      await this.provider.routes!.quote(request, AbortSignal.timeout(probeTimeoutMs));
    } catch (error) {
      const { minUsd, minSettleAtomic, isRejected } = failureOf(error, route, price);
      if (!isRejected) return 'unknown';
      const found =
        minSettleAtomic ?? (minUsd === null ? undefined : unitsWorth(minUsd, settleToken.decimals, price));
      if (found === undefined) return 'none';
      least = found;
    }
    return {
      payChain: route.payChain.id,
      payToken: route.payToken.symbol,
      settleChain: settleChain.id,
      settleToken: settleToken.symbol,
      settleAtomic: least,
      usd: decimalNumber(usdValue(least, settleToken.decimals, price)),
      measuredAtMs: nowMs,
    };
  }
}

/** The route of every token of every chain into the reference token. */
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
