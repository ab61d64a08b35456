import type { BlockRef } from '@tollbridge/chain-port';
import type { IndexedTransaction } from './indexed';
import { badReply } from './node-client';
import type { TonNode } from './ton-node';

type Node = Pick<TonNode, 'lastTransaction' | 'transactions'>;

/** The range to list the next transactions of a contract from. */
export interface ListRange {
  /** The first block. */
  readonly from: number;
  /** Transactions before this time are not listed. Undefined to list from the contract's first transaction. */
  readonly fromTimeMs: number | undefined;
  readonly head: BlockRef;
}

export interface ContractTransactions {
  /** Oldest first, without gaps. */
  readonly transactions: readonly IndexedTransaction[];
  /** The transactions are complete from the first block up to this block. */
  readonly upTo: number;
}

/** Maximum number of transactions in one step. A step includes at least one block. */
export interface StepSize {
  /** Used while the caller is up to date. */
  readonly live: number;
  /** Used while the caller catches up. */
  readonly catchUp: number;
  /** Number of transactions per request while the caller catches up. */
  readonly page: number;
}

export const stepSize: StepSize = { live: 64, catchUp: 128, page: 1_000 };

// A masterchain block contains transactions that are some seconds older, so a margin of ten minutes is safe.
const marginMs = 600_000;
// More than the transactions of a contract in one block and in the margin before the first block.
const maxPages = 200;

/**
 * Lists the transactions of a contract in the next blocks. The node's state of the account at the head proves that none
 * is missing. Each transaction contains the hash of the previous one.
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

/** Lists the oldest of many transactions, up to the end of a block. */
async function catchUp(
  node: Node,
  account: string,
  { from, fromTimeMs, head }: ListRange,
  size: StepSize,
): Promise<ContractTransactions> {
  const startUtime =
    fromTimeMs === undefined ? {} : { startUtime: Math.max(0, Math.floor((fromTimeMs - marginMs) / 1_000)) };
  let place: { startUtime?: number; startLt?: bigint } = startUtime;
  let before: IndexedTransaction | undefined;
  const found: IndexedTransaction[] = [];
  for (let page = 0; page < maxPages; page++) {
    const listed = await node.transactions({ account, ...place, sort: 'asc', limit: size.page });
    before ??= await predecessor(node, account, listed[0]);
    requireChain(before ? [before, ...listed] : listed);
    if (page === 0 && before && before.seqno >= from) throw lacksTransactions();
    found.push(...listed.filter(({ seqno }) => seqno >= from && seqno <= head.height));
    const last = listed.at(-1);
    const isWhole = listed.length < size.page || last!.seqno > head.height;
    const step = cut(found, isWhole, size);
    if (step) return step;
    if (isWhole) break;
    [before, place] = [last, { startLt: last!.lt + 1n }];
  }
  throw lacksTransactions();
}

/**
 * Returns the last transaction before the first one that an index lists from a given time on. Only this transaction
 * proves that no transaction is missing between them.
 */
async function predecessor(
  node: Node,
  account: string,
  first: IndexedTransaction | undefined,
): Promise<IndexedTransaction | undefined> {
  if (!first || first.prevLt === 0n) return undefined;
  const [before] = await node.transactions({ account, endLt: first.prevLt, sort: 'desc', limit: 1 });
  if (!before) throw lacksTransactions();
  return before;
}

/**
 * Truncates the list to whole blocks, because the next step continues after the last block. Returns undefined while the
 * first block is incomplete.
 */
function cut(
  transactions: readonly IndexedTransaction[],
  isWhole: boolean,
  { catchUp: most }: StepSize,
): ContractTransactions | undefined {
  const isEnd = (at: number): boolean => {
    const next = transactions[at + 1];
    return next ? transactions[at]!.seqno !== next.seqno : isWhole;
  };
  let end = Math.min(most, transactions.length) - 1;
  while (end >= 0 && !isEnd(end)) end--;
  if (end < 0) end = transactions.findIndex((_, at) => isEnd(at));
  if (end < 0) return undefined;
  return { transactions: transactions.slice(0, end + 1), upTo: transactions[end]!.seqno };
}

const lacksTransactions = (): Error => badReply('the index lacks transactions that the node has');

/** @param transactions oldest first */
function requireChain(transactions: readonly IndexedTransaction[]): void {
  for (const [at, next] of transactions.slice(1).entries()) {
    const { lt, hash, seqno } = transactions[at]!;
    if (next.prevLt !== lt || next.prevHash !== hash || next.seqno < seqno)
      throw badReply('a transaction does not link to the one before it');
  }
}
