import type { Clock } from '@tollbridge/database';
import type { EvmNode } from './evm-node';
import type { PaymentsRepository } from './payments.repository';
import type { Swap } from './swap';
import type { SwapsRepository } from './swaps.repository';

export interface DepositWatcherParts {
  node: EvmNode;
  swaps: SwapsRepository;
  payments: PaymentsRepository;
  clock: Clock;
}

/** Polls the deposit addresses of one chain and records received amounts. */
export class DepositWatcher {
  private polledHash = '';
  private polledAtMs = 0;

  constructor(private readonly parts: DepositWatcherParts) {}

  async step(): Promise<void> {
    const { node, swaps, clock } = this.parts;
    const nowMs = clock.now();
    const head = await node.head();
    // Without a new block, only addresses that are newer than the last poll need a read.
    const isSameHead = head.hash === this.polledHash;
    const watched = await swaps.watched(node.chain.id, nowMs, isSameHead ? this.polledAtMs : 0);
    if (watched.length > 0) await this.poll(watched, head.height, nowMs);
    this.polledHash = head.hash;
    this.polledAtMs = nowMs;
  }

  private async poll(watched: readonly Swap[], head: number, nowMs: number): Promise<void> {
    const { node } = this.parts;
    const seen = await this.totals(watched, head);
    // Below the chain's first block, no deposit has enough confirmations.
    const deepHeight = head - (node.confirmations - 1);
    const deep = deepHeight === head ? seen : await this.totals(watched, Math.max(deepHeight, 0));
    for (const swap of watched) {
      const seenAtomic = seen.get(swap.id)!;
      const depositedAtomic = min(deep.get(swap.id)!, seenAtomic);
      if (seenAtomic === swap.seenAtomic && depositedAtomic === swap.depositedAtomic) continue;
      await this.record(swap, { seenAtomic, depositedAtomic }, nowMs);
    }
  }

  private async record(
    swap: Swap,
    amounts: { seenAtomic: bigint; depositedAtomic: bigint },
    nowMs: number,
  ): Promise<void> {
    const { node, swaps } = this.parts;
    const { origin, depositAddress, fromHeight } = swap;
    // A reorganisation removes deposits and their hashes.
    const hasLost = amounts.seenAtomic < swap.seenAtomic;
    const isKnown = amounts.seenAtomic === swap.seenAtomic;
    const txHashes = isKnown ? [] : await node.incoming(depositAddress, origin.address, fromHeight);
    await swaps.recordArrived(swap.id, amounts, { txHashes, replace: hasLost }, nowMs);
  }

  /** Returns the total that each address has received: its balance and the swept amounts. */
  private async totals(watched: readonly Swap[], height: number): Promise<Map<string, bigint>> {
    const { node, payments } = this.parts;
    const owners = watched.map(({ depositAddress, origin }) => ({
      owner: depositAddress,
      token: origin.address,
    }));
    const balances = await node.balances(owners, height);
    const swept = await payments.swept(
      watched.map(({ id }) => id),
      height,
    );
    return new Map(watched.map(({ id }, index) => [id, balances[index]! + (swept.get(id) ?? 0n)]));
  }
}

const min = (left: bigint, right: bigint): bigint => (left < right ? left : right);
