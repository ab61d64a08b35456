import type { PollResult, WorkHints } from '@tollbridge/bootstrap';
import type { ChainAdapter } from '@tollbridge/chain-port';
import { findToken } from '@tollbridge/chains';
import type { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { callContext } from '@tollbridge/rpc';
import type { TokenPrices } from '../prices/token-prices';
import { plainTransfersOf, type PlainTransfers, type Received } from './plain-transfer';
import { verifyReport, type ReportVerdict } from './payment';
import type { ChainPosition, PaymentsRepository, ReportedOrder } from './payments.repository';

export interface ReportsParts {
  adapter: ChainAdapter;
  payments: PaymentsRepository;
  prices: Pick<TokenPrices, 'valuesOf'>;
  clock: Clock;
  hints: Pick<WorkHints, 'idleUntil'>;
  logger: Logger;
  onApplied(): void;
}

// What a chain shows of a transaction changes once per block at most.
const verifyEveryMs = ({ pollIntervalMs }: ChainAdapter) => Math.max(pollIntervalMs * 2, 500);
const maxAtOnce = 50;

/**
 * Verifies reports of payments that the watcher has not found, and puts orders back that they do not pay. Payments by the contract
 * are the watcher's; plain transfers to the merchant are known by their report only, so they are taken here.
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
    if (verdict.mayTransfer) {
      const plain = await this.plainTransfers(order);
      if (plain.kind === 'wait') return;
      if (plain.kind === 'received') {
        const isTaken = await payments.takeTransfers(
          order,
          this.factsOf(order, plain.received, nowMs),
          context,
        );
        if (isTaken) return onApplied();
      }
    }
    if (!(await payments.reject(order.id, verdict.reject, nowMs, context))) return;
    logger.info(
      { chain: adapter.chain.id, orderId: order.id, txHash: order.payTx, reason: verdict.reject },
      'reported transaction rejected',
    );
    onApplied();
  }

  private async plainTransfers(order: ReportedOrder): Promise<PlainTransfers> {
    const { adapter } = this.parts;
    const token = findToken(adapter.chain, order.payToken);
    if (!token) return { kind: 'none' };
    const wanted = { txHash: order.payTx, token, receiver: order.merchantAddress, seenIn: null };
    const [read] = await adapter.readTransfers([wanted]);
    return plainTransfersOf(order, read!, adapter.chain);
  }

  private factsOf(order: ReportedOrder, received: Received, nowMs: number) {
    const { adapter, prices } = this.parts;
    const valueOf = prices.valuesOf(adapter.chain);
    return {
      chain: adapter.chain,
      received,
      valueUsd: valueOf(order.settleToken, order.merchantAmount),
      nowMs,
    };
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
      sinceMs: order.payTxSinceMs,
      nowMs: Math.min(nowMs, position.timeMs),
    });
  }
}
