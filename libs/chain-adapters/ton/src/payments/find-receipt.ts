import {
  jettonWalletAddress,
  tonSettlementAddress,
  tonTransferId,
  type TonPaidOrder,
} from '@tollbridge/onchain/ton';
import type { TonJetton } from '@tollbridge/onchain/ton';
import { jettonOps } from '../jettons';
import type { IndexedTransaction } from './indexed';
import { readJettonReceipt } from './jetton-receipt';
import type { TonNode } from './ton-node';

export type ReceiptNode = Pick<TonNode, 'chain' | 'transactions'>;

const pageSize = 100;
// Two thousand transactions of one wallet, for a transfer that takes seconds.
const maxPages = 20;
/**
 * The jettons usually arrive before their confirmation. After an imitated confirmation, they arrive at most this much
 * later.
 */
const receiptWithinS = 60;

/** `unknown` means that the receipt may still arrive. */
export type Receipt =
  | { kind: 'found'; transaction: IndexedTransaction }
  | { kind: 'unknown' }
  | { kind: 'none' };

export interface WantedReceipt {
  readonly record: TonPaidOrder;
  readonly jetton: TonJetton;
  /** Raw address of the payment contract. */
  readonly contract: string;
  /** Time of the transaction with the record. */
  readonly recordTimeS: number;
  /** Time of the newest block. */
  readonly headTimeMs: number;
}

/**
 * Finds the receipt of an order's jettons: the transaction of the merchant's own wallet that received them from the
 * order's contract. It searches the wallet's transactions instead of the record's trace, because a third party can make
 * that trace of any length. A third party can also imitate the confirmation, and the record is then in another trace
 * than the jettons.
 */
export async function findReceipt(node: ReceiptNode, wanted: WantedReceipt): Promise<Receipt> {
  const { record, jetton, contract, recordTimeS, headTimeMs } = wanted;
  const settlement = await tonSettlementAddress(record.orderHash, contract);
  const [wallet, source] = await Promise.all(
    [record.order.merchant, settlement].map((owner) => jettonWalletAddress(jetton, owner)),
  );
  const lastS = recordTimeS + receiptWithinS;
  // The logical time of the payment contract when it accepted the jettons.
  let startLt = record.nonce;
  for (let page = 0; page < maxPages; page++) {
    const listed = await node.transactions({ account: wallet!, startLt, sort: 'asc', limit: pageSize });
    for (const place of listed)
      if (isFrom(source!, place) && (await isReceipt(node, place, { record, settlement })))
        return { kind: 'found', transaction: place };
    const last = listed.at(-1);
    if (!last || listed.length < pageSize || last.timeS > lastS) break;
    startLt = last.lt + 1n;
  }
  return { kind: headTimeMs > lastS * 1_000 ? 'none' : 'unknown' };
}

const isFrom = (wallet: string, { source, opcode, isFailed }: IndexedTransaction): boolean =>
  source === wallet && opcode === jettonOps.internalTransfer && !isFailed;

async function isReceipt(
  node: ReceiptNode,
  place: IndexedTransaction,
  { record, settlement }: { record: TonPaidOrder; settlement: string },
): Promise<boolean> {
  const [transaction] = await node.chain(place.account, place, 1);
  const receipt = transaction && readJettonReceipt(transaction);
  return (
    receipt?.from === settlement &&
    receipt.queryId === tonTransferId(record.orderHash) &&
    receipt.amountAtomic === record.order.merchantAmount
  );
}
