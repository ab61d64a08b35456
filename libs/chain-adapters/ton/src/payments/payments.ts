import type { Payment } from '@tollbridge/chain-port';
import type { Chain } from '@tollbridge/chains';
import {
  decodeTonRecord,
  jettonWalletAddress,
  tonSettlementAddress,
  tonTransferId,
  type TonPaidOrder,
} from '@tollbridge/onchain/ton';
import { isDeepStrictEqual } from 'node:util';
import type { AccountTransaction } from '../account-reader';
import { isExecuted } from '../deposits';
import { jettonOps } from '../jettons';
import { canonicalOf } from './addresses';
import type { ChainJetton } from './chain-jettons';
import type { IndexedTransaction } from './indexed';
import { readJettonReceipt } from './jetton-receipt';
import { toPaymentFields } from './orders';
import { badReply } from './node-client';
import type { TonNode } from './ton-node';

type Node = Pick<TonNode, 'chain' | 'traceOfTransaction'>;

/** A transaction of a payment contract, as the index and as its own cells show it. */
export interface ContractTransaction {
  readonly indexed: IndexedTransaction;
  readonly transaction: AccountTransaction;
}

// PostgreSQL's integers; the logical times of a block are much closer to each other.
const logIndexes = 2n ** 31n;

/** Reads the payments among the transactions of payment contracts, and proves that the merchants received them. */
export class PaymentReader {
  constructor(
    private readonly chain: Chain,
    private readonly jettons: readonly ChainJetton[],
  ) {}

  /**
   * The payment that a transaction of a payment contract records; undefined for every other transaction, and where the
   * merchant's wallet did not receive the jettons.
   * @param blockHash of its masterchain block
   */
  async read(
    node: Node,
    { indexed, transaction }: ContractTransaction,
    blockHash: string,
  ): Promise<Payment | undefined> {
    const record = await readRecord(transaction);
    if (!record || !(await this.isReceived(node, record, indexed))) return undefined;
    const { order, orderHash, payer } = record;
    return {
      orderId: order.orderId,
      orderHash,
      payer: canonicalOf(this.chain, payer),
      fields: toPaymentFields(order, this.chain, this.jettons),
      height: indexed.seqno,
      blockHash,
      // The payer's own transaction: what the payer reports, and what explorers open.
      txHash: indexed.traceId ?? indexed.hash,
      logIndex: Number(indexed.lt % logIndexes),
    };
  }

  /**
   * The record alone proves that coins were paid out, in the transaction that sent it. Of jettons it proves a confirmation,
   * which anyone can imitate: the merchant's wallet must have received them. Its transaction is in the trace of the record.
   */
  private async isReceived(node: Node, record: TonPaidOrder, indexed: IndexedTransaction): Promise<boolean> {
    const { jetton } = record.order;
    // A jetton that is not of this chain is in no order, so nothing is to be proven.
    if (jetton === null || !this.jettons.some((it) => isDeepStrictEqual(it.jetton, jetton))) return true;
    const trace = await node.traceOfTransaction(indexed.hash);
    if (!trace) throw badReply('the index lacks the trace of a payment');
    const settlement = await tonSettlementAddress(record.orderHash, indexed.account);
    const [wallet, source] = [
      await jettonWalletAddress(jetton, record.order.merchant),
      await jettonWalletAddress(jetton, settlement),
    ];
    const places = trace.transactions.filter(
      (it) =>
        it.account === wallet &&
        it.source === source &&
        it.opcode === jettonOps.internalTransfer &&
        !it.isFailed,
    );
    for (const place of places) {
      const [transaction] = await node.chain(wallet, place, 1);
      const receipt = transaction && readJettonReceipt(transaction);
      const isRight =
        receipt?.from === settlement &&
        receipt.queryId === tonTransferId(record.orderHash) &&
        receipt.amountAtomic === record.order.merchantAmount;
      if (isRight) return true;
    }
    return false;
  }
}

/** The record that a payment contract accepted. */
async function readRecord(transaction: AccountTransaction): Promise<TonPaidOrder | undefined> {
  const { account, parsed } = transaction;
  if (!parsed.inMessage || !isExecuted(transaction)) return undefined;
  return decodeTonRecord(parsed.inMessage, account);
}
