import { Inject, Injectable } from '@nestjs/common';
import { callContext } from '@tollbridge/bus';
import type { EvmChain, EvmRpc } from '@tollbridge/chains';
import { Clock } from '@tollbridge/data';
import type { Logger } from '@tollbridge/observability';
import { SwapRouter, type SwapStatus } from '@tollbridge/routing';
import { ServiceLogger } from '@tollbridge/service';
import { EvmChains } from '../chains/evm-chains';
import { toJson } from '../json';
import { SwapPrices } from '../quotes/prices';
import { findReplacement, readNonces, readView, reasonOfRevert, received } from './chain-reads';
import { SendSet } from './send-set';
import { SetsRepository } from './sets.repository';
import {
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
  type ChainView,
  type Delivery,
  type SetTransaction,
  type TransactionSet,
} from './transaction-set';

// A transaction that is in no block is looked for in the pools after this time, and again at this distance.
const lookForMs = 3_000;
// Whoever still has a transaction so long after its time does not get it mined: its own deadline makes it revert.
const dropAfterMs = 10 * 60_000;
// The provider's indexer is slower than the chain.
const askProviderMs = 1_000;
const providerTimeoutMs = 5_000;
// A delivery that nobody sees for so long is told in the log, once an hour.
const lateAfterMs = 60 * 60_000;

/** Brings a set that is under way as far as the chains show it to be. */
@Injectable()
export class FollowSet {
  /** When something was last asked for, by what is asked and the set's id; only saves asking. */
  private readonly askedAtMs = new Map<string, number>();

