import { Inject, Injectable } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import type { EvmChain } from '@tollbridge/chains';
import type { EvmRpc } from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import { EvmChains } from '../../chains/evm-chains';
import { toJson } from '../../json';
import { SwapPrices } from '../../quotes/prices';
import { areInChain, findReplacement, readNonces, reasonOfRevert } from '../building/chain-reads';
import { ChainViews } from './chain-views';
import { DeliveryFollower } from './delivery-follower';
import { Intervals } from './intervals';
import { SetSender } from '../sending/set-sender';
import { SetsRepository } from '../storage/sets.repository';
import {
  failed,
  gasCost,
  isFinal,
  transition,
  nextToSend,
  applyChainView,
  stepOfTransaction,
  withTransaction,
  type SetTransaction,
  type TransactionSet,
} from '../transaction-set';

// Interval between reads for a transaction that is in no block.
const pendingPollMs = 3_000;
// A transaction that is mined this long after its deadline reverts.
const dropAfterMs = 10 * 60_000;

/** Advances a set by the state on its chains and at its provider. */
@Injectable()
export class SetFollower {
  private readonly intervals: Intervals;

  constructor(
    private readonly sets: SetsRepository,
    private readonly sender: SetSender,
    private readonly chains: EvmChains,
    private readonly views: ChainViews,
    private readonly deliveries: DeliveryFollower,
    private readonly prices: SwapPrices,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.intervals = new Intervals(clock, pendingPollMs);
  }

  /** The shortest interval between two polls of a set. */
  get shortestPauseMs(): number {
    return Math.min(...this.chains.all.map(({ pollIntervalMs }) => pollIntervalMs));
  }

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

  /** Verifies that the blocks of a set are in the canonical chain, because a final state cannot be undone. */
  private async isInChains(set: TransactionSet): Promise<boolean> {
    const blocks = set.transactions.flatMap(({ block }) => block ?? []);
    const { rpc } = this.chains.ofToken(set.from);
    if (blocks.length > 0 && !(await areInChain(rpc, blocks))) return false;
    if (!set.delivery) return true;
    const { height, blockHash: hash } = set.delivery;
    return areInChain(this.chains.ofToken(set.to).rpc, [{ height, hash }]);
  }

  /** Starts a signed set that could not be broadcast when it was executed. */
  private async start(set: TransactionSet): Promise<TransactionSet> {
    const nowMs = this.clock.now();
    if (nowMs >= set.validUntilMs) return { ...transition(set, 'expired'), endedAtMs: nowMs };
    const readiness = await this.sender.readiness(set);
    if (readiness.kind === 'now') return transition(set, 'sending');
    if (readiness.kind !== 'nonceUsed') return set;
    return failed(
      set,
      { step: stepOfTransaction(set, set.transactions[0]!), txHash: null, reason: readiness.reason },
      nowMs,
    );
  }

  private async advance(set: TransactionSet, rpc: EvmRpc): Promise<TransactionSet> {
    const hashes = set.transactions.flatMap(({ signed }) => signed?.hash ?? []);
    const view = await this.views.of(rpc.chainId, hashes);
    let now = applyChainView(set, view, this.clock.now());
    // The transaction is mined, but the process stopped before it recorded the broadcast.
    if (now.state === 'submitting' && now.transactions[0]!.status !== 'waiting')
      now = transition(now, 'sent');
    const reverted = now.transactions.find(({ status }) => status === 'failed');
    if (reverted) return this.revert(now, reverted, rpc);
    const next = nextToSend(now);
    if (next !== undefined) return this.send(now, next, rpc);
    const pending = now.transactions.findIndex(({ status }) => status === 'pending');
    if (pending >= 0) return this.checkPending(now, pending, rpc);
    return this.deliveries.deliver(now, view);
  }

  private async send(set: TransactionSet, next: number, rpc: EvmRpc): Promise<TransactionSet> {
    const nowMs = this.clock.now();
    // A recorded transaction may have reached the chain. Broadcasting it again is harmless.
    if (set.state === 'submitting')
      return this.isPastDeadline(set) ? this.checkPending(set, next, rpc) : this.sender.resend(set, next);
    // Late transactions are not sent, because not every provider's contract rejects them.
    if (nowMs >= set.validUntilMs) {
      const step = stepOfTransaction(set, set.transactions[next]!);
      const reason = 'validUntil passed before the transaction ahead of it was mined';
      return failed(set, { step, txHash: null, reason }, nowMs);
    }
    // Recorded first and broadcast after the commit: a transaction on the chain must never look unsent.
    return withTransaction(set, next, { status: 'pending', sentAtMs: nowMs });
  }

  private isPastDeadline({ validUntilMs }: TransactionSet): boolean {
    return this.clock.now() > validUntilMs + dropAfterMs;
  }

  /** Fails the set when the reverted transaction is final. After a reorganisation, it may still succeed. */
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

  /** Checks a broadcast transaction that is in no block: it is in a pool, dropped, or replaced. */
  private async checkPending(set: TransactionSet, index: number, rpc: EvmRpc): Promise<TransactionSet> {
    const transaction = set.transactions[index]!;
    if (!this.intervals.isDue(`pending:${set.id}`, pendingPollMs, transaction.sentAtMs ?? -Infinity))
      return set;
    const { hash } = transaction.signed!;
    const { mined } = await readNonces(rpc, set.user);
    if (mined > transaction.nonce) return this.checkReplacement(set, index, rpc);
    // A node has it. The pools of nodes differ, so without this node it would be broadcast again.
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
      // The transaction was mined between the two reads.
      if (receipts[0]) return { head, found: undefined };
      return { head, found: await findReplacement(reads, set.user, transaction, head.height) };
    });
    if (!found) return set;
    // The signer's wallet replaced it by the same call with a higher fee.
    if (found.hash && found.isSameCall)
      return withTransaction(set, index, { signed: { raw, hash: found.hash } });
    if (head.height - found.height + 1 < set.originConfirmations) return set;
    const by = found.hash ? ` (${found.hash})` : '';
    const reason = `another transaction of the signer with the nonce ${transaction.nonce} was mined in its place${by}`;
    const step = stepOfTransaction(set, transaction);
    const replaced = withTransaction(set, index, { status: 'replaced' });
    return failed(replaced, { step, txHash: found.hash, reason }, this.clock.now());
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
}

/** Whether the poll has changed nothing. */
const isUnchanged = (before: TransactionSet, after: TransactionSet): boolean =>
  before === after || toJson(before) === toJson(after);

/** Returns the index of the transaction that this change recorded as pending. It is broadcast now. */
function newlyRecorded(before: TransactionSet, saved: TransactionSet): number | undefined {
  if (before.state === 'signing') return saved.state === 'submitting' ? 0 : undefined;
  // Only the state of the set records the first transaction.
  const at = saved.transactions.findIndex(
    ({ status }, index) =>
      index > 0 && status === 'pending' && before.transactions[index]!.status === 'waiting',
  );
  return at < 0 ? undefined : at;
}
