import { Inject, Injectable } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import type { EvmChain } from '@tollbridge/chains';
import type { EvmRpc } from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { SwapRouter, type SwapStatus } from '@tollbridge/routing';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { EvmChains } from '../chains/evm-chains';
import { toJson } from '../json';
import { SwapPrices } from '../quotes/prices';
import { areInChain, findReplacement, readNonces, reasonOfRevert, received } from './chain-reads';
import { ChainViews, type ReceiptsView } from './chain-views';
import { SendSet } from './send-set';
import { SetsRepository } from './sets.repository';
import {
  depthOf,
  failed,
  firstStep,
  gasCost,
  isAcross,
  isFinal,
  transition,
  nextToSend,
  applyChainView,
  stepOfTransaction,
  swapOf,
  withTransaction,
  type Delivery,
  type SetFailure,
  type SetTransaction,
  type TransactionSet,
} from './transaction-set';

// How often the nodes are polled for a transaction that is in no block.
const pendingPollMs = 3_000;
// So long after its deadline, a transaction that is mined reverts.
const dropAfterMs = 10 * 60_000;
// Provider indexers are slower than the chain.
const minStatusPollMs = 1_000;
const maxStatusPollMs = 60_000;
// Status polls per doubling of the waiting time.
const pollsPerDoubling = 20;
const warnEveryMs = 10_000;
const providerTimeoutMs = 5_000;
// A delivery that is missing for so long is logged, once an hour.
const lateAfterMs = 60 * 60_000;

/** Advances a set by the state of its chains and its provider. */
@Injectable()
export class FollowSet {
  /** The last time of each query, oldest first; in memory, since it only saves requests. */
  private readonly askedAtMs = new Map<string, number>();

