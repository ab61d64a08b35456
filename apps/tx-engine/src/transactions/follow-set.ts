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
  isOver,
  moved,
  nextToSend,
  seen,
  stepOfTransaction,
  swapOf,
  withTransaction,
  type Delivery,
  type SetFailure,
  type SetTransaction,
  type TransactionSet,
} from './transaction-set';

// A transaction that is in no block is looked for in the pools after this time, and again at this distance.
const lookForMs = 3_000;
// Whoever still has a transaction so long after its time does not get it mined: its own deadline makes it revert.
const dropAfterMs = 10 * 60_000;
// The provider's indexer is slower than the chain.
const askProviderMs = 1_000;
const askProviderAtLeastMs = 60_000;
// Within twice the time that a delivery took it is asked about so often.
const askedTimes = 20;
const warnEveryMs = 10_000;
const providerTimeoutMs = 5_000;
// A delivery that nobody sees for so long is told in the log, once an hour.
const lateAfterMs = 60 * 60_000;

/** Brings a set that is under way as far as the chains show it to be. */
@Injectable()
export class FollowSet {
  /** When something was last asked for, by what is asked and the set's id, the oldest first; only saves asking. */
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

  /** One look; the outcome is stored. @returns whether something changed */
  async look(set: TransactionSet): Promise<boolean> {
    const { chain, rpc } = this.chains.ofToken(set.from);
    const found = set.state === 'signing' ? await this.start(set) : await this.advance(set, rpc);
    const after = isOver(found) && !(await this.isInChains(found)) ? set : found;
    const nowMs = this.clock.now();
    const checkAtMs = isOver(after) ? null : nowMs + this.pauseMs(after, chain);
    if (isUnchanged(set, after)) {
      if (checkAtMs !== null) await this.sets.postpone({ id: set.id, checkAtMs });
      return false;
    }
    const context = callContext({ principal: 'follower' });
    const saved = await this.sets.save({ before: set, after: this.costed(after), checkAtMs, nowMs, context });
    const noted = saved && newlyNoted(set, saved);
    if (noted !== undefined) await this.sender.noted(saved!, noted, context);
    return true;
  }

  /** What ends a set cannot be taken back, so the blocks that it rests on are compared with the chain once more. */
  private async isInChains(set: TransactionSet): Promise<boolean> {
    const blocks = set.transactions.flatMap(({ block }) => block ?? []);
    const { rpc } = this.chains.ofToken(set.from);
    if (blocks.length > 0 && !(await areInChain(rpc, blocks))) return false;
    if (!set.delivery) return true;
    const { height, blockHash: hash } = set.delivery;
    return areInChain(this.chains.ofToken(set.to).rpc, [{ height, hash }]);
  }

  /** A set that could not be sent when it was executed. */
  private async start(set: TransactionSet): Promise<TransactionSet> {
    const nowMs = this.clock.now();
    if (nowMs >= set.validUntilMs) return { ...moved(set, 'expired'), endedAtMs: nowMs };
    const readiness = await this.sender.readiness(set);
    if (readiness === 'now') return moved(set, 'sending');
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
    let now = seen(set, view, this.clock.now());
    // Found mined, though nobody could note that it was sent.
    if (now.state === 'submitting' && now.transactions[0]!.status !== 'waiting') now = moved(now, 'sent');
    const reverted = now.transactions.find(({ status }) => status === 'failed');
    if (reverted) return this.revert(now, reverted, rpc);
    const next = nextToSend(now);
    if (next !== undefined) return this.send(now, next, rpc);
    const pending = now.transactions.findIndex(({ status }) => status === 'pending');
    if (pending >= 0) return this.lookFor(now, pending, rpc);
    return this.deliver(now, view);
  }

  private async send(set: TransactionSet, next: number, rpc: EvmRpc): Promise<TransactionSet> {
    const nowMs = this.clock.now();
    // What is noted as being sent may have reached the chain already: sending it again changes nothing.
    if (set.state === 'submitting')
      return this.isHopeless(set) ? this.lookFor(set, next, rpc) : this.sender.repeated(set, next);
    // Not every provider has the chain refuse what comes late, so it is not sent.
    if (nowMs >= set.validUntilMs) {
      const step = stepOfTransaction(set, set.transactions[next]!);
      const reason = 'its time was over before the transaction ahead of it was mined';
      return failed(set, { step, txHash: null, reason }, nowMs);
    }
    // Noted first, and sent then: nobody may take for unsent what has reached the chain.
    return withTransaction(set, next, { status: 'pending', sentAtMs: nowMs });
  }

