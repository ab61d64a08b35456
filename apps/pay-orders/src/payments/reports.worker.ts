import { Inject, Injectable } from '@nestjs/common';
import { OutboxWorker, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import type { ChainAdapter } from '@tollbridge/chain-port';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { callContext } from '@tollbridge/rpc';
import { plainTransfersOf, type PlainTransfers } from './plain-transfer';
import { verifyReport, type ReportedOrder, type ReportVerdict } from './payment';
import { PaymentsRepository, type ChainPosition } from './payments.repository';
import { ReportedTransfers } from './reported-transfers';

// The chain's observation of a transaction changes at most once per block.
const verifyEveryMs = ({ pollIntervalMs }: ChainAdapter) => Math.max(pollIntervalMs * 2, 500);
const maxAtOnce = 50;

interface Known {
  adapter: ChainAdapter;
  position: ChainPosition;
  nowMs: number;
}

/**
 * Verifies reports of payments that the watcher has not found, and reopens orders that they do not pay. The watcher
 * finds payments by the contract. Plain transfers to the merchant are known only from reports, so this worker records
 * them.
 */
@Injectable()
export class ReportsWorker {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly transfers: ReportedTransfers,
    private readonly hints: WorkHints,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Verifies the reports of one chain. */
  async step(adapter: ChainAdapter): Promise<PollResult> {
    const { payments } = this;
    const chainId = adapter.chain.id;
    const nowMs = this.clock.now();
    const position = await payments.positionOf(chainId);
    if (!position) return { kind: 'done' };
    const orders = await payments.unverifiedReports(chainId, nowMs, maxAtOnce);
    if (orders.length === 0) return this.hints.idleUntil(await payments.nextVerificationMs(chainId));
    // Postponed first, so that an order that fails each time does not block the others.
    const ids = orders.map(({ id }) => id);
    await payments.postponeVerification(ids, nowMs, verifyEveryMs(adapter));
    const results = await Promise.allSettled(
      orders.map((order) => this.verify(order, { adapter, position, nowMs })),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    // Never immediately again, so that the load on a chain's nodes stays limited for any number of reports.
    return { kind: 'done' };
  }

  private async verify(order: ReportedOrder, known: Known): Promise<void> {
    const { adapter, position, nowMs } = known;
    const verdict = await this.verdictOn(order, known);
    if (verdict.kind === 'wait') return;
    const { payments } = this;
    const context = callContext({ principal: 'watcher' });
    const found = verdict.mayTransfer
      ? { chain: adapter.chain, plain: await this.plainTransfers(order, adapter) }
      : verdict.mayBeElsewhere &&
        (await this.transfers.elsewhere(order, adapter, Math.min(nowMs, position.timeMs)));
    if (found && found.plain.kind === 'wait') return;
    if (found && found.plain.kind === 'received') {
      const { received } = found.plain;
      const valueUsd = this.transfers.valueUsd(order, adapter);
      const facts = { chain: found.chain, received, valueUsd, nowMs };
      if (await payments.takeTransfers(order, facts, context)) return this.outbox.wake();
    }
    if (!(await payments.reject(order, verdict.reason, nowMs, context))) return;
    this.logger.info(
      { chain: adapter.chain.id, orderId: order.id, txHash: order.payTx, reason: verdict.reason },
      'reported transaction rejected',
    );
    this.outbox.wake();
  }

  private async plainTransfers(order: ReportedOrder, adapter: ChainAdapter): Promise<PlainTransfers> {
    const read = await this.transfers.read(order, adapter);
    return read ? plainTransfersOf(order, read, adapter.chain) : { kind: 'none' };
  }

  private async verdictOn(order: ReportedOrder, { adapter, position, nowMs }: Known): Promise<ReportVerdict> {
    return verifyReport({
      order,
      transaction: await adapter.readReport(order.payTx, order.direct!),
      readHeight: position.height,
      sinceMs: order.payTxSinceMs,
      nowMs: Math.min(nowMs, position.timeMs),
    });
  }
}
