import type { PollResult, WorkHints } from '@tollbridge/bootstrap';
import type { ChainAdapter } from '@tollbridge/chain-port';
import { canonicalAddress, findToken, isTxHash, type Chain } from '@tollbridge/chains';
import type { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { callContext } from '@tollbridge/rpc';
import type { TokenPrices } from '../prices/token-prices';
import { plainTransfersOf, transfersElsewhere, type PlainTransfers, type Received } from './plain-transfer';
import { verifyReport, type ReportVerdict } from './payment';
import type { ChainPosition, PaymentsRepository, ReportedOrder } from './payments.repository';

export interface ReportsParts {
  adapter: ChainAdapter;
  /** Those of the other chains, where a wallet may have paid by mistake. */
  others: readonly ChainAdapter[];
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
// Since the report. A chain without nodes does not keep the order of a false report for longer.
const otherChainsAnswerWithinMs = 60 * 60_000;

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
    const found = verdict.mayTransfer
      ? { chain: adapter.chain, plain: await this.plainTransfers(order) }
      : verdict.mayBeElsewhere && (await this.elsewhere(order, Math.min(nowMs, position.timeMs)));
    if (found && found.plain.kind === 'wait') return;
    if (found && found.plain.kind === 'received') {
      const facts = this.factsOf(order, found.chain, found.plain.received, nowMs);
      if (await payments.takeTransfers(order, facts, context)) return onApplied();
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

  /**
   * Where the merchant has the same address and another chain has the transaction; `wait` while one of these chains does not
   * answer.
   */
  private async elsewhere(
    order: ReportedOrder,
    nowMs: number,
  ): Promise<{ chain: Chain; plain: PlainTransfers } | undefined> {
    const { merchantAddress: receiver, payTx: txHash } = order;
    const candidates = this.parts.others.filter(
      ({ chain }) => isTxHash(chain, txHash) && canonicalAddress(chain, receiver).ok,
    );
    let unanswered: Chain | undefined;
    for (const other of candidates) {
      const { chain } = other;
      const wanted = { txHash, token: { address: null }, receiver, seenIn: null };
      const [read] = await other.readTransfers([wanted]).catch((err: unknown): undefined[] => {
        this.parts.logger.warn(
          { chain: chain.id, orderId: order.id, err },
          'other chain of a report not read',
        );
        return [];
      });
      if (read?.kind === 'mined') return { chain, plain: transfersElsewhere(order, read, chain) };
      if (read?.kind !== 'unmined') unanswered ??= chain;
    }
    const mayWait = nowMs - order.payTxSinceMs < otherChainsAnswerWithinMs;
    return unanswered && mayWait ? { chain: unanswered, plain: { kind: 'wait' } } : undefined;
  }

  private factsOf(order: ReportedOrder, chain: Chain, received: Received, nowMs: number) {
    const { adapter, prices } = this.parts;
    const valueOf = prices.valuesOf(adapter.chain);
    return {
      chain,
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
