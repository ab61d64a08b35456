import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PollingLoop, ServiceConfig, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { facilitatorApi, type ReceivedSettlement } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import { parseUnits } from '@tollbridge/money';
import type { Logger } from '@tollbridge/observability';
import { BusClient } from '@tollbridge/rpc';
import { PayoutChains } from '../../payouts/payout-chains';
import { atomicOf, isSolana, usdDigits } from '../sale';
import type { SalesConfig } from '../settings';
import { WaysToPay, type WayToPay } from '../ways-to-pay';
import { receivedOnEvm } from './evm-received';
import type { Received } from './received';
import { UnclaimedRepository } from './unclaimed.repository';

interface Scan {
  received: Received[];
  /** The start of the next scan, after all of `received` are recorded. */
  next: number;
  /** Returns the start of the next scan when this payment has to wait. */
  positionOf(received: Received): number;
}

const scanEveryMs = 15_000;
// Limits of one scan. A wallet that was not read for a day catches up in a few scans.
const mostBlocks = 5_000;
const mostPages = 25;
// Tolerance for clock skew: several replicas record when settlements become final.
const clockSkewMs = 60_000;

/**
 * Compares payments to the sales wallets with the sales. Refunds a payment without a sale if another account or call
 * settled it. Lists any other transfer for an operator. Safe in any number of replicas.
 */
@Injectable()
export class UnclaimedWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: PollingLoop;

  constructor(
    private readonly ways: WaysToPay,
    private readonly chains: PayoutChains,
    private readonly bus: BusClient,
    private readonly repository: UnclaimedRepository,
    @Inject(ServiceConfig) private readonly config: Pick<SalesConfig, 'SALES' | 'SALES_MARGIN_MIN_USD'>,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (err: unknown) =>
      logger.warn({ err }, 'payments to the sales wallets not read, retrying');
    this.loop = new PollingLoop(() => this.step(), scanEveryMs, onError);
  }

  onApplicationBootstrap(): void {
    if (this.config.SALES === 'on') this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.config.SALES === 'on') await this.loop.stop();
  }

  async step(): Promise<PollResult> {
    const ways = (await this.ways.all()).filter(({ scheme }) => scheme === 'exact');
    const outcomes = await Promise.allSettled(ways.map((way) => this.scan(way)));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        this.logger.warn({ err: outcome.reason }, 'payments to a sales wallet not read, retrying');
    return { kind: 'done' };
  }

  private async scan(way: WayToPay): Promise<void> {
    const { network } = way;
    const asset = assetOf(way);
    const from = await this.repository.position(network, asset);
    const { received, next, positionOf } = isSolana(network)
      ? await this.scanSolana(way, from)
      : await this.scanEvm(way, from);
    let position = next;
    for (const one of received) {
      const recorded = await this.repository.record(one, this.refundOf(way, one));
      if (recorded === 'later') position = Math.min(position, positionOf(one));
      this.report(one, recorded);
    }
    if (position !== from) await this.repository.moveTo(network, asset, position);
  }

  /** Scans from the block of the first scan on: earlier payments belong to the operator. */
  private async scanEvm(way: WayToPay, from: number | undefined): Promise<Scan> {
    const { network, payTo: wallet } = way;
    const asset = assetOf(way);
    const place = this.chains.find(network);
    if (!place) throw new Error(`the chain ${network} of a sale is not configured`);
    const head = await place.rpc.head();
    const last = Math.max(0, head.height - place.chain.confirmations + 1);
    const start = from ?? last;
    const toBlock = Math.min(last, start + mostBlocks);
    if (toBlock < start) return { received: [], next: start, positionOf: () => start };
    const received = await receivedOnEvm(
      place.rpc,
      { network, asset, wallet, fromBlock: start, toBlock },
      (transactions) => this.repository.claimedIn(network, transactions),
    );
    const heights = new Map(received.map((it) => [it.transaction, it.height]));
    return { received, next: toBlock + 1, positionOf: ({ transaction }) => heights.get(transaction)! };
  }

  /**
   * Scans Solana. An x402 payment specifies the fee payer of this deployment, so only its facilitator can have sent it.
   */
  private async scanSolana({ network, payTo, asset }: WayToPay, from: number | undefined): Promise<Scan> {
    const start = from ?? this.clock.now();
    const settlements = await this.settledSince(network, payTo, Math.max(0, start - clockSkewMs));
    const own = [...settlements.values()].filter((it) => it.asset === asset);
    const received = own.map(({ payer, nonce, amount, transaction }) => {
      return { network, asset, payer, nonce, amountAtomic: BigInt(amount), transaction, logIndex: 0 };
    });
    const timeOf = ({ transaction }: Received) => settlements.get(transaction)!.finalAtMs;
    const next = Math.max(start, ...[...settlements.values()].map(({ finalAtMs }) => finalAtMs));
    return { received, next, positionOf: timeOf };
  }

  /**
   * Returns settlements by transaction. A page may cover less than a minute, so the next page starts at its last time.
   */
  private async settledSince(
    network: string,
    payTo: string,
    sinceMs: number,
  ): Promise<Map<string, ReceivedSettlement>> {
    const { receivedSettlements } = facilitatorApi.operations;
    const found = new Map<string, ReceivedSettlement>();
    let fromMs = sinceMs;
    for (let pages = 0; pages < mostPages; pages++) {
      const { settlements } = await this.bus.call(receivedSettlements, { network, payTo, sinceMs: fromMs });
      for (const it of settlements) found.set(it.transaction, it);
      const lastMs = settlements.at(-1)?.finalAtMs ?? fromMs;
      if (lastMs === fromMs) break;
      fromMs = lastMs;
    }
    return found;
  }

  /** Returns undefined for less than the gas of a refund: otherwise any client could make this deployment spend gas. */
  private refundOf({ requirements, decimals }: WayToPay, { nonce, amountAtomic }: Received) {
    const least = atomicOf(parseUnits(this.config.SALES_MARGIN_MIN_USD, usdDigits), decimals);
    if (nonce === null || amountAtomic < least) return undefined;
    return { paymentPayload: {}, paymentRequirements: requirements };
  }

  private report({ network, transaction, payer, amountAtomic }: Received, recorded: string): void {
    const about = { network, transaction, payer, amountAtomic: String(amountAtomic) };
    if (recorded === 'refunding') this.logger.warn(about, 'payment without a sale refunded');
    if (recorded === 'listed')
      this.logger.error(about, 'payment to the sales wallet without a sale, operator action needed');
  }
}

const assetOf = ({ asset, network }: WayToPay): string => (isSolana(network) ? asset : asset.toLowerCase());
