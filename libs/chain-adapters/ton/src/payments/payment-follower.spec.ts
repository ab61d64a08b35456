import type { BlockRef } from '@tollbridge/chain-port';
import type { AccountTransaction } from '../account-reader';
import { nextUpdate } from './payment-follower';
import type { ContractTransaction, PaymentRead, PaymentReader } from './payments';
import { account, blockAt, IndexedNode, transactionsIn } from './testing/indexed-chain';
import type { TonNode } from './ton-node';

/** A node with this head that counts its requests. */
function nodeAt(head: number, blocks: readonly number[]) {
  const index = new IndexedNode(transactionsIn(blocks));
  const asked: string[] = [];
  const counted = <A extends unknown[], R>(name: string, answer: (...args: A) => Promise<R>) => {
    return (...args: A): Promise<R> => {
      asked.push(name);
      return answer(...args);
    };
  };
  const node = {
    head: counted('head', async () => head),
    block: counted('block', async (height: number) => blockAt(height)),
    lastTransaction: counted('state', (of: string, seqno: number) => index.lastTransaction(of, seqno)),
    transactions: counted('index', (query: Parameters<TonNode['transactions']>[0]) =>
      index.transactions(query),
    ),
    chain: counted('cells', async (_of: string, from: { lt: bigint }, count: number) =>
      index.listed
        .filter(({ lt }) => lt <= from.lt)
        .slice(-count)
        .toReversed()
        .map((it) => ({ hash: it.hash, lt: it.lt }) as AccountTransaction),
    ),
  };
  return { node: node as unknown as TonNode, asked };
}

/** Treats every transaction as a payment. */
const reader = {
  read: async (_node: unknown, { indexed }: ContractTransaction, { blockHash }: { blockHash: string }) =>
    ({
      kind: 'payment',
      payment: { orderId: String(indexed.lt), height: indexed.seqno, blockHash },
    }) as PaymentRead,
} as unknown as PaymentReader;
const options = { contracts: [account], startHeight: 1, reader };
const follow = (node: TonNode, known: readonly BlockRef[]) => nextUpdate(node, known, options);

describe('nextUpdate', () => {
  it('returns idle at the head of the node', async () => {
    const { node, asked } = nodeAt(9, [3]);
    expect(await follow(node, [blockAt(9)])).toEqual({ kind: 'idle', head: blockAt(9) });
    expect(asked).toEqual(['head', 'block']);
  });

  it('returns idle while the node is behind the caller', async () => {
    const { node } = nodeAt(7, [3]);
    expect(await follow(node, [blockAt(9)])).toEqual({ kind: 'idle', head: blockAt(7) });
  });

  it('reads neither blocks nor cells if nothing was paid', async () => {
    const { node, asked } = nodeAt(90, [3]);
    const update = await follow(node, [blockAt(9)]);
    expect(update).toMatchObject({
      kind: 'advance',
      payments: [],
      blocks: [{ height: 90, parentHash: blockAt(9).hash }],
    });
    expect(asked).toEqual(['head', 'block', 'state', 'index']);
  });

  it('links the blocks with payments up to the head, and assigns each payment its own block', async () => {
    const { node } = nodeAt(20, [3, 12, 15, 15]);
    const update = await follow(node, [blockAt(9)]);
    if (update.kind !== 'advance') throw new Error('not an advance');
    expect(update.payments).toEqual(
      [12, 15, 15].map((height, at) => ({
        orderId: String(at + 2),
        height,
        blockHash: blockAt(height).hash,
      })),
    );
    expect(update.blocks.map(({ height, parentHash }) => [height, parentHash])).toEqual([
      [12, blockAt(9).hash],
      [15, blockAt(12).hash],
      [20, blockAt(15).hash],
    ]);
  });

  it('returns the same payments and blocks when it starts from an earlier block', async () => {
    const { node } = nodeAt(20, [3, 12, 15]);
    const [late, early] = [await follow(node, [blockAt(14)]), await follow(node, [])];
    if (late.kind !== 'advance' || early.kind !== 'advance') throw new Error('not an advance');
    expect(early.payments.slice(-1)).toEqual(late.payments);
    expect(early.payments).toHaveLength(3);
  });

  it('sends at most eight concurrent requests to a node, for any number of payments', async () => {
    const { node } = nodeAt(
      200,
      Array.from({ length: 100 }, (_, at) => at + 10),
    );
    let [underWay, most] = [0, 0];
    const counted = async <T>(answer: Promise<T>): Promise<T> => {
      most = Math.max(most, ++underWay);
      await new Promise(setImmediate);
      underWay--;
      return answer;
    };
    const slow = { ...node, block: (height: number) => counted(node.block(height)) } as unknown as TonNode;
    const slowReader = {
      read: (...args: Parameters<PaymentReader['read']>) => counted(reader.read(...args)),
    } as unknown as PaymentReader;
    const size = { live: 200, catchUp: 200, page: 200 };
    const update = await nextUpdate(slow, [], { ...options, reader: slowReader }, size);
    expect(update).toMatchObject({ payments: { length: 100 } });
    expect(most).toBe(8);
  });

  it('ends before a payment that is not certain yet', async () => {
    const { node } = nodeAt(20, [3, 12, 15, 16]);
    const unsure = {
      read: async (_node: unknown, it: ContractTransaction, view: { blockHash: string }) =>
        it.indexed.seqno === 15 ? { kind: 'unknown' } : reader.read(node, it, { ...view, headTimeMs: 0 }),
    } as unknown as PaymentReader;
    const update = await nextUpdate(node, [blockAt(9)], { ...options, reader: unsure });
    expect(update).toMatchObject({
      kind: 'advance',
      blocks: [{ height: 12 }, { height: 14 }],
      payments: [{ height: 12 }],
    });
    const idle = await nextUpdate(node, [blockAt(14)], { ...options, reader: unsure });
    expect(idle).toEqual({ kind: 'idle', head: blockAt(20) });
  });

  it('rejects cells with a hash that differs from the index', async () => {
    const { node } = nodeAt(20, [12, 15]);
    const lying = { ...node, chain: async () => [{ hash: 'ff', lt: 2n }] } as unknown as TonNode;
    await expect(follow(lying, [])).rejects.toThrow('node and index differ');
  });
});
