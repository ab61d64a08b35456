import { listTransactions, type ListRange } from './contract-transactions';
import { account, blockAt, hashOf, IndexedNode, transactionsIn } from './testing/indexed-chain';

const rangeFrom = (from: number, head: number): ListRange => ({
  from,
  fromTimeMs: blockAt(from).timeMs,
  head: blockAt(head),
});
const size = { live: 4, catchUp: 3 };
const list = (node: IndexedNode, from: number, head: number) =>
  listTransactions(node, account, rangeFrom(from, head), size);
const lts = ({ transactions }: { transactions: readonly { lt: bigint }[] }) =>
  transactions.map(({ lt }) => Number(lt));

describe('listTransactions', () => {
  it('lists nothing of a contract without transactions', async () => {
    expect(await list(new IndexedNode([]), 1, 9)).toEqual({ transactions: [], upTo: 9 });
  });

  it('lists the transactions of the next blocks by one request', async () => {
    const node = new IndexedNode(transactionsIn([3, 5, 5]));
    const listed = await list(node, 4, 9);
    expect(lts(listed)).toEqual([2, 3]);
    expect(listed.upTo).toBe(9);
    expect(node.queries).toHaveLength(1);
  });

  it('lists no transaction above the head', async () => {
    expect(lts(await list(new IndexedNode(transactionsIn([5, 6, 7])), 4, 6))).toEqual([1, 2]);
  });

  it('lists nothing where the newest transaction is known', async () => {
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

  it('takes a block that is longer than a step as a whole', async () => {
    const listed = await list(new IndexedNode(transactionsIn([2, 2, 2, 2, 2, 3])), 1, 9);
    expect(listed).toMatchObject({ upTo: 2 });
    expect(lts(listed)).toEqual([1, 2, 3, 4, 5]);
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
    await expect(list(new IndexedNode(change(all), all), 1, 9)).rejects.toThrow('no chain');
  });

  it('rejects an index that lacks the older transactions', async () => {
    const all = transactionsIn([2, 3, 4, 5, 6, 7]);
    const node = new IndexedNode(all);
    const later = { ...rangeFrom(1, 9), fromTimeMs: blockAt(1_000).timeMs };
    await expect(listTransactions(node, account, later, size)).rejects.toThrow('lacks transactions');
  });
});
