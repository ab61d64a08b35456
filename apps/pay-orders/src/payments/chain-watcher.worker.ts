import { longestIdleMs, standingBy, type PollResult } from '@tollbridge/bootstrap';
import type { BlockRef, ChainAdapter, PaymentUpdate } from '@tollbridge/chain-port';
import { reorgWindow } from '@tollbridge/chains';
import type { Clock, Lease } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { callContext } from '@tollbridge/rpc';
import type { TokenPrices } from '../prices/token-prices';
import type { ChainFigures } from './chain-figures';
import type { Applied, PaymentsRepository } from './payments.repository';

export interface WatcherParts {
  adapter: ChainAdapter;
  payments: PaymentsRepository;
  /** The lease of the chain, since one replica at a time watches it. */
  lease: Lease;
  prices: Pick<TokenPrices, 'valuesOf'>;
  clock: Clock;
  figures: ChainFigures;
  logger: Logger;
  onApplied(): void;
}

// The head is stale when it is this many blocks old, or two minutes on fast chains. Then the node lags or the chain has
// stopped.
const staleBlocks = 30;
const staleAtLeastMs = 120_000;
// Without a waiting order, only late payments and reorganisations are possible, so several blocks share a transaction.
const quietPollMs = longestIdleMs;

/**
 * Watches one chain from the position where the last run stopped, and settles orders. One replica at a time runs it,
 * and another can continue from the state in the database. The stored position fences off a replica that was paused.
 */
export class ChainWatcher {
  private known: readonly BlockRef[] | undefined;
  /** The term of the lease during the reads. */
  private term: string | undefined;
  private isStandingStill = false;

  constructor(private readonly parts: WatcherParts) {}

  /** Applies one update of the chain. */
  async step(): Promise<PollResult> {
    const { adapter, figures, lease } = this.parts;
    const result = await lease.run(() => this.read(lease.term));
    if (result !== undefined) return result;
    figures.clear(adapter.chain.id);
    return standingBy;
  }

  private async read(term: string | undefined): Promise<PollResult> {
    const { adapter, payments } = this.parts;
    try {
      if (term !== this.term || !this.known) this.known = await payments.knownBlocks(adapter.chain.id);
      this.term = term;
      return await this.follow(this.known);
    } catch (error) {
      // The cached blocks may be wrong now, so they are reloaded.
      this.known = undefined;
      throw error;
    }
  }

  private async follow(known: readonly BlockRef[]): Promise<PollResult> {
    const { adapter, clock, figures } = this.parts;
    const update = await adapter.nextUpdate(known, reorgWindow(adapter.chain));
    const nowMs = clock.now();
    this.reportStandstill(update.head, nowMs);
    const applied = update.kind === 'advance' ? update.blocks.at(-1) : known.at(-1);
    figures.read(adapter.chain.id, update.head, applied?.height, nowMs);
    if (update.kind === 'idle') return this.untilNextPoll();
    return update.kind === 'rollback'
      ? this.rollback(known, update, nowMs)
      : this.advance(known, update, nowMs);
  }

  private async rollback(
    known: readonly BlockRef[],
    { to, removed }: Extract<PaymentUpdate, { kind: 'rollback' }>,
    nowMs: number,
  ): Promise<PollResult> {
    const { adapter, payments, logger, onApplied } = this.parts;
    logger.warn({ chain: adapter.chain.id, to: to.height, removed }, 'chain reorganised');
    this.report(await payments.rollback(this.writeAfter(known, nowMs), to));
    // Wakes the verifier of reports, because transactions may have left the chain without a state change of an order.
    onApplied();
    this.known = undefined;
    return { kind: 'more' };
  }

  private async advance(
    known: readonly BlockRef[],
    { blocks, payments: found, head }: Extract<PaymentUpdate, { kind: 'advance' }>,
    nowMs: number,
  ): Promise<PollResult> {
    const { adapter, payments, prices, figures, clock } = this.parts;
    const window = reorgWindow(adapter.chain);
    const valueOf = prices.valuesOf(adapter.chain);
    const write = this.writeAfter(known, nowMs);
    const applied = await payments.advance(write, { blocks, payments: found, window, valueOf });
    figures.settled(adapter.chain.id, applied.settled.length, blocks[0]!, clock.now());
    this.report(applied);
    const position = blocks.at(-1)!;
    this.known = [...known, ...blocks].filter(({ height }) => height > position.height - window);
    return position.height >= head.height ? this.untilNextPoll() : { kind: 'more' };
  }

  private writeAfter(known: readonly BlockRef[], nowMs: number) {
    const { id, confirmations } = this.parts.adapter.chain;
    const context = callContext({ principal: 'watcher' });
    return { chain: id, confirmations, nowMs, context, after: known.at(-1) };
  }

  /** The creation of an order wakes the watcher early. */
  private async untilNextPoll(): Promise<PollResult> {
    const { adapter, payments } = this.parts;
    return (await payments.isAwaitedOn(adapter.chain.id))
      ? { kind: 'done' }
      : { kind: 'idle', idleMs: quietPollMs };
  }

  /** Orders do not expire while a chain is halted, so operators are alerted. */
  private reportStandstill(head: BlockRef, nowMs: number): void {
    const { adapter, logger } = this.parts;
    const { id, blockTimeMs } = adapter.chain;
    const isStandingStill = head.timeMs < nowMs - Math.max(staleBlocks * blockTimeMs, staleAtLeastMs);
    if (isStandingStill === this.isStandingStill) return;
    this.isStandingStill = isStandingStill;
    const fields = { chain: id, height: head.height, headTime: Math.floor(head.timeMs / 1_000) };
    if (isStandingStill) logger.warn(fields, 'chain stalled or its nodes lag, orders on it do not expire');
    else logger.info(fields, 'chain resumed');
  }

  private report({ seen, settled, reorged, mismatched, paidTwice, foreign }: Applied): void {
    const { adapter, figures, logger, onApplied } = this.parts;
    const chain = adapter.chain.id;
    figures.mismatched(chain, mismatched.length);
    if (seen.length + settled.length + reorged.length > 0) {
      logger.info({ chain, seen, settled, reorged }, 'payments applied to orders');
      onApplied();
    }
    if (paidTwice.length > 0) {
      logger.warn({ chain, paidTwice }, 'settled orders were paid a second time');
      onApplied();
    }
    for (const mismatch of mismatched)
      logger.warn({ chain, ...mismatch }, 'payment does not match its order');
    if (foreign > 0) logger.info({ chain, foreign }, 'payments name orders of other deployments');
  }
}
