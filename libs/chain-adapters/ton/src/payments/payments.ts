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

/** A transaction of a payment contract, from the index and from its own cells. */
export interface ContractTransaction {
  readonly indexed: IndexedTransaction;
  readonly transaction: AccountTransaction;
}

// The range of PostgreSQL's integers. Logical times within a block are much closer to each other.
const logIndexes = 2n ** 31n;

export type PaymentRead = { kind: 'payment'; payment: Payment } | { kind: 'unknown' } | { kind: 'none' };

/** Reads the payments in transactions of payment contracts, and proves that the merchants received them. */
export class PaymentReader {
  constructor(
    private readonly chain: Chain,
    private readonly jettons: readonly ChainJetton[],
  ) {}

  /**
   * Returns the payment that a transaction of a payment contract records. Returns `none` for any other transaction, and
   * if the merchant's wallet did not receive the jettons. Returns `unknown` while they may still arrive.
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
      // The payer's own transaction, which the payer reports and explorers show.
      txHash: receipt.transaction.traceId ?? indexed.hash,
      logIndex: Number(indexed.lt % logIndexes),
    };
    return { kind: 'payment', payment };
  }

  /**
   * For coins, the record alone proves the payout, in the transaction that sent it. For jettons, it only proves a
   * confirmation, which anyone can imitate. The merchant's wallet must therefore have received the jettons.
   */
  private async receiptOf(
    node: ReceiptNode,
    record: TonPaidOrder,
    { indexed, headTimeMs }: RecordPlace,
  ): Promise<Receipt> {
    const { jetton } = record.order;
    // An unsupported jetton cannot be part of an order, so no proof is needed.
    if (jetton === null || !this.jettons.some((it) => isDeepStrictEqual(it.jetton, jetton)))
      return { kind: 'found', transaction: indexed };
    const { account: contract, timeS: recordTimeS } = indexed;
    return findReceipt(node, { record, jetton, contract, recordTimeS, headTimeMs });
  }
}

/** Returns the record that a payment contract accepted. */
async function readRecord(transaction: AccountTransaction): Promise<TonPaidOrder | undefined> {
  const { account, parsed } = transaction;
  if (!parsed.inMessage || !isExecuted(transaction)) return undefined;
  return decodeTonRecord(parsed.inMessage, account);
}