  private isHopeless({ validUntilMs }: TransactionSet): boolean {
    return this.clock.now() > validUntilMs + dropAfterMs;
  }

  /** What a shallow block reverted, another block may let pass. */
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

  /** A transaction that was sent and is in no block: waiting in a pool, lost, or replaced by another of its nonce. */
  private async lookFor(set: TransactionSet, index: number, rpc: EvmRpc): Promise<TransactionSet> {
    const transaction = set.transactions[index]!;
    if (!this.isDue(`look:${set.id}`, lookForMs, transaction.sentAtMs ?? -Infinity)) return set;
    const { hash } = transaction.signed!;
    const { mined } = await readNonces(rpc, set.user);
    if (mined > transaction.nonce) return this.replaced(set, index, rpc);
    // Whether or not one node still has it, the others may have lost it.
    if (await rpc.transaction(hash)) return set;
    if (!this.isHopeless(set)) {
      await this.sender.again(transaction);
      return set;
    }
    const step = stepOfTransaction(set, transaction);
    const dropped = withTransaction(set, index, { status: 'dropped' });
    const reason = 'dropped by the chain before it was mined';
    return failed(dropped, { step, txHash: hash, reason }, this.clock.now());
  }

  private async replaced(set: TransactionSet, index: number, rpc: EvmRpc): Promise<TransactionSet> {
    const transaction = set.transactions[index]!;
    const { hash, raw } = transaction.signed!;
    const { head, found } = await rpc.pinned(async (reads) => {
      const { head, receipts } = await reads.headAndReceipts([hash]);
      // Mined after all, between the two questions.
      if (receipts[0]) return { head, found: undefined };
      return { head, found: await findReplacement(reads, set.user, transaction, head.height) };
    });
    if (!found) return set;
    // The signer's wallet sent the same call with a higher fee: it does what was asked for.
    if (found.hash && found.isSameCall)
      return withTransaction(set, index, { signed: { raw, hash: found.hash } });
    if (head.height - found.height + 1 < set.originConfirmations) return set;
    const by = found.hash ? ` (${found.hash})` : '';
    const reason = `another transaction of the signer with the nonce ${transaction.nonce} was mined in its place${by}`;
    const step = stepOfTransaction(set, transaction);
    const replaced = withTransaction(set, index, { status: 'replaced' });
    return failed(replaced, { step, txHash: found.hash, reason }, this.clock.now());
  }

  /** The swap is mined: what became of it is asked for, and believed only as far as the chain shows it. */
  private async deliver(set: TransactionSet, view: ReceiptsView): Promise<TransactionSet> {
    const isDeep = swapOf(set).confirmations >= set.originConfirmations;
    const delivery = set.delivery ? await this.delivery(set, set.delivery.txHash, view) : null;
    if (delivery) return this.finish({ ...set, delivery }, isDeep);
    const before = set.delivery ? { ...set, delivery: null } : set;
    const status = await this.status(before);
    if (!status || status.state === 'pending' || status.state === 'refunding') return before;
    const { state, deliveryTxHash: txHash } = status;
    const found = txHash ? await this.delivery(before, txHash, view) : null;
    // Whatever the provider makes of it: what was wanted is there.
    if (found) return this.finish({ ...before, delivery: found }, isDeep);
    if (state === 'delivered') this.flag(set, txHash);
    if (state === 'delivered' || !isDeep) return before;
    return failed(before, notDelivered(set, status), this.clock.now());
  }

  private finish(set: TransactionSet, isDeep: boolean): TransactionSet {
    const { amountAtomic, confirmations, txHash } = set.delivery!;
    if (!isDeep || confirmations < set.destinationConfirmations) return set;
    if (amountAtomic < set.minAmountOutAtomic) {
      const reason = `only ${amountAtomic} were delivered, less than the promised ${set.minAmountOutAtomic}`;
      const failure = { step: set.steps.at(-1)!.type, txHash, reason, isSpent: true };
      return failed(set, failure, this.clock.now());
    }
    return { ...moved(set, 'completed'), endedAtMs: this.clock.now() };
  }

