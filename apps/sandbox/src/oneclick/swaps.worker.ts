import type { Clock, Lease } from '@tollbridge/database';
import { PollingLoop, standingBy, type PollResult } from '@tollbridge/bootstrap';
import type { NetworkTreasury } from '../networks/network-treasury';
import type { PricesRepository } from '../prices/prices.repository';
import { DepositWatcher } from './deposit-watcher';
import type { EvmNode } from './evm-node';
import { PaymentRunner, type DepositPayments, type Solver } from './payment-runner';
import type { PaymentsRepository } from './payments.repository';
import { nextTransition, termsAt, type Market } from './swap';
import type { SwapsRepository } from './swaps.repository';

export interface SwapsWorkerParts {
  lease: Lease;
  swaps: SwapsRepository;
  payments: PaymentsRepository;
  prices: PricesRepository;
  nodes: ReadonlyMap<string, EvmNode>;
  treasuries: ReadonlyMap<string, NetworkTreasury>;
  solver: Solver;
  /** Steps for bridge deposits, in this order. */
  bridge: readonly { step(): Promise<void> }[];
  relayer: DepositPayments;
  clock: Clock;
  pollIntervalMs: number;
  onError(error: unknown): void;
}

// Clients poll the status of a swap. After this time without a request, no client waits.
const activeForMs = 60_000;
const quietPolls = 20;

/** Watches deposits, decides and pays, for swaps and the bridge. Runs in one process at a time. */
export class SwapsWorker {
  private readonly watchers: { step(): Promise<void> }[];
  private readonly runner: PaymentRunner;
  private readonly loop: PollingLoop;
  private activeUntilMs = 0;

  constructor(private readonly parts: SwapsWorkerParts) {
    const { lease, nodes, pollIntervalMs } = parts;
    lease.onAcquired(() => this.loop.wake());
    this.watchers = [...nodes.values()].map((node) => new DepositWatcher({ ...parts, node }));
    this.runner = new PaymentRunner(parts);
    this.loop = new PollingLoop(() => this.step(), pollIntervalMs, parts.onError);
  }

  /** @param watcher of a local network, which can be read after the network has started */
  watch(watcher: { step(): Promise<void> }): void {
    this.watchers.push(watcher);
  }

  start(): void {
    this.wake();
    this.loop.start();
  }

  /** Called after a client's request for a swap. Polls the chains at full speed for some time. */
  wake(): void {
    this.activeUntilMs = performance.now() + activeForMs;
    this.loop.wake();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
  }

  private async step(): Promise<PollResult> {
    if (!this.parts.lease.isHeld) return standingBy;
    const jobs = [
      () => this.runner.step(),
      ...this.watchers.map((it) => () => it.step()),
      () => this.decide(),
      ...this.parts.bridge.map((it) => () => it.step()),
    ];
    const failures: unknown[] = [];
    // Runs the jobs in this order, each even after a failure: an unavailable chain must not stop the others.
    for (const job of jobs) await job().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
    const isActive = performance.now() < this.activeUntilMs;
    return isActive ? { kind: 'done' } : { kind: 'idle', idleMs: quietPolls * this.parts.pollIntervalMs };
  }

  private async decide(): Promise<void> {
    const { swaps, prices, clock, solver } = this.parts;
    const undecided = await swaps.undecided();
    if (undecided.length === 0) return;
    const table = await prices.all();
    const market: Market = {
      nowMs: clock.now(),
      solverAddress: solver.address,
      termsOf: ({ response, origin, destination }) =>
        termsAt(response.quoteRequest, origin, destination, (symbol) => table.get(symbol)!.usd),
    };
    for (const swap of undecided) {
      const transition = nextTransition(swap, market);
      if (!transition) continue;
      const payments = transition.kind === 'plan' ? this.runner.toStored(swap, transition.payments) : [];
      await swaps.applyTransition(swap, transition, payments, market.nowMs);
    }
  }
}