  constructor(
    private readonly sets: SetsRepository,
    private readonly sender: SendSet,
    private readonly chains: EvmChains,
    private readonly router: SwapRouter,
    private readonly prices: SwapPrices,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** One look; the outcome is stored. @returns whether something changed */
  async look(set: TransactionSet): Promise<boolean> {
    const { chain, rpc } = this.chains.ofToken(set.from);
    const after = set.state === 'signing' ? await this.start(set) : await this.advance(set, rpc);
    const nowMs = this.clock.now();
    const checkAtMs = isOver(after) ? null : nowMs + this.pauseMs(after, chain);
    if (isUnchanged(set, after)) {
      if (checkAtMs !== null) await this.sets.postpone([{ id: set.id, checkAtMs }]);
      return false;
    }
    if (isOver(after)) this.forget(set.id);
    const context = callContext({ principal: 'follower' });
    const saved = await this.sets.save({ before: set, after: this.costed(after), checkAtMs, nowMs, context });
    if (saved && set.state === 'signing' && saved.state === 'submitting')
      await this.sender.first(saved, context);
    return true;
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
    const view = await readView(rpc, hashes);
    let now = seen(set, view, this.clock.now());
    // Found mined, though nobody could note that it was sent.
    if (now.state === 'submitting' && now.transactions[0]!.status !== 'waiting') now = moved(now, 'sent');
    const reverted = now.transactions.find(({ status }) => status === 'failed');
    if (reverted) return this.revert(now, reverted, rpc);
    const next = nextToSend(now);
    if (next !== undefined)
      return this.isTooLate(now, next) ? this.late(now, next) : this.sender.one(now, next);
    const pending = now.transactions.findIndex(({ status }) => status === 'pending');
    if (pending >= 0) return this.lookFor(now, pending, rpc, view);
    return this.deliver(now);
  }

  /** Not every provider has the chain refuse what comes late, so it is not sent. */
  private isTooLate({ state, validUntilMs }: TransactionSet, next: number): boolean {
    // What is being sent may have reached the chain already: sending it again changes nothing.
    return (state !== 'submitting' || next > 0) && this.clock.now() >= validUntilMs;
  }

  private late(set: TransactionSet, next: number): TransactionSet {
    const step = stepOfTransaction(set, set.transactions[next]!);
    const reason = 'its time was over before the transaction ahead of it was mined';
    return failed(set, { step, txHash: null, reason }, this.clock.now());
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
  private async lookFor(
    set: TransactionSet,
    index: number,
    rpc: EvmRpc,
    { height }: ChainView,
  ): Promise<TransactionSet> {
    const transaction = set.transactions[index]!;
    const nowMs = this.clock.now();
    if (!this.isDue(`look:${set.id}`, lookForMs, transaction.sentAtMs ?? nowMs)) return set;
    const { hash } = transaction.signed!;
    const { mined } = await readNonces(rpc, set.user);
    if (mined > transaction.nonce) return this.replaced(set, index, rpc, height);
    const isKnown = (await rpc.transaction(hash)) !== null;
    if (nowMs > set.validUntilMs + dropAfterMs && !isKnown) {
      const step = stepOfTransaction(set, transaction);
      const dropped = withTransaction(set, index, { status: 'dropped' });
      return failed(
        dropped,
        { step, txHash: hash, reason: 'dropped by the chain before it was mined' },
        nowMs,
      );
    }
    // Sent again whether or not one node still has it: the others may have lost it.
    return isKnown ? set : this.sender.one(set, index);
  }

  private async replaced(
    set: TransactionSet,
    index: number,
    rpc: EvmRpc,
    height: number,
  ): Promise<TransactionSet> {
    const transaction = set.transactions[index]!;
    // Mined after all, between the two questions.
    if (await rpc.receipt(transaction.signed!.hash)) return set;
    const found = await findReplacement(rpc, set.user, transaction, height);
    // The signer's wallet sent the same call with a higher fee: it does what was asked for.
    if (found?.isSameCall)
      return withTransaction(set, index, { signed: { raw: transaction.signed!.raw, hash: found.hash } });
    const depth = found ? height - found.height + 1 : set.originConfirmations;
    if (depth < set.originConfirmations) return set;
    const by = found ? ` (${found.hash})` : '';
    const reason = `another transaction of the signer with the nonce ${transaction.nonce} was mined in its place${by}`;
    const step = stepOfTransaction(set, transaction);
    const replaced = withTransaction(set, index, { status: 'replaced' });
    return failed(replaced, { step, txHash: found?.hash ?? null, reason }, this.clock.now());
  }

  /** The swap is mined: what became of it is asked for, and believed only as far as the chain shows it. */
  private async deliver(set: TransactionSet): Promise<TransactionSet> {
    const isDeep = swapOf(set).confirmations >= set.originConfirmations;
    const delivery = set.delivery ? await this.delivery(set, set.delivery.txHash) : null;
    if (delivery) return this.finish({ ...set, delivery: same(set.delivery, delivery) }, isDeep);
    const before = set.delivery ? { ...set, delivery: null } : set;
    const status = await this.status(before);
    if (!status || status.state === 'pending' || status.state === 'refunding') return before;
    if (status.state === 'delivered' && status.deliveryTxHash) {
      const found = await this.delivery(before, status.deliveryTxHash);
      if (found) return this.finish({ ...before, delivery: found }, isDeep);
      this.flag(set, status.deliveryTxHash);
      return before;
    }
    if (!isDeep) return before;
    return failed(before, notDelivered(set, status), this.clock.now());
  }

  private finish(set: TransactionSet, isDeep: boolean): TransactionSet {
    const { amountAtomic, confirmations, txHash } = set.delivery!;
    if (!isDeep || confirmations < set.destinationConfirmations) return set;
    if (amountAtomic < set.minAmountOutAtomic) {
      const reason = `only ${amountAtomic} were delivered, less than the promised ${set.minAmountOutAtomic}`;
      return failed(set, { step: set.steps.at(-1)!.type, txHash, reason }, this.clock.now());
    }
    return { ...moved(set, 'completed'), endedAtMs: this.clock.now() };
  }

  /** The delivery as its chain shows it; null when it does not. */
  private async delivery(set: TransactionSet, txHash: string): Promise<Delivery | null> {
    const { rpc } = this.chains.ofToken(set.to);
    return rpc.pinned(async (reads) => {
      const [head, receipt] = await Promise.all([reads.head(), reads.receipt(txHash)]);
      if (!receipt?.succeeded) return null;
      const amountAtomic = await received(reads, receipt, set.to, set.recipient);
      if (amountAtomic === 0n) return null;
      const confirmations = Math.max(1, head.height - receipt.height + 1);
      return { txHash, height: receipt.height, amountAtomic, confirmations, atMs: this.clock.now() };
    });
  }

  private async status(set: TransactionSet): Promise<SwapStatus | undefined> {
    const swap = swapOf(set);
    if (isAcross(set) && !this.isDue(`status:${set.id}`, askProviderMs, -Infinity)) return undefined;
    this.warnWhenLate(set);
    const query = { from: set.from, to: set.to, recipient: set.recipient, txHash: swap.signed!.hash };
    try {
      const provider = this.router.provider(set.provider);
      return await provider?.status(query, AbortSignal.timeout(providerTimeoutMs));
    } catch (error) {
      this.logger.warn(
        { setId: set.id, provider: set.provider, err: error },
        'a provider did not say how far a swap is',
      );
      return undefined;
    }
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

  private flag(set: TransactionSet, txHash: string): void {
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
    this.askedAtMs.set(what, nowMs);
    return true;
  }

  private forget(id: string): void {
    for (const what of ['look', 'status', 'flag', 'late']) this.askedAtMs.delete(`${what}:${id}`);
  }
}

/** Whether there is anything to write down. */
const isUnchanged = (before: TransactionSet, after: TransactionSet): boolean =>
  before === after || toJson(before) === toJson(after);

/** Seen at its first time, however often it is looked at. */
const same = (before: Delivery | null, now: Delivery): Delivery =>
  before?.txHash === now.txHash && before.height === now.height ? { ...now, atMs: before.atMs } : now;

function notDelivered(set: TransactionSet, { state, refundTxHash, deliveryTxHash, reason }: SwapStatus) {
  const last = set.steps.at(-1)!.type;
  const step = isAcross(set) && last === firstStep(set) ? 'bridge' : last;
  switch (state) {
    case 'refunded':
      return { step, txHash: refundTxHash, reason: reason ?? 'not delivered, and given back' };
    case 'deliveredOther':
      return { step, txHash: deliveryTxHash, reason: reason ?? 'another token was delivered' };
    default:
      return { step, txHash: refundTxHash ?? deliveryTxHash, reason: reason ?? 'not delivered' };
  }
}
