import type { PollResult, WorkHints } from '@tollbridge/bootstrap';
import type { Chain } from '@tollbridge/chains';
import type { Clock } from '@tollbridge/database';
import { callContext } from '@tollbridge/rpc';
import type { DisplacedReportsRepository } from './displaced-reports.repository';
import type { ReportedOrder } from './payment';
import type { PaymentsRepository } from './payments.repository';
import { plainTransfersOf, type PlainTransfers } from './plain-transfer';
import { ReportedTransfers, type ReportedTransfersParts } from './reported-transfers';

export interface DisplacedReportsParts extends ReportedTransfersParts {
  payments: Pick<PaymentsRepository, 'positionOf'>;
  displaced: DisplacedReportsRepository;
  clock: Clock;
  hints: Pick<WorkHints, 'idleUntil'>;
  onApplied(): void;
}

// Public nodes take about so many requests at once.
const maxAtOnce = 20;
// A transaction that waited for a day in no pool is not mined any more.
const followedMs = 24 * 60 * 60_000;

/**
 * Follows reported transactions that their orders no longer wait for, because another payment was found or no node had
 * them. Plain transfers in them are money of the merchant; the watcher takes payments by the contract.
 */
export class DisplacedReportsWorker {
  private readonly transfers: ReportedTransfers;

  constructor(private readonly parts: DisplacedReportsParts) {
    this.transfers = new ReportedTransfers(parts);
  }

  async step(): Promise<PollResult> {
    const { adapter, payments, displaced, clock, hints } = this.parts;
    const { id } = adapter.chain;
    const nowMs = clock.now();
    const position = await payments.positionOf(id);
    if (!position) return 'done';
    const reports = await displaced.takeDue(id, nowMs, maxAtOnce, adapter.pollIntervalMs * 2);
    if (reports.length === 0) return hints.idleUntil(await displaced.nextCheckMs(id));
    const results = await Promise.allSettled(
      reports.map((report) => this.check(report, Math.min(nowMs, position.timeMs), nowMs)),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    // Never at once again: false reports do not load the nodes.
    return 'done';
  }

  /** @param chainMs time of the chain when it was read: no time passes while it has stopped or a node lags */
  private async check(report: ReportedOrder, chainMs: number, nowMs: number): Promise<void> {
    const { displaced, logger, onApplied } = this.parts;
    const { chain, plain } = await this.find(report, chainMs);
    if (plain.kind === 'wait') return;
    if (plain.kind === 'none') return displaced.drop(report);
    const facts = this.transfers.factsOf(report, chain, plain.received, nowMs);
    if (!(await displaced.take(report, facts, callContext({ principal: 'watcher' })))) return;
    logger.warn(
      { chain: chain.id, orderId: report.id, txHash: report.payTx },
      'displaced report paid the merchant',
    );
    onApplied();
  }

  /** Unlike for an order that waits, nothing is final before the confirmations of the chain. */
  private async find(
    report: ReportedOrder,
    chainMs: number,
  ): Promise<{ chain: Chain; plain: PlainTransfers }> {
    const { chain } = this.parts.adapter;
    const read = await this.transfers.read(report);
    if (read?.kind === 'mined' && read.confirmations >= chain.confirmations)
      return { chain, plain: plainTransfersOf(report, read, chain) };
    if (read?.kind === 'mined' || read?.kind === 'unavailable') return { chain, plain: { kind: 'wait' } };
    const elsewhere = await this.transfers.elsewhere(report, chainMs);
    const isOver = chainMs - report.payTxSinceMs > followedMs;
    if (elsewhere && elsewhere.plain.kind !== 'none') return elsewhere;
    return { chain, plain: { kind: isOver ? 'none' : 'wait' } };
  }
}
