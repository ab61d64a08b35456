import { Inject, Injectable } from '@nestjs/common';
import { OutboxWorker, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import type { ChainAdapter } from '@tollbridge/chain-port';
import type { Chain } from '@tollbridge/chains';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { callContext } from '@tollbridge/rpc';
import { DisplacedReportsRepository } from './displaced-reports.repository';
import type { ReportedOrder } from './payment';
import { PaymentsRepository } from './payments.repository';
import { plainTransfersOf, type PlainTransfers } from './plain-transfer';
import { ReportedTransfers } from './reported-transfers';

// The number of concurrent requests that public nodes accept.
const maxAtOnce = 20;
// A transaction that was in no pool for a day is not mined any more.
const followedMs = 24 * 60 * 60_000;

/**
 * Checks reported transactions that their orders do not wait for any more, because another payment was found or no node
 * had them. Records plain transfers to the merchant in them. The watcher handles payments by the contract.
 */
@Injectable()
export class DisplacedReportsWorker {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly displaced: DisplacedReportsRepository,
    private readonly transfers: ReportedTransfers,
    private readonly hints: WorkHints,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Checks the reports on one chain. */
  async step(adapter: ChainAdapter): Promise<PollResult> {
    const { displaced } = this;
    const { id } = adapter.chain;
    const nowMs = this.clock.now();
    const position = await this.payments.positionOf(id);
    if (!position) return { kind: 'done' };
    const reports = await displaced.takeDue(id, nowMs, maxAtOnce, adapter.pollIntervalMs * 2);
    if (reports.length === 0) return this.hints.idleUntil(await displaced.nextCheckMs(id));
    const results = await Promise.allSettled(
      reports.map((report) =>
        this.check(report, adapter, { chainMs: Math.min(nowMs, position.timeMs), nowMs }),
      ),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    // Never immediately again, so that false reports cannot overload the nodes.
    return { kind: 'done' };
  }

  /** @param chainMs the time of the chain at the read; it does not advance while the chain is halted or a node lags */
  private async check(
    report: ReportedOrder,
    adapter: ChainAdapter,
    { chainMs, nowMs }: { chainMs: number; nowMs: number },
  ): Promise<void> {
    const { displaced } = this;
    const { chain, plain } = await this.find(report, adapter, chainMs);
    if (plain.kind === 'wait') return;
    if (plain.kind === 'none') return displaced.drop(report);
    const valueUsd = this.transfers.valueUsd(report, adapter);
    const facts = { chain, received: plain.received, valueUsd, nowMs };
    if (!(await displaced.take(report, facts, callContext({ principal: 'watcher' })))) return;
    this.logger.warn(
      { chain: chain.id, orderId: report.id, txHash: report.payTx },
      'displaced report paid the merchant',
    );
    this.outbox.wake();
  }

  /** In contrast to a waiting order, nothing is final before the confirmations of the chain. */
  private async find(
    report: ReportedOrder,
    adapter: ChainAdapter,
    chainMs: number,
  ): Promise<{ chain: Chain; plain: PlainTransfers }> {
    const { chain } = adapter;
    const read = await this.transfers.read(report, adapter);
    if (read?.kind === 'mined' && read.confirmations >= chain.confirmations)
      return { chain, plain: plainTransfersOf(report, read, chain) };
    if (read?.kind === 'mined' || read?.kind === 'unavailable') return { chain, plain: { kind: 'wait' } };
    const elsewhere = await this.transfers.elsewhere(report, adapter, chainMs);
    const isOver = chainMs - report.payTxSinceMs > followedMs;
    if (elsewhere && elsewhere.plain.kind !== 'none') return elsewhere;
    return { chain, plain: { kind: isOver ? 'none' : 'wait' } };
  }
}
