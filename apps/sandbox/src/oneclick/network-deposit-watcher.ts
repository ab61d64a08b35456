import type { ChainAdapter } from '@tollbridge/chain-port';
import { findToken } from '@tollbridge/chains';
import type { Clock } from '@tollbridge/database';
import type { Swap } from './swap';
import type { SwapsRepository } from './swaps.repository';

export interface NetworkDepositWatcherParts {
  /** The adapter that the services also use. */
  adapter: Pick<ChainAdapter, 'chain' | 'balanceAtomic'>;
  swaps: Pick<SwapsRepository, 'watchedOnNetwork' | 'recordArrived'>;
  clock: Clock;
}

// A user pays within an hour, or never.
const watchedForMs = 60 * 60_000;
const pollMs = 1_000;
const mostWatched = 20;

/**
 * Records amounts that arrive at the newest deposit addresses of a local network without EVM. It does not sweep them,
 * and never reduces a deposit that the ledger has recorded.
 */
export class NetworkDepositWatcher {
  private polledAtMs = -Infinity;

  constructor(private readonly parts: NetworkDepositWatcherParts) {}

  async step(): Promise<void> {
    const { adapter, swaps, clock } = this.parts;
    const nowMs = clock.now();
    if (nowMs < this.polledAtMs + pollMs) return;
    this.polledAtMs = nowMs;
    const watched = await swaps.watchedOnNetwork(adapter.chain.id, nowMs - watchedForMs, mostWatched);
    await Promise.all(watched.map((swap) => this.read(swap, nowMs)));
  }

  private async read({ id, depositAddress, origin, seenAtomic }: Swap, nowMs: number): Promise<void> {
    const { adapter, swaps } = this.parts;
    const token = findToken(adapter.chain, origin.symbol)!;
    const received = await adapter.balanceAtomic(depositAddress, token);
    if (received <= seenAtomic) return;
    const amounts = { seenAtomic: received, depositedAtomic: received };
    await swaps.recordArrived(id, amounts, { txHashes: [], replace: false }, nowMs);
  }
}
