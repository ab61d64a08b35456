import { callContext } from '@tollbridge/rpc';
import { type DeployedChain } from '@tollbridge/chains';
import { nextUpdate, type BlockRef, type EvmRpc } from '@tollbridge/evm';
import type { Clock, LeaderLock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { longestIdleMs, type PollResult } from '@tollbridge/bootstrap';
import type { TokenPrices } from '../prices/token-prices';
import { orderPaidTopic, readPayment } from './payment';
import type { Applied, PaymentsRepository } from './payments.repository';

export interface WatcherParts {
  chain: DeployedChain;
  rpc: EvmRpc;
  payments: PaymentsRepository;
  prices: Pick<TokenPrices, 'valuesOf'>;
  clock: Clock;
  logger: Logger;
  onApplied(): void;
}

// One eth_getLogs and one transaction per range; public nodes allow 2,000 blocks and more.
const maxRange = 2_000;
// A head this many blocks old, or two minutes for fast chains, says that the node lags or that the chain stands still.
const staleBlocks = 30;
const staleAtLeastMs = 120_000;
// While no order waits for a payment, only late payments and reorganisations can come. Several blocks share a transaction.
const quietPollMs = longestIdleMs;

/** How many blocks are remembered: a reorganisation twice as deep as what counts as final is still followed exactly. */
export function windowOf(chain: Pick<DeployedChain, 'confirmations'>): number {
  return Math.min(Math.max(chain.confirmations * 2, 64), 1_024);
}

/**
 * Follows one chain from where the last run stopped, and keeps orders in step with it. One replica does it at a time;
 * its state is in the database, so another continues where this one fell.
 */
export class ChainWatcher {
  private readonly lock: LeaderLock;
  private known: BlockRef[] | undefined;
  private isStandingStill = false;

  constructor(private readonly parts: WatcherParts) {
    this.lock = parts.payments.watchLock(parts.chain.id);
  }

  /** Takes one update of the chain. */
  async step(): Promise<PollResult> {
    try {
      const term = await this.lock.take();
      if (!term) return 'done';
      if (term.isNew || !this.known) this.known = await this.parts.payments.knownBlocks(this.parts.chain.id);
      return await this.follow(this.known);
    } catch (error) {
      // Whatever was remembered may be wrong now; the database is asked anew.
      this.known = undefined;
      throw error;
    }
  }

  close(): void {
    this.lock.release();
  }

  private async follow(known: BlockRef[]): Promise<PollResult> {
    const { chain, rpc, payments, prices, clock, logger } = this.parts;
    const window = windowOf(chain);
    const contracts = [chain.payContract, ...chain.formerPayContracts];
    const update = await nextUpdate(rpc, known, {
      address: contracts,
      topics: [orderPaidTopic],
      startHeight: chain.startHeight,
      window,
      maxRange,
    });
    const nowMs = clock.now();
    const write = {
      chain: chain.id,
      confirmations: chain.confirmations,
      nowMs,
      context: callContext({ principal: 'watcher' }),
      after: known.at(-1),
    };
    this.tellStandstill(update.head, nowMs);
    if (update.kind === 'idle') return this.untilNextPoll();
    if (update.kind === 'rollback') {
      logger.warn(
        { chain: chain.id, to: update.to.height, removed: update.removed.length },
        'the chain was reorganised',
      );
      this.report(await payments.rollback(write, update.to));
      // Reported transactions that are on no chain now are to be judged, whether or not their orders moved.
      this.parts.onApplied();
      this.known = undefined;
      return 'more';
    }
    const position = update.blocks.at(-1)!;
    const isAtHead = position.height >= update.head.height;
    const found = update.logs.flatMap((log) => readPayment(log, contracts) ?? []);
    const valueOf = prices.valuesOf(chain);
    this.report(await payments.advance(write, { blocks: update.blocks, payments: found, window, valueOf }));
    this.known = [...known, ...update.blocks].filter(({ height }) => height > position.height - window);
    return isAtHead ? this.untilNextPoll() : 'more';
  }

  /** An order that is created ends a quiet time: it wakes the watcher. */
  private async untilNextPoll(): Promise<PollResult> {
    const { chain, payments } = this.parts;
    return (await payments.isAwaitedOn(chain.id)) ? 'done' : { idleMs: quietPollMs };
  }

  /** Orders do not expire meanwhile, which somebody should know. */
  private tellStandstill(head: BlockRef, nowMs: number): void {
    const { chain, logger } = this.parts;
    const staleMs = Math.max(staleBlocks * chain.blockTimeMs, staleAtLeastMs);
    const isStandingStill = head.timestamp * 1000 < nowMs - staleMs;
    if (isStandingStill === this.isStandingStill) return;
    this.isStandingStill = isStandingStill;
    const fields = { chain: chain.id, height: head.height, headTime: head.timestamp };
    if (isStandingStill)
      logger.warn(fields, 'the chain stands still or its nodes lag: no order on it expires');
    else logger.info(fields, 'the chain goes on');
  }

  private report({ seen, settled, reorged, mismatched, foreign }: Applied): void {
    const { chain, logger, onApplied } = this.parts;
    if (seen.length + settled.length + reorged.length > 0) {
      logger.info({ chain: chain.id, seen, settled, reorged }, 'payments moved orders');
      onApplied();
    }
    for (const mismatch of mismatched)
      logger.warn({ chain: chain.id, ...mismatch }, 'a payment does not match its order');
    if (foreign > 0) logger.info({ chain: chain.id, foreign }, 'payments of orders that are not ours');
  }
}
