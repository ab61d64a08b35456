import type { ChainAdapter, TransferRead } from '@tollbridge/chain-port';
import { canonicalAddress, findToken, isTxHash, type Chain } from '@tollbridge/chains';
import type { Logger } from '@tollbridge/observability';
import type { TokenPrices } from '../prices/token-prices';
import { transfersElsewhere, type PlainTransfers, type Received } from './plain-transfer';
import type { ReportedOrder } from './payment';
import type { TransferFacts } from './plain-transfers.repository';

export interface ReportedTransfersParts {
  adapter: ChainAdapter;
  /** Those of the other chains, where a wallet may have paid by mistake. */
  others: readonly ChainAdapter[];
  prices: Pick<TokenPrices, 'valuesOf'>;
  logger: Logger;
}

// Since the report. A chain without nodes does not keep the order of a false report for longer.
const otherChainsAnswerWithinMs = 60 * 60_000;

/** Reads what reported transactions transfer to merchants without the payment contract. */
export class ReportedTransfers {
  constructor(private readonly parts: ReportedTransfersParts) {}

  /** On the chain of the order; undefined where this deployment no longer has its token. */
  async read(order: ReportedOrder): Promise<TransferRead | undefined> {
    const { adapter } = this.parts;
    const token = findToken(adapter.chain, order.payToken);
    if (!token) return undefined;
    const wanted = { txHash: order.payTx, token, receiver: order.merchantAddress, seenIn: null };
    const [read] = await adapter.readTransfers([wanted]);
    return read;
  }

  /**
   * Where the merchant has the same address and another chain has the transaction; `wait` while one of them is down.
   */
  async elsewhere(
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

  /** Facts about a transfer, with the present value of the order. */
  factsOf(order: ReportedOrder, chain: Chain, received: Received, nowMs: number): TransferFacts {
    const { adapter, prices } = this.parts;
    const valueOf = prices.valuesOf(adapter.chain);
    return { chain, received, valueUsd: valueOf(order.settleToken, order.merchantAmount), nowMs };
  }
}
