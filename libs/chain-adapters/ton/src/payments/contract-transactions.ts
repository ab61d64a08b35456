import type { BlockRef } from '@tollbridge/chain-port';
import type { IndexedTransaction } from './indexed';
import { badReply } from './node-client';
import type { TonNode } from './ton-node';

type Node = Pick<TonNode, 'lastTransaction' | 'transactions'>;

/** Where the next transactions of a contract are listed. */
export interface ListRange {
  /** The first block. */
  readonly from: number;
  /** Before its time nothing is listed; undefined to list from the contract's first transaction. */
  readonly fromTimeMs: number | undefined;
  readonly head: BlockRef;
}

export interface ContractTransactions {
  /** Oldest first, without a gap. */
  readonly transactions: readonly IndexedTransaction[];
  /** They are all that the contract has from the first block up to this one. */
  readonly upTo: number;
}

/** Transactions that one step takes at once; at least one block. */
export interface StepSize {
  /** While the caller keeps up. */
  readonly live: number;
  /** While it catches up. */
  readonly catchUp: number;
}

export const stepSize: StepSize = { live: 64, catchUp: 128 };

// A masterchain block contains transactions that are some seconds older; ten minutes are safe.
const marginMs = 600_000;
const pageSize = 1_000;
const maxPages = 20;

/**
 * Lists the transactions of a contract in the next blocks. The node's state of the account as of the head proves that none is
 * missing: each transaction names the hash of the one before.
 * @throws ProviderError also while the index lags behind the node
 */
export async function listTransactions(
  node: Node,
  account: string,
  range: ListRange,
  size = stepSize,
): Promise<ContractTransactions> {
  const { from, head } = range;
  const last = await node.lastTransaction(account, head.height);
  if (!last) return { transactions: [], upTo: head.height };
  const newest = await node.transactions({ account, endLt: last.lt, sort: 'desc', limit: size.live });
  if (newest[0]?.hash !== last.hash) throw badReply('the index lags behind the node');
  requireChain(newest.toReversed());
  const isReached = newest.some(({ seqno, prevLt }) => seqno < from || prevLt === 0n);
  if (!isReached) return catchUp(node, account, range, size);
  const transactions = newest.filter(({ seqno }) => seqno >= from).toReversed();
  return { transactions, upTo: head.height };
}

/** The oldest of many transactions, up to the end of a block. */
async function catchUp(
  node: Node,
  account: string,
  { from, fromTimeMs, head }: ListRange,
  size: StepSize,
): Promise<ContractTransactions> {
  const startUtime =
    fromTimeMs === undefined ? {} : { startUtime: Math.max(0, Math.floor((fromTimeMs - marginMs) / 1_000)) };
  let place: { startUtime?: number; startLt?: bigint } = startUtime;
  for (let page = 0; page < maxPages; page++) {
    const listed = await node.transactions({ account, ...place, sort: 'asc', limit: pageSize });
    requireChain(listed);
    const transactions = listed.filter(({ seqno }) => seqno >= from && seqno <= head.height);
    const isWhole = listed.length < pageSize;
    if (transactions.length > 0) return cut(transactions, isWhole, size);
    const last = listed.at(-1);
    if (isWhole || !last) break;
    place = { startLt: last.lt + 1n };
  }
  throw badReply('the index lacks transactions that the node has');
}

/** Whole blocks only: the next step continues after the last of them. */
function cut(
  transactions: readonly IndexedTransaction[],
  isWhole: boolean,
  { catchUp: most }: StepSize,
): ContractTransactions {
  const endsBlock = (at: number): boolean => transactions[at]!.seqno !== transactions[at + 1]?.seqno;
  let end = Math.min(most, transactions.length) - 1;
  while (end >= 0 && !endsBlock(end)) end--;
  if (end < 0) end = transactions.findIndex((_, at) => endsBlock(at));
  // A block that the page cuts off ends at the last transaction as well.
  const isCutOff = end === transactions.length - 1 && !isWhole;
  if (isCutOff) throw badReply('a block has too many transactions of a payment contract');
  return { transactions: transactions.slice(0, end + 1), upTo: transactions[end]!.seqno };
}

/** @param transactions oldest first */
function requireChain(transactions: readonly IndexedTransaction[]): void {
  for (const [at, next] of transactions.slice(1).entries()) {
    const { lt, hash, seqno } = transactions[at]!;
    if (next.prevLt !== lt || next.prevHash !== hash || next.seqno < seqno)
      throw badReply('the transactions are no chain');
  }
}
