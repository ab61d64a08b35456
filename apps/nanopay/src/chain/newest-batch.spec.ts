import { queryIdAt, reservedQueryId, type AccountTransaction } from '@tollbridge/ton';
import { Address, beginCell, internal } from '@ton/core';
import { NewestBatch } from './newest-batch';

const contract = new Address(0, Buffer.alloc(32, 0xa1));
const stranger = new Address(0, Buffer.alloc(32, 0xb1));

let chain: AccountTransaction[];
/** The logical times of the transactions that were read, and the transaction where the read throws. */
let read: bigint[];
let failingLt: bigint | undefined;
let newest: NewestBatch;

beforeEach(() => {
  [chain, read, failingLt, newest] = [[], [], undefined, new NewestBatch()];
});

const reader = {
  async *newestFirst(_account: string, olderThan?: AccountTransaction) {
    for (const transaction of [...chain].reverse()) {
      if (olderThan && transaction.lt >= olderThan.lt) continue;
      if (transaction.lt === failingLt) throw new Error('no reply');
      read.push(transaction.lt);
      yield transaction;
    }
  },
};
const update = () => newest.update(reader, contract.toRawString());

function add(from: Address, body = beginCell().endCell()): void {
  const { info } = internal({ to: contract, value: 1n });
  const parsed = {
    inMessage: { info: { ...info, src: from }, body },
    outMessagesCount: 1,
    description: { type: 'generic', aborted: true },
  };
  const lt = BigInt(chain.length + 1);
  chain.push({ account: contract.toRawString(), lt, hash: '', at: new Date(), parsed } as never);
}

const bodyOf = (queryId: number, payments = 'payments') =>
  beginCell()
    .storeUint(0xae42e5a4, 32)
    .storeUint(queryId, 64)
    .storeRef(beginCell().storeBuffer(Buffer.from(payments)).endCell())
    .endCell();
const addBatch = (queryId: number, payments?: string) => add(contract, bodyOf(queryId, payments));
const addStrangers = (count: number) => {
  for (let sent = 0; sent < count; sent++) add(stranger, bodyOf(queryIdAt(77n)));
};
const batchOf = (queryId: number) => ({ queryId, hash: bodyOf(queryId).hash().toString('hex') });

describe('NewestBatch', () => {
  it('finds no batch of a wallet without transactions or without batches', async () => {
    expect(await update()).toBe(true);
    expect(newest.batch).toBeUndefined();
    addStrangers(5);
    expect(await update()).toBe(true);
    expect(newest.batch).toBeUndefined();
  });

  it('finds the last batch of the wallet among messages of strangers with the same body', async () => {
    addBatch(queryIdAt(3n));
    addStrangers(3);
    addBatch(queryIdAt(4n));
    addStrangers(500);
    expect(await update()).toBe(true);
    expect(newest.batch).toEqual(batchOf(queryIdAt(4n)));
    // Older transactions are not read.
    expect(read.at(-1)).toBe(5n);
  });

  it('distinguishes two batches with one query id by their payments', async () => {
    addBatch(3);
    await update();
    const before = newest.batch;
    addBatch(3, 'other payments');
    await update();
    expect(newest.batch?.queryId).toBe(3);
    expect(newest.batch?.hash).not.toBe(before?.hash);
  });

  it('skips messages that the operator sends under the reserved query id', async () => {
    addBatch(4);
    addBatch(reservedQueryId);
    expect(await update()).toBe(true);
    expect(newest.batch).toEqual(batchOf(4));
  });

  it('reads each transaction once', async () => {
    addBatch(3);
    addStrangers(40);
    await update();
    addStrangers(2);
    read = [];
    await update();
    expect(read).toEqual([43n, 42n, 41n]);
    expect(newest.batch).toEqual(batchOf(3));
    addBatch(4);
    await update();
    expect(newest.batch).toEqual(batchOf(4));
  });

  it('reads many transactions in portions, also when a read fails and others arrive meanwhile', async () => {
    addBatch(3);
    addStrangers(8_000);
    expect(await update()).toBe(false);
    expect(read).toHaveLength(3_200);
    failingLt = 3_000n;
    await expect(update()).rejects.toThrow('no reply');
    failingLt = undefined;
    addBatch(4);
    addStrangers(2);
    read = [];
    expect(await update()).toBe(true);
    // First the rest of the first walk, then the new transactions.
    expect(read.slice(0, 3_000)).toEqual(Array.from({ length: 3_000 }, (_, index) => 3_000n - BigInt(index)));
    expect(newest.batch).toEqual(batchOf(4));
  });
});
