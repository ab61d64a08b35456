import type { Payment } from '@tollbridge/chain-port';
import type { Chain } from '@tollbridge/chains';
import { decodeTonRecord, type TonPaidOrder } from '@tollbridge/onchain/ton';
import { isDeepStrictEqual } from 'node:util';
import type { AccountTransaction } from '../account-reader';
import { isExecuted } from '../deposits';
import { canonicalOf } from './addresses';
import type { ChainJetton } from './chain-jettons';
import { findReceipt, type Receipt, type ReceiptNode } from './find-receipt';
import type { IndexedTransaction } from './indexed';
import { toPaymentFields } from './orders';

interface RecordPlace {
  indexed: IndexedTransaction;
  headTimeMs: number;
}

/** A transaction of a payment contract, as the index and as its own cells show it. */
export interface ContractTransaction {
  readonly indexed: IndexedTransaction;
  readonly transaction: AccountTransaction;
}

// PostgreSQL's integers; the logical times of a block are much closer to each other.
const logIndexes = 2n ** 31n;

export type PaymentRead = { kind: 'payment'; payment: Payment } | { kind: 'unknown' } | { kind: 'none' };

/** Reads the payments among the transactions of payment contracts, and proves that the merchants received them. */
export class PaymentReader {
  constructor(
    private readonly chain: Chain,
    private readonly jettons: readonly ChainJetton[],
  ) {}

  /**
   * The payment that a transaction of a payment contract records. `none` for every other transaction, and where the
   * merchant's wallet did not receive the jettons. `unknown` while they may still arrive there.
   */
  async read(
    node: ReceiptNode,
    { indexed, transaction }: ContractTransaction,
    { blockHash, headTimeMs }: { blockHash: string; headTimeMs: number },
  ): Promise<PaymentRead> {
    const record = await readRecord(transaction);
    if (!record) return { kind: 'none' };
    const receipt = await this.receiptOf(node, record, { indexed, headTimeMs });
    if (receipt.kind !== 'found') return receipt;
    const { order, orderHash, payer } = record;
    const payment = {
      orderId: order.orderId,
      orderHash,
      payer: canonicalOf(this.chain, payer),
      fields: toPaymentFields(order, this.chain, this.jettons),
      height: indexed.seqno,
      blockHash,
      // The payer's own transaction: what the payer reports, and what explorers open.
      txHash: receipt.transaction.traceId ?? indexed.hash,
      logIndex: Number(indexed.lt % logIndexes),
    };
    return { kind: 'payment', payment };
  }

  /**
   * The record alone proves that coins were paid out, in the transaction that sent it. Of jettons it proves a
   * confirmation, which anyone can imitate: the merchant's wallet must have received them.
   */
  private async receiptOf(
    node: ReceiptNode,
    record: TonPaidOrder,
    { indexed, headTimeMs }: RecordPlace,
  ): Promise<Receipt> {
    const { jetton } = record.order;
    // A jetton that is not of this chain is in no order, so nothing is to be proven.
    if (jetton === null || !this.jettons.some((it) => isDeepStrictEqual(it.jetton, jetton)))
      return { kind: 'found', transaction: indexed };
    const { account: contract, timeS: recordTimeS } = indexed;
    return findReceipt(node, { record, jetton, contract, recordTimeS, headTimeMs });
  }
}

/** The record that a payment contract accepted. */
async function readRecord(transaction: AccountTransaction): Promise<TonPaidOrder | undefined> {
  const { account, parsed } = transaction;
  if (!parsed.inMessage || !isExecuted(transaction)) return undefined;
  return decodeTonRecord(parsed.inMessage, account);
}