  /** The delivery as its chain shows it; null when it does not. */
  private async delivery(
    set: TransactionSet,
    txHash: string,
    origin: ReceiptsView,
  ): Promise<Delivery | null> {
    const { rpc } = this.chains.ofToken(set.to);
    const view = isAcross(set) ? await this.views.of(rpc.chainId, [txHash]) : origin;
    const receipt = view.receipts.get(txHash);
    const known = set.delivery?.txHash === txHash ? set.delivery : null;
    // A node that has not come so far does not show that it is gone.
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
    if (isAcross(set) && !this.isDue(`status:${set.id}`, this.askEveryMs(set), -Infinity)) return undefined;
    this.warnWhenLate(set);
    const query = { from: set.from, to: set.to, recipient: set.recipient, txHash: swap.signed!.hash };
    try {
      const provider = this.router.provider(set.provider);
      return await provider?.status(query, AbortSignal.timeout(providerTimeoutMs));
    } catch (error) {
      if (this.isDue(`silent:${set.provider}`, warnEveryMs, -Infinity))
        this.logger.warn(
          { setId: set.id, provider: set.provider, err: error },
          'a provider did not say how far a swap is',
        );
      return undefined;
    }
  }

  /** What takes long is asked about less often, so that a provider that stands still is not asked by all at once. */
  private askEveryMs(set: TransactionSet): number {
    const waitedMs = this.clock.now() - (swapOf(set).minedAtMs ?? this.clock.now());
    return Math.min(Math.max(waitedMs / askedTimes, askProviderMs), askProviderAtLeastMs);
  }

  private costed(set: TransactionSet): TransactionSet {
    if (!isOver(set)) return set;
    const wei = gasCost(set);
    const { chainId } = set.transactions[0]!;
    return { ...set, gasCostUsd: wei === null ? null : this.prices.value(this.chains.coin(chainId), wei) };
  }

  private pauseMs(set: TransactionSet, origin: EvmChain): number {
    const destination = this.chains.ofToken(set.to).chain;
    return set.delivery ? Math.min(destination.pollIntervalMs, origin.pollIntervalMs) : origin.pollIntervalMs;
  }

  private flag(set: TransactionSet, txHash: string | null): void {
    if (this.isDue(`flag:${set.id}`, lateAfterMs, -Infinity))
      this.logger.warn(
        { setId: set.id, provider: set.provider, txHash },
        'a provider names a delivery that its chain does not show',
      );
  }

  private warnWhenLate(set: TransactionSet): void {
    const sinceMs = swapOf(set).minedAtMs ?? this.clock.now();
    if (this.clock.now() - sinceMs < lateAfterMs || !this.isDue(`late:${set.id}`, lateAfterMs, -Infinity))
      return;
    this.logger.error(
      { setId: set.id, provider: set.provider, sinceMs },
      'a swap is mined and not delivered for an hour',
    );
  }

  /** Whether it was last done, or first possible, long enough ago; then it is done now. */
  private isDue(what: string, everyMs: number, firstAtMs: number): boolean {
    const nowMs = this.clock.now();
    if (nowMs - (this.askedAtMs.get(what) ?? firstAtMs) < everyMs) return false;
    this.askedAtMs.delete(what);
    this.askedAtMs.set(what, nowMs);
    // Nothing is asked at a greater distance, so what is older says nothing any more.
    for (const [oldest, atMs] of this.askedAtMs) {
      if (nowMs - atMs <= lateAfterMs) break;
      this.askedAtMs.delete(oldest);
    }
    return true;
  }
}

/** Whether there is anything to write down. */
const isUnchanged = (before: TransactionSet, after: TransactionSet): boolean =>
  before === after || toJson(before) === toJson(after);

/** The transaction that was noted as being sent by this very change, and has to be sent now. */
function newlyNoted(before: TransactionSet, saved: TransactionSet): number | undefined {
  if (before.state === 'signing') return saved.state === 'submitting' ? 0 : undefined;
  // The first one is noted by the state alone.
  const at = saved.transactions.findIndex(
    ({ status }, index) =>
      index > 0 && status === 'pending' && before.transactions[index]!.status === 'waiting',
  );
  return at < 0 ? undefined : at;
}

/** The swap itself is mined and deep: what it took is gone unless it was given back. */
function notDelivered(
  set: TransactionSet,
  { state, refundTxHash, deliveryTxHash, reason }: SwapStatus,
): SetFailure {
  const last = set.steps.at(-1)!.type;
  const step = isAcross(set) && last === firstStep(set) ? 'bridge' : last;
  if (state === 'refunded')
    return { step, txHash: refundTxHash, reason: reason ?? 'not delivered, and given back' };
  if (state === 'deliveredOther')
    return { step, txHash: deliveryTxHash, reason: reason ?? 'another token was delivered', isSpent: true };
  return { step, txHash: refundTxHash ?? deliveryTxHash, reason: reason ?? 'not delivered', isSpent: true };
}
