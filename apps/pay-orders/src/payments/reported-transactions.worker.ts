import { callContext } from '@tollbridge/rpc';
import type { DeployedChain } from '@tollbridge/chains';
import type { EvmRpc } from '@tollbridge/evm';
import type { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import type { PollResult, WorkHints } from '@tollbridge/bootstrap';
import { judgeReported, type Verdict } from './payment';
import type { ChainPosition, PaymentsRepository, ReportedOrder } from './payments.repository';

export interface JudgeParts {
  chain: DeployedChain;
  rpc: EvmRpc;
  payments: PaymentsRepository;
  clock: Clock;
  hints: Pick<WorkHints, 'idleUntil'>;
  logger: Logger;
  onApplied(): void;
}

// A chain answers differently once per block at the most.
const judgeEveryMs = (chain: DeployedChain) => Math.max(chain.pollIntervalMs * 2, 500);
const maxAtOnce = 50;

/**
 * Looks at reported transactions whose payment the watcher has not found, and fails the orders that they can never
 * pay. It never settles anything: payments are taken by the watcher alone.
 */
export class ReportedTransactions {
  constructor(private readonly parts: JudgeParts) {}

  async step(): Promise<PollResult> {
    const { chain, payments, clock } = this.parts;
    const nowMs = clock.now();
    const position = await payments.positionOf(chain.id);
    if (!position) return 'done';
    const orders = await payments.reportedWithoutPayment(chain.id, nowMs, maxAtOnce);
    if (orders.length === 0) return this.parts.hints.idleUntil(await payments.nextJudgementMs(chain.id));
    // Postponed first: should one of them make this fail every time, the others still get their turn.
    const ids = orders.map(({ id }) => id);
    await payments.postponeJudgement(ids, nowMs, judgeEveryMs(chain));
    const results = await Promise.allSettled(orders.map((order) => this.judge(order, position, nowMs)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    // Never at once again: what a chain's nodes are asked stays bounded, however much is reported.
    return 'done';
  }

  private async judge(order: ReportedOrder, position: ChainPosition, nowMs: number): Promise<void> {
    const verdict = await this.verdict(order, position, nowMs);
    if (verdict === 'wait') return;
    const { payments, logger, onApplied, chain } = this.parts;
    const isFailed = await payments.reject(
      order.id,
      verdict.reject,
      nowMs,
      callContext({ principal: 'watcher' }),
    );
    if (!isFailed) return;
    logger.info(
      { chain: chain.id, orderId: order.id, txHash: order.payTx, reason: verdict.reject },
      'a report was rejected',
    );
    onApplied();
  }

  private async verdict(order: ReportedOrder, position: ChainPosition, nowMs: number): Promise<Verdict> {
    const { chain, rpc } = this.parts;
    const receipt = await rpc.receipt(order.payTx);
    const isKnown = receipt !== null || (await rpc.transaction(order.payTx)) !== null;
    return judgeReported({
      order,
      receipt,
      isKnown,
      confirmations: receipt ? position.height - receipt.height + 1 : 0,
      requiredConfirmations: chain.confirmations,
      sinceMs: order.payTxSinceMs,
      nowMs: Math.min(nowMs, position.timeMs),
    });
  }
}
