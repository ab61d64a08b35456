import type { PollResult, WorkHints } from '@tollbridge/bootstrap';
import type { ChainAdapter } from '@tollbridge/chain-port';
import type { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { callContext } from '@tollbridge/rpc';
import { verifyReport, type ReportVerdict } from './payment';
import type { ChainPosition, PaymentsRepository, ReportedOrder } from './payments.repository';

export interface ReportsParts {
  adapter: ChainAdapter;
  payments: PaymentsRepository;
  clock: Clock;
  hints: Pick<WorkHints, 'idleUntil'>;
  logger: Logger;
  onApplied(): void;
}

// What a chain shows of a transaction changes once per block at most.
const verifyEveryMs = ({ pollIntervalMs }: ChainAdapter) => Math.max(pollIntervalMs * 2, 500);
const maxAtOnce = 50;

/**
 * Verifies reports of payments that the watcher has not found, and fails the orders that they can never pay.
 * It never settles an order: only the watcher does.
 */
export class ReportsWorker {
  constructor(private readonly parts: ReportsParts) {}

  async step(): Promise<PollResult> {
    const { adapter, payments, clock } = this.parts;
    const chainId = adapter.chain.id;
    const nowMs = clock.now();
    const position = await payments.positionOf(chainId);
    if (!position) return 'done';
    const orders = await payments.unverifiedReports(chainId, nowMs, maxAtOnce);
    if (orders.length === 0) return this.parts.hints.idleUntil(await payments.nextVerificationMs(chainId));
    // Postponed first, so that an order that fails each time does not block the others.
    const ids = orders.map(({ id }) => id);
    await payments.postponeVerification(ids, nowMs, verifyEveryMs(adapter));
    const results = await Promise.allSettled(orders.map((order) => this.verify(order, position, nowMs)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    // Never at once again: the load on a chain's nodes stays bounded, however many transactions are reported.
    return 'done';
  }

  private async verify(order: ReportedOrder, position: ChainPosition, nowMs: number): Promise<void> {
    const verdict = await this.verdictOn(order, position, nowMs);
    if (verdict === 'wait') return;
    const { payments, logger, onApplied, adapter } = this.parts;
    const context = callContext({ principal: 'watcher' });
    if (!(await payments.reject(order.id, verdict.reject, nowMs, context))) return;
    logger.info(
      { chain: adapter.chain.id, orderId: order.id, txHash: order.payTx, reason: verdict.reject },
      'reported transaction rejected',
    );
    onApplied();
  }

  private async verdictOn(
    order: ReportedOrder,
    position: ChainPosition,
    nowMs: number,
  ): Promise<ReportVerdict> {
    const { adapter } = this.parts;
    return verifyReport({
      order,
      transaction: await adapter.readReport(order.payTx, order.direct!),
      readHeight: position.height,
      requiredConfirmations: adapter.chain.confirmations,
      sinceMs: order.payTxSinceMs,
      nowMs: Math.min(nowMs, position.timeMs),
    });
  }
}
