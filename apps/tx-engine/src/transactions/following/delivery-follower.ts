import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { SwapRouter, type SwapStatus } from '@tollbridge/routing';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { EvmChains } from '../../chains/evm-chains';
import { received } from '../building/chain-reads';
import { ChainViews, type ReceiptsView } from './chain-views';
import { Intervals } from './intervals';
import {
  depthOf,
  failed,
  firstStep,
  isAcross,
  swapOf,
  transition,
  type Delivery,
  type SetFailure,
  type TransactionSet,
} from '../transaction-set';

// The indexers of providers are slower than the chain.
const minStatusPollMs = 1_000;
const maxStatusPollMs = 60_000;
// Number of status polls until the waiting time has doubled.
const pollsPerDoubling = 20;
const warnEveryMs = 10_000;
const providerTimeoutMs = 5_000;
// A delivery that is missing for this time is logged once an hour.
const lateAfterMs = 60 * 60_000;

/** Polls a mined swap until its delivery is final. */
@Injectable()
export class DeliveryFollower {
  private readonly intervals: Intervals;

  constructor(
    private readonly chains: EvmChains,
    private readonly views: ChainViews,
    private readonly router: SwapRouter,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.intervals = new Intervals(clock, lateAfterMs);
  }

  /** For a mined swap: polls the provider for the delivery, and verifies the delivery on the chain. */
  async deliver(set: TransactionSet, view: ReceiptsView): Promise<TransactionSet> {
    const isDeep = swapOf(set).confirmations >= set.originConfirmations;
    const delivery = set.delivery ? await this.delivery(set, set.delivery.txHash, view) : null;
    if (delivery) return this.finish({ ...set, delivery }, isDeep);
    const before = set.delivery ? { ...set, delivery: null } : set;
    const status = await this.status(before);
    if (!status || status.state === 'pending' || status.state === 'refunding') return before;
    const { state, deliveryTxHash: txHash } = status;
    const found = txHash ? await this.delivery(before, txHash, view) : null;
    // The chain is authoritative: the recipient was paid, whatever state the provider reports.
    if (found) return this.finish({ ...before, delivery: found }, isDeep);
    if (state === 'delivered') this.warnOfMissingDelivery(set, txHash);
    if (state === 'delivered' || !isDeep) return before;
    return failed(before, notDelivered(set, status), this.clock.now());
  }

  private finish(set: TransactionSet, isDeep: boolean): TransactionSet {
    const { amountAtomic, confirmations, txHash } = set.delivery!;
    if (!isDeep || confirmations < set.destinationConfirmations) return set;
    if (amountAtomic < set.minAmountOutAtomic) {
      const reason = `${amountAtomic} were delivered, less than the minimum of ${set.minAmountOutAtomic}`;
      const failure = { step: set.steps.at(-1)!.type, txHash, reason, isSpent: true };
      return failed(set, failure, this.clock.now());
    }
    return { ...transition(set, 'completed'), endedAtMs: this.clock.now() };
  }

  /** Reads the delivery on its chain; null if the chain does not show it. */
  private async delivery(
    set: TransactionSet,
    txHash: string,
    origin: ReceiptsView,
  ): Promise<Delivery | null> {
    const { rpc } = this.chains.ofToken(set.to);
    const view = isAcross(set) ? await this.views.of(rpc.chainId, [txHash]) : origin;
    const receipt = view.receipts.get(txHash);
    const known = set.delivery?.txHash === txHash ? set.delivery : null;
    // A node that is behind does not prove a reorganisation.
    if (!receipt && known && view.height < known.height) return known;
    if (!receipt?.succeeded) return null;
    const confirmations = depthOf(receipt, view.height, set.destinationConfirmations);
    if (known?.blockHash === receipt.blockHash) return { ...known, confirmations };
    const amountAtomic = await received(rpc, receipt, set.to, set.recipient);
    if (amountAtomic === 0n) return null;
    const { height, blockHash } = receipt;
    return { txHash, height, blockHash, amountAtomic, confirmations, atMs: this.clock.now() };
  }

  private async status(set: TransactionSet): Promise<SwapStatus | undefined> {
    const swap = swapOf(set);
    if (isAcross(set) && !this.intervals.isDue(`status:${set.id}`, this.statusPollMs(set), -Infinity))
      return undefined;
    this.warnWhenLate(set);
    const query = { from: set.from, to: set.to, recipient: set.recipient, txHash: swap.signed!.hash };
    try {
      const provider = this.router.provider(set.provider);
      return await provider?.status(query, AbortSignal.timeout(providerTimeoutMs));
    } catch (error) {
      if (this.intervals.isDue(`silent:${set.provider}`, warnEveryMs, -Infinity))
        this.logger.warn(
          { setId: set.id, provider: set.provider, err: error },
          'swap provider status failed',
        );
      return undefined;
    }
  }

  /**
   * Returns the poll interval. Slow deliveries are polled less often, so that requests do not accumulate in an outage.
   */
  private statusPollMs(set: TransactionSet): number {
    const waitedMs = this.clock.now() - (swapOf(set).minedAtMs ?? this.clock.now());
    return Math.min(Math.max(waitedMs / pollsPerDoubling, minStatusPollMs), maxStatusPollMs);
  }

  private warnOfMissingDelivery(set: TransactionSet, txHash: string | null): void {
    if (this.intervals.isDue(`flag:${set.id}`, lateAfterMs, -Infinity))
      this.logger.warn(
        { setId: set.id, provider: set.provider, txHash },
        'delivery reported by provider not found on chain',
      );
  }

  private warnWhenLate(set: TransactionSet): void {
    const sinceMs = swapOf(set).minedAtMs ?? this.clock.now();
    if (
      this.clock.now() - sinceMs < lateAfterMs ||
      !this.intervals.isDue(`late:${set.id}`, lateAfterMs, -Infinity)
    )
      return;
    this.logger.error({ setId: set.id, provider: set.provider, sinceMs }, 'swap delivery overdue');
  }
}

/** Returns the failure of a swap that is final but not delivered. Its input is spent unless it was refunded. */
function notDelivered(
  set: TransactionSet,
  { state, refundTxHash, deliveryTxHash, reason }: SwapStatus,
): SetFailure {
  const last = set.steps.at(-1)!.type;
  const step = isAcross(set) && last === firstStep(set) ? 'bridge' : last;
  if (state === 'refunded')
    return { step, txHash: refundTxHash, reason: reason ?? 'not delivered, refunded' };
  if (state === 'deliveredOther')
    return { step, txHash: deliveryTxHash, reason: reason ?? 'another token was delivered', isSpent: true };
  return { step, txHash: refundTxHash ?? deliveryTxHash, reason: reason ?? 'not delivered', isSpent: true };
}
