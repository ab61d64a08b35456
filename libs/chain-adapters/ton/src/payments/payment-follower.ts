import { mapBounded } from '@tollbridge/chain-nodes';
import type { BlockRef, Payment, PaymentUpdate } from '@tollbridge/chain-port';
import { listTransactions, stepSize, type ContractTransactions } from './contract-transactions';
import type { ContractTransaction, PaymentReader } from './payments';
import { badReply } from './node-client';
import type { TonNode } from './ton-node';

export interface FollowOptions {
  /** Raw addresses of the payment contracts. */
  readonly contracts: readonly string[];
  /** The first block to read. */
  readonly startHeight: number;
  readonly reader: PaymentReader;
}

/**
 * Returns the next step from `known` towards the head. Masterchain blocks are final, so no rollback occurs. Blocks
 * without payments are not read, so `parentHash` of a block is the hash of the previously followed block.
 */
export async function nextUpdate(
  node: TonNode,
  known: readonly BlockRef[],
  { contracts, startHeight, reader }: FollowOptions,
  size = stepSize,
): Promise<PaymentUpdate> {
  const before = known.at(-1);
  const head = await node.block(await node.head());
  const from = Math.max(startHeight, before ? before.height + 1 : 0);
  if (from > head.height) return { kind: 'idle', head };
  const start = before ?? (from > 1 ? await node.block(from) : undefined);
  const range = { from, fromTimeMs: start?.timeMs, head };
  const listed = await Promise.all(contracts.map((account) => listTransactions(node, account, range, size)));
  const listedUpTo = Math.min(...listed.map((it) => it.upTo));
  const paying = (await Promise.all(listed.map((it) => readCells(node, it, listedUpTo)))).flat();
  const heights = new Set(paying.map(({ indexed }) => indexed.seqno));
  const blocks = await mapBounded([...heights], (height) => node.block(height));
  const read = await readPayments(node, reader, paying, { blocks, head });
  // The step ends before a payment that is not certain yet. The next step reads it again.
  const upTo = Math.min(listedUpTo, ...read.unknown.map((height) => height - 1));
  if (upTo < from) return { kind: 'idle', head };
  const payments = read.payments.filter(({ height }) => height <= upTo);
  const paid = blocks.filter(({ height }) => payments.some((it) => it.height === height) && height !== upTo);
  const last = upTo === head.height ? head : await node.block(upTo);
  return { kind: 'advance', blocks: linked(before, [...paid, last]), payments, head };
}

/** Reads the transactions with their cells. Each transaction must have the hash that the next one contains. */
async function readCells(
  node: TonNode,
  { transactions }: ContractTransactions,
  upTo: number,
): Promise<ContractTransaction[]> {
  const listed = transactions.filter(({ seqno }) => seqno <= upTo);
  const last = listed.at(-1);
  if (!last) return [];
  const cells = (await node.chain(last.account, last, listed.length)).reverse();
  return listed.map((indexed, at) => {
    const transaction = cells[at];
    if (transaction?.hash !== indexed.hash) throw badReply('node and index differ');
    return { indexed, transaction };
  });
}

async function readPayments(
  node: TonNode,
  reader: PaymentReader,
  transactions: readonly ContractTransaction[],
  { blocks, head }: { blocks: readonly BlockRef[]; head: BlockRef },
): Promise<{ payments: Payment[]; unknown: number[] }> {
  const hashes = new Map(blocks.map(({ height, hash }) => [height, hash]));
  const read = await mapBounded(transactions, (it) =>
    reader.read(node, it, { blockHash: hashes.get(it.indexed.seqno)!, headTimeMs: head.timeMs }),
  );
  return {
    payments: read.flatMap((one) => (one.kind === 'payment' ? one.payment : [])),
    /** The heights of payments that may become certain later. */
    unknown: transactions.flatMap(({ indexed }, at) => (read[at]!.kind === 'unknown' ? indexed.seqno : [])),
  };
}

/** Returns the blocks in ascending order, each linked to the previous one. */
function linked(before: BlockRef | undefined, blocks: readonly BlockRef[]): BlockRef[] {
  const ascending = blocks.toSorted((one, other) => one.height - other.height);
  return ascending.map((block, at) => ({
    ...block,
    parentHash: (ascending[at - 1] ?? before)?.hash ?? block.parentHash,
  }));
}
