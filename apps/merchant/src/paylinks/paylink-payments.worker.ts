import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { ChainNodes, type NodedChain } from '../chains/chain-nodes';
import { lookFor } from './chain-sight';
import { PayLinkPaymentsRepository } from './paylink-payments.repository';
import type { Payment, Sight } from './payment';
import { SettlePayment } from './settle-payment';

// One request to a node; public ones take batches of 20 at least.
const maxAtOnce = 20;
// Above all time-outs of one look.
const leaseMs = 60_000;
const afterFailureMs = 5_000;
const forgetEveryMs = 60 * 60_000;
const rejectedKeptMs = 30 * 24 * 60 * 60_000;

/** Looks at what was reported until it is decided, and at what was counted until no reorganisation can be expected. */
@Injectable()
export class PayLinkPayments implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly jobs: PollingLoop[];
  /** Chains of which unverifiable payments were not looked for since the start. */
  private readonly unstarted: Set<string>;

  constructor(
    chains: ChainNodes,
    private readonly payments: PayLinkPaymentsRepository,
    private readonly settlement: SettlePayment,
    private readonly hints: WorkHints,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const warn = (fields: object) => (error: unknown) =>
      logger.warn({ ...fields, err: error }, 'payments of links could not be looked at; trying again');
    this.unstarted = new Set(chains.withNodes.map(({ chain }) => chain.id));
    // A job for each chain: one whose nodes hang delays no other.
    this.jobs = chains.withNodes.map((nodes) => {
      const { id, pollIntervalMs } = nodes.chain;
      return new PollingLoop(() => this.step(nodes), pollIntervalMs, warn({ chain: id }));
    });
    hints.wakes(...this.jobs);
    this.jobs.push(new PollingLoop(() => this.forget(), forgetEveryMs, warn({ job: 'forget' })));
  }

  onApplicationBootstrap(): void {
    for (const job of this.jobs) job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
  }

  private async step({ chain, rpc }: NodedChain): Promise<PollResult> {
    const nowMs = this.clock.now();
    // Reported while no node of the chain was configured.
    if (this.unstarted.has(chain.id)) await this.payments.lookForUnverifiable(chain.id, nowMs);
    this.unstarted.delete(chain.id);
    const due = await this.payments.takeDue(chain.id, { nowMs, leaseMs, limit: maxAtOnce });
    if (due.length === 0) return this.hints.idleUntil(await this.payments.nextLookMs(chain.id));
    const sights = await this.lookForAll({ chain, rpc }, due);
    for (const [at, payment] of due.entries()) await this.follow(payment, sights[at]!);
    return due.length === maxAtOnce ? 'more' : 'done';
  }

  /** Together, or one by one where something about one of them spoils the answer for all. */
  private async lookForAll({ chain, rpc }: NodedChain, due: Payment[]): Promise<Sight[]> {
    try {
      return await lookFor(rpc, due);
    } catch (err) {
      this.logger.warn({ chain: chain.id, err }, 'payments of links are looked for one by one');
    }
    const sights: Sight[] = [];
    for (const payment of due)
      sights.push(...(await lookFor(rpc, [payment]).catch((): Sight[] => [{ kind: 'silent' }])));
    return sights;
  }

  private async follow(payment: Payment, sight: Sight): Promise<void> {
    try {
      await this.settlement.follow(payment, sight, callContext({ principal: 'watcher' }));
    } catch (err) {
      // One that fails every time must not hold up the others.
      this.logger.error({ paymentId: payment.id, err }, 'a payment could not be settled; trying again');
      const again = this.payments.lookSoon([payment.id], this.clock.now() + afterFailureMs);
      // Its lease ends all the same.
      await again.catch(() => undefined);
    }
  }

  private async forget(): Promise<'done'> {
    await this.payments.forgetRejected(this.clock.now() - rejectedKeptMs);
    return 'done';
  }
}