  constructor(
    private readonly sets: SetsRepository,
    private readonly sender: SendSet,
    private readonly chains: EvmChains,
    private readonly views: ChainViews,
    private readonly router: SwapRouter,
    private readonly prices: SwapPrices,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Polls a set once and stores the outcome. @returns whether it changed */
  async poll(set: TransactionSet): Promise<boolean> {
    const { chain, rpc } = this.chains.ofToken(set.from);
    const found = set.state === 'signing' ? await this.start(set) : await this.advance(set, rpc);
    const after = isFinal(found) && !(await this.isInChains(found)) ? set : found;
    const nowMs = this.clock.now();
    const checkAtMs = isFinal(after) ? null : nowMs + this.pauseMs(after, chain);
    if (isUnchanged(set, after)) {
      if (checkAtMs !== null) await this.sets.postpone({ id: set.id, checkAtMs });
      return false;
    }
    const context = callContext({ principal: 'follower' });
    const saved = await this.sets.save({ before: set, after: this.costed(after), checkAtMs, nowMs, context });
    const recorded = saved && newlyRecorded(set, saved);
    if (recorded !== undefined) await this.sender.sendRecorded(saved!, recorded, context);
    return true;
  }

  /** A final state cannot be undone, so its blocks are compared with the canonical chain first. */
  private async isInChains(set: TransactionSet): Promise<boolean> {
    const blocks = set.transactions.flatMap(({ block }) => block ?? []);
    const { rpc } = this.chains.ofToken(set.from);
    if (blocks.length > 0 && !(await areInChain(rpc, blocks))) return false;
    if (!set.delivery) return true;
    const { height, blockHash: hash } = set.delivery;
    return areInChain(this.chains.ofToken(set.to).rpc, [{ height, hash }]);
  }

  /** Starts a signed set that could not be sent when it was executed. */
  private async start(set: TransactionSet): Promise<TransactionSet> {
    const nowMs = this.clock.now();
    if (nowMs >= set.validUntilMs) return { ...transition(set, 'expired'), endedAtMs: nowMs };
    const readiness = await this.sender.readiness(set);
    if (readiness === 'now') return transition(set, 'sending');
    if (typeof readiness === 'string' || 'outbid' in readiness) return set;
    return failed(
      set,
      { step: stepOfTransaction(set, set.transactions[0]!), txHash: null, reason: readiness.used },
      nowMs,
    );
  }

  private async advance(set: TransactionSet, rpc: EvmRpc): Promise<TransactionSet> {
    const hashes = set.transactions.flatMap(({ signed }) => signed?.hash ?? []);
    const view = await this.views.of(rpc.chainId, hashes);
    let now = applyChainView(set, view, this.clock.now());
    // Mined, although the process died before it recorded the broadcast.
    if (now.state === 'submitting' && now.transactions[0]!.status !== 'waiting')
      now = transition(now, 'sent');
    const reverted = now.transactions.find(({ status }) => status === 'failed');
    if (reverted) return this.revert(now, reverted, rpc);
    const next = nextToSend(now);
    if (next !== undefined) return this.send(now, next, rpc);
    const pending = now.transactions.findIndex(({ status }) => status === 'pending');
    if (pending >= 0) return this.checkPending(now, pending, rpc);
    return this.deliver(now, view);
  }

  private async send(set: TransactionSet, next: number, rpc: EvmRpc): Promise<TransactionSet> {
    const nowMs = this.clock.now();
    // A recorded transaction may have reached the chain: broadcasting it again is harmless.
    if (set.state === 'submitting')
      return this.isPastDeadline(set) ? this.checkPending(set, next, rpc) : this.sender.resend(set, next);
    // Not every provider's contract rejects late transactions, so they are not sent.
    if (nowMs >= set.validUntilMs) {
      const step = stepOfTransaction(set, set.transactions[next]!);
      const reason = 'validUntil passed before the transaction ahead of it was mined';
      return failed(set, { step, txHash: null, reason }, nowMs);
    }
    // Recorded first, broadcast after the commit: a transaction that reached the chain must never look unsent.
    return withTransaction(set, next, { status: 'pending', sentAtMs: nowMs });
  }

  private isPastDeadline({ validUntilMs }: TransactionSet): boolean {
    return this.clock.now() > validUntilMs + dropAfterMs;
  }

  /** Fails the set once the reverted transaction is deep: in another block it may succeed. */
  private async revert(
    set: TransactionSet,
    transaction: SetTransaction,
    rpc: EvmRpc,
  ): Promise<TransactionSet> {
    if (transaction.confirmations < set.originConfirmations) return set;
    const reason = await reasonOfRevert(rpc, set.user, transaction);
    const step = stepOfTransaction(set, transaction);
    return failed(set, { step, txHash: transaction.signed!.hash, reason }, this.clock.now());
  }

  /** Checks a broadcast transaction that is in no block: it is pooled, dropped, or replaced. */
  private async checkPending(set: TransactionSet, index: number, rpc: EvmRpc): Promise<TransactionSet> {
    const transaction = set.transactions[index]!;
    if (!this.isDue(`pending:${set.id}`, pendingPollMs, transaction.sentAtMs ?? -Infinity)) return set;
    const { hash } = transaction.signed!;
    const { mined } = await readNonces(rpc, set.user);
    if (mined > transaction.nonce) return this.checkReplacement(set, index, rpc);
    // One node has it. The nodes' pools differ, so otherwise it is broadcast again.
    if (await rpc.transaction(hash)) return set;
    if (!this.isPastDeadline(set)) {
      await this.sender.rebroadcast(transaction);
      return set;
    }
    const step = stepOfTransaction(set, transaction);
    const dropped = withTransaction(set, index, { status: 'dropped' });
    const reason = 'dropped by the network before it was mined';
    return failed(dropped, { step, txHash: hash, reason }, this.clock.now());
  }

  private async checkReplacement(set: TransactionSet, index: number, rpc: EvmRpc): Promise<TransactionSet> {
    const transaction = set.transactions[index]!;
    const { hash, raw } = transaction.signed!;
    const { head, found } = await rpc.pinned(async (reads) => {
      const { head, receipts } = await reads.headAndReceipts([hash]);
      // Mined between the two reads.
      if (receipts[0]) return { head, found: undefined };
      return { head, found: await findReplacement(reads, set.user, transaction, head.height) };
    });
    if (!found) return set;
    // The signer's wallet sped it up: the same call with a higher fee.
    if (found.hash && found.isSameCall)
      return withTransaction(set, index, { signed: { raw, hash: found.hash } });
    if (head.height - found.height + 1 < set.originConfirmations) return set;
    const by = found.hash ? ` (${found.hash})` : '';
    const reason = `another transaction of the signer with the nonce ${transaction.nonce} was mined in its place${by}`;
    const step = stepOfTransaction(set, transaction);
    const replaced = withTransaction(set, index, { status: 'replaced' });
    return failed(replaced, { step, txHash: found.hash, reason }, this.clock.now());
  }

  /** The swap is mined: polls the provider for its delivery, and verifies the delivery on the chain. */
  private async deliver(set: TransactionSet, view: ReceiptsView): Promise<TransactionSet> {
    const isDeep = swapOf(set).confirmations >= set.originConfirmations;
    const delivery = set.delivery ? await this.delivery(set, set.delivery.txHash, view) : null;
    if (delivery) return this.finish({ ...set, delivery }, isDeep);
    const before = set.delivery ? { ...set, delivery: null } : set;
    const status = await this.status(before);
    if (!status || status.state === 'pending' || status.state === 'refunding') return before;
    const { state, deliveryTxHash: txHash } = status;
    const found = txHash ? await this.delivery(before, txHash, view) : null;
    // The chain decides: the recipient was paid, whatever state the provider reports.
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
    // A node that lags behind does not prove a reorganisation.
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
    if (isAcross(set) && !this.isDue(`status:${set.id}`, this.statusPollMs(set), -Infinity)) return undefined;
    this.warnWhenLate(set);
    const query = { from: set.from, to: set.to, recipient: set.recipient, txHash: swap.signed!.hash };
    try {
      const provider = this.router.provider(set.provider);
      return await provider?.status(query, AbortSignal.timeout(providerTimeoutMs));
    } catch (error) {
      if (this.isDue(`silent:${set.provider}`, warnEveryMs, -Infinity))
        this.logger.warn(
          { setId: set.id, provider: set.provider, err: error },
          'swap provider status failed',
        );
      return undefined;
    }
  }

  /** Slow deliveries are polled less often, so that an outage of a provider does not pile up requests. */
  private statusPollMs(set: TransactionSet): number {
    const waitedMs = this.clock.now() - (swapOf(set).minedAtMs ?? this.clock.now());
    return Math.min(Math.max(waitedMs / pollsPerDoubling, minStatusPollMs), maxStatusPollMs);
  }

  private costed(set: TransactionSet): TransactionSet {
    if (!isFinal(set)) return set;
    const wei = gasCost(set);
    const { chainId } = set.transactions[0]!;
    return { ...set, gasCostUsd: wei === null ? null : this.prices.value(this.chains.coin(chainId), wei) };
  }

  private pauseMs(set: TransactionSet, origin: EvmChain): number {
    const destination = this.chains.ofToken(set.to).chain;
    return set.delivery ? Math.min(destination.pollIntervalMs, origin.pollIntervalMs) : origin.pollIntervalMs;
  }

  private warnOfMissingDelivery(set: TransactionSet, txHash: string | null): void {
    if (this.isDue(`flag:${set.id}`, lateAfterMs, -Infinity))
      this.logger.warn(
        { setId: set.id, provider: set.provider, txHash },
        'delivery reported by provider not found on chain',
      );
  }

  private warnWhenLate(set: TransactionSet): void {
    const sinceMs = swapOf(set).minedAtMs ?? this.clock.now();
    if (this.clock.now() - sinceMs < lateAfterMs || !this.isDue(`late:${set.id}`, lateAfterMs, -Infinity))
      return;
    this.logger.error({ setId: set.id, provider: set.provider, sinceMs }, 'swap delivery overdue');
  }

  /** Whether `what` was last done at least `everyMs` ago; records it as done now if so. */
  private isDue(what: string, everyMs: number, firstAtMs: number): boolean {
    const nowMs = this.clock.now();
    if (nowMs - (this.askedAtMs.get(what) ?? firstAtMs) < everyMs) return false;
    this.askedAtMs.delete(what);
    this.askedAtMs.set(what, nowMs);
    // No interval is longer, so older entries are not needed.
    for (const [oldest, atMs] of this.askedAtMs) {
      if (nowMs - atMs <= lateAfterMs) break;
      this.askedAtMs.delete(oldest);
    }
    return true;
  }
}

/** Whether there is nothing to store. */
const isUnchanged = (before: TransactionSet, after: TransactionSet): boolean =>
  before === after || toJson(before) === toJson(after);

/** The index of the transaction that this change recorded as pending, which is broadcast now. */
function newlyRecorded(before: TransactionSet, saved: TransactionSet): number | undefined {
  if (before.state === 'signing') return saved.state === 'submitting' ? 0 : undefined;
  // The first transaction is recorded by the state alone.
  const at = saved.transactions.findIndex(
    ({ status }, index) =>
      index > 0 && status === 'pending' && before.transactions[index]!.status === 'waiting',
  );
  return at < 0 ? undefined : at;
}

/** The failure of a swap that is mined and deep, but not delivered: its input is spent unless it was refunded. */
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
