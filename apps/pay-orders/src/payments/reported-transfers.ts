import { Inject, Injectable } from '@nestjs/common';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { ChainAdapters, type ChainAdapter, type TransferRead } from '@tollbridge/chain-port';
import { canonicalAddress, findToken, isTxHash, type Chain } from '@tollbridge/chains';
import type { Logger } from '@tollbridge/observability';
import { TokenPrices } from '../prices/token-prices';
import { transfersElsewhere, type PlainTransfers } from './plain-transfer';
import type { ReportedOrder } from './payment';

// The time since the report for other chains to answer. A chain without a working node must not delay the rejection of
// a false report for longer.
const otherChainsAnswerWithinMs = 60 * 60_000;

/** Reads the transfers of reported transactions to merchants without the payment contract. */
@Injectable()
export class ReportedTransfers {
  constructor(
    private readonly adapters: ChainAdapters,
    private readonly prices: TokenPrices,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Reads the chain of the report. Undefined when this deployment does not have the token of the order any more. */
  async read(order: ReportedOrder, adapter: ChainAdapter): Promise<TransferRead | undefined> {
    const token = findToken(adapter.chain, order.payToken);
    if (!token) return undefined;
    const wanted = { txHash: order.payTx, token, receiver: order.merchantAddress, seenIn: null };
    const [read] = await adapter.readTransfers([wanted]);
    return read;
  }

  /**
   * Reads other chains, which a wallet may have used by mistake: the merchant has the same address there, and that
   * chain has the transaction. `wait` while the node of one of them is down.
   */
  async elsewhere(
    order: ReportedOrder,
    adapter: ChainAdapter,
    nowMs: number,
  ): Promise<{ chain: Chain; plain: PlainTransfers } | undefined> {
    const { merchantAddress: receiver, payTx: txHash } = order;
    const candidates = this.adapters.all.filter(
      (other) =>
        other !== adapter && isTxHash(other.chain, txHash) && canonicalAddress(other.chain, receiver).ok,
    );
    let unanswered: Chain | undefined;
    for (const other of candidates) {
      const { chain } = other;
      const wanted = { txHash, token: { address: null }, receiver, seenIn: null };
      const [read] = await other.readTransfers([wanted]).catch((err: unknown): undefined[] => {
        this.logger.warn({ chain: chain.id, orderId: order.id, err }, 'other chain of a report not read');
        return [];
      });
      if (read?.kind === 'mined') return { chain, plain: transfersElsewhere(order, read, chain) };
      if (read?.kind !== 'unmined') unanswered ??= chain;
    }
    const mayWait = nowMs - order.payTxSinceMs < otherChainsAnswerWithinMs;
    return unanswered && mayWait ? { chain: unanswered, plain: { kind: 'wait' } } : undefined;
  }

  /** The current value of the order; null without a price. */
  valueUsd({ settleToken, merchantAmount }: ReportedOrder, { chain }: ChainAdapter): string | null {
    return this.prices.valuesOf(chain)(settleToken, merchantAmount);
  }
}
