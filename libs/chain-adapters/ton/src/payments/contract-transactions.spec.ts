import { listTransactions, type ListRange } from './contract-transactions';
import { account, blockAt, hashOf, IndexedNode, transactionsIn } from './testing/indexed-chain';

const rangeFrom = (from: number, head: number): ListRange => ({
  from,
  fromTimeMs: blockAt(from).timeMs,
  head: blockAt(head),
});
const size = { live: 4, catchUp: 3, page: 1_000 };
const list = (node: IndexedNode, from: number, head: number) =>
  listTransactions(node, account, rangeFrom(from, head), size);
const lts = ({ transactions }: { transactions: readonly { lt: bigint }[] }) =>
  transactions.map(({ lt }) => Number(lt));

describe('listTransactions', () => {
  it('returns an empty list for a contract without transactions', async () => {
    expect(await list(new IndexedNode([]), 1, 9)).toEqual({ transactions: [], upTo: 9 });
  });

  it('lists the transactions of the next blocks with one request', async () => {
    const node = new IndexedNode(transactionsIn([3, 5, 5]));
    const listed = await list(node, 4, 9);
    expect(lts(listed)).toEqual([2, 3]);
    expect(listed.upTo).toBe(9);
    expect(node.queries).toHaveLength(1);
  });

  it('lists no transaction above the head', async () => {
    expect(lts(await list(new IndexedNode(transactionsIn([5, 6, 7])), 4, 6))).toEqual([1, 2]);
  });

  it('returns an empty list if the newest transaction is known', async () => {
    expect(lts(await list(new IndexedNode(transactionsIn([3, 4])), 5, 9))).toEqual([]);
  });

  it('catches up in steps that end with a block', async () => {
    const blocks = [1, 2, 2, 3, 3, 4, 5, 6, 7];
    const node = new IndexedNode(transactionsIn(blocks));
    const found: number[] = [];
    let [from, steps] = [1, 0];
    while (from <= 9) {
      const step = await list(node, from, 9);
      found.push(...lts(step));
      from = step.upTo + 1;
      steps++;
    }
    expect(found).toEqual(blocks.map((_, at) => at + 1));
    expect(steps).toBe(3);
  });

  it('returns a block completely if it is longer than a step', async () => {
    const listed = await list(new IndexedNode(transactionsIn([2, 2, 2, 2, 2, 3])), 1, 9);
    expect(listed).toMatchObject({ upTo: 2 });
    expect(lts(listed)).toEqual([1, 2, 3, 4, 5]);
  });

  it('returns a block completely if it is longer than several pages of the index', async () => {
    const node = new IndexedNode(transactionsIn([...Array<number>(1_001).fill(2), 3, 4]));
    expect(await list(node, 1, 9)).toMatchObject({ upTo: 2, transactions: { length: 1_001 } });
  });

  it('returns the last block before the head completely', async () => {
    const node = new IndexedNode(transactionsIn([5, 5, 5, 5, 5, 5, 6, 6, 6]));
    const listed = await listTransactions(node, account, rangeFrom(5, 5), { ...size, page: 7 });
    expect(listed).toMatchObject({ upTo: 5, transactions: { length: 6 } });
  });

  it('skips many transactions of the minutes before the first block', async () => {
    const node = new IndexedNode(transactionsIn([...Array<number>(90).fill(3), 5, 6, 7, 8, 9]));
    const listed = await listTransactions(node, account, rangeFrom(5, 9), { ...size, page: 2 });
    expect(lts(listed)).toEqual([91]);
  });

  it('rejects an index if its history begins after the first block', async () => {
    const all = transactionsIn([2, 3, 4, 5, 6, 7]);
    await expect(list(new IndexedNode(all.slice(1), all), 1, 9)).rejects.toThrow('lacks transactions');
  });

  it('rejects an index that omits the oldest transactions of a list', async () => {
    const all = transactionsIn([2, 3, 4, 5, 6, 7]);
    const later = { ...rangeFrom(1, 9), fromTimeMs: all[1]!.timeS * 1_000 + 600_000 };
    await expect(listTransactions(new IndexedNode(all), account, later, size)).rejects.toThrow('lacks');
  });

  it('rejects an index that lags behind the node', async () => {
    const all = transactionsIn([3, 5]);
    await expect(list(new IndexedNode(all.slice(0, 1), all), 1, 9)).rejects.toThrow('index lags');
  });

  it.each([
    ['lacks a transaction', (all: ReturnType<typeof transactionsIn>) => all.filter((_, at) => at !== 1)],
    [
      'has a transaction of another history',
      (all: ReturnType<typeof transactionsIn>) =>
        all.map((it, at) => (at === 1 ? { ...it, hash: hashOf(0xbad) } : it)),
    ],
    [
      'has blocks in the wrong order',
      (all: ReturnType<typeof transactionsIn>) => all.map((it, at) => (at === 1 ? { ...it, seqno: 8 } : it)),
    ],
  ])('rejects an index that %s', async (_name, change) => {
    const all = transactionsIn([3, 4, 5]);
    await expect(list(new IndexedNode(change(all), all), 1, 9)).rejects.toThrow('does not link');
  });

  it('rejects an index that lacks the older transactions', async () => {
    const all = transactionsIn([2, 3, 4, 5, 6, 7]);
    const node = new IndexedNode(all);
    const later = { ...rangeFrom(1, 9), fromTimeMs: blockAt(1_000).timeMs };
    await expect(listTransactions(node, account, later, size)).rejects.toThrow('lacks transactions');
  });
});
