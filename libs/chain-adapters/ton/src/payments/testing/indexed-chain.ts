import type { BlockRef } from '@tollbridge/chain-port';
import type { IndexedTransaction } from '../indexed';
import type { IndexQuery, TransactionPlace } from '../ton-node';

export const account = `0:${'aa'.repeat(32)}`;
export const hashOf = (at: number): string => at.toString(16).padStart(64, '0');
export const blockAt = (height: number): BlockRef => ({
  height,
  hash: hashOf(height + 0xb0_0000),
  parentHash: hashOf(height + 0xb0_0000 - 1),
  timeMs: 1_800_000_000_000 + height * 5_000,
});

/** Transactions of the contract in these blocks, oldest first. */
export const transactionsIn = (blocks: readonly number[]): IndexedTransaction[] =>
  blocks.map((seqno, at) => ({
    account,
    lt: BigInt(at + 1),
    hash: hashOf(at + 1),
    seqno,
    traceId: hashOf(0xf0_0000 + at),
    prevLt: BigInt(at),
    prevHash: hashOf(at),
    timeS: 1_800_000_000 + seqno * 5 - 3,
    isFailed: false,
    opcode: null,
    isBounced: false,
    source: null,
  }));

/** A node with an index of these transactions. It can return its state at any block unless a test changes this. */
export class IndexedNode {
  readonly queries: IndexQuery[] = [];

  constructor(
    readonly listed: readonly IndexedTransaction[],
    private readonly state: readonly IndexedTransaction[] = listed,
  ) {}

  async lastTransaction(_account: string, seqno: number): Promise<TransactionPlace | undefined> {
    return this.state.filter((it) => it.seqno <= seqno).at(-1);
  }

  async transactions(query: IndexQuery): Promise<IndexedTransaction[]> {
    this.queries.push(query);
    const { startUtime = 0, startLt = 0n, endLt = 2n ** 64n, sort, limit } = query;
    const found = this.listed.filter(({ lt, timeS }) => lt >= startLt && lt <= endLt && timeS >= startUtime);
    return (sort === 'asc' ? found : found.toReversed()).slice(0, limit);
  }
}
