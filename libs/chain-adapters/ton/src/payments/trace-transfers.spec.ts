import { findChain, type Chain } from '@tollbridge/chains';
import { jettonWalletAddress, tonPayOps, usdtOnTon, type TonJetton } from '@tollbridge/onchain/ton';
import { beginCell, Cell, comment } from '@ton/core';
import type { AccountTransaction } from '../account-reader';
import type { IndexedTransaction } from './indexed';
import { receiptBody, transactionOf, type TestMessage } from './testing/cells';
import { hashOf, transactionsIn } from './testing/indexed-chain';
import { isReturned, paysOrder, readTraceTransfers, receivesCoins } from './trace-transfers';

const chain: Chain = findChain('ton')!;
const jettons = [{ token: chain.tokens.find(({ symbol }) => symbol === 'USDT')!, jetton: usdtOnTon }];
const [signer, other, receiver] = ['0a', '0b', '0c'].map((byte) => `0:${byte.repeat(32)}`) as [
  string,
  string,
  string,
];
const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const named = comment(`tbpl:${id}`);

const indexedAt = (at: number, changes: Partial<IndexedTransaction>): IndexedTransaction => ({
  ...transactionsIn([1])[0]!,
  lt: BigInt(at + 1),
  hash: hashOf(at + 1),
  source: signer,
  ...changes,
});
const traceOf = (...changes: Partial<IndexedTransaction>[]) => ({
  transactions: [{ account: signer, source: null }, ...changes].map((it, at) => indexedAt(at, it)),
  isComplete: true,
  seqno: 1,
});

/** Reads the transfers of coins in one message to the receiver. */
async function readCoins(message: Partial<TestMessage>, changes: Partial<IndexedTransaction> = {}) {
  const opcode =
    message.body && message.body.bits.length >= 32 ? message.body.beginParse().preloadUint(32) : null;
  const transaction = transactionOf({ from: signer, to: receiver, body: Cell.EMPTY, coins: 7n, ...message });
  return readTraceTransfers(
    { chain: async () => [transaction] },
    traceOf({ account: receiver, opcode, ...changes }),
    { txHash: hashOf(1), jetton: null, receiver },
    { chain, jettons },
  );
}

describe('readTraceTransfers of coins', () => {
  it('returns a transfer under the hash of the first transaction', async () => {
    const read = await readCoins({});
    expect(read).toEqual({
      transfers: [{ txHash: hashOf(1), logIndex: 1, from: expect.stringMatching(/^UQ/), amountAtomic: 7n }],
      otherTransfers: [],
      reference: null,
    });
  });

  it('returns coins that reached an account without code', async () => {
    expect((await readCoins({ isExecuted: false }, { isFailed: true })).transfers).toHaveLength(1);
  });

  it("returns the id in the signer's comment", async () => {
    expect(await readCoins({ body: named })).toMatchObject({ transfers: [{}], reference: id });
  });

  it("ignores the id in another account's comment", async () => {
    expect(await readCoins({ body: named, from: other })).toMatchObject({ transfers: [{}], reference: null });
  });

  it.each<[string, Partial<TestMessage>, Partial<IndexedTransaction>]>([
    ['with an operation', { body: beginCell().storeUint(0xd53276db, 32).storeUint(1, 64).endCell() }, {}],
    ['that the index reports as a comment', { body: beginCell().storeUint(5, 32).endCell() }, { opcode: 0 }],
    ['that bounced', { isBounced: true }, {}],
    ['that bounced according to the index', {}, { isBounced: true }],
    ['without a sender', {}, { source: null }],
  ])('returns no transfer for a message %s', async (_name, message, changes) => {
    expect((await readCoins(message, changes)).transfers).toEqual([]);
  });
});

describe('receivesCoins', () => {
  const excesses = beginCell().storeUint(0xd53276db, 32).storeUint(1, 64).endCell();

  /** Whether the receiver kept the coins of one message. */
  async function received(message: Partial<TestMessage>, changes: Partial<IndexedTransaction> = {}) {
    const transaction = transactionOf({ from: other, to: receiver, body: Cell.EMPTY, coins: 7n, ...message });
    const trace = traceOf({ account: receiver, opcode: null, ...changes });
    return receivesCoins({ chain: async () => [transaction] }, trace, receiver);
  }

  it('finds coins that a contract sent with an operation', async () => {
    expect(await received({ body: excesses }, { opcode: 0xd53276db })).toBe(true);
  });

  it.each<[string, Partial<TestMessage>, Partial<IndexedTransaction>]>([
    ['to another account', {}, { account: other }],
    ['that bounced', { isBounced: true }, {}],
    ['without coins', { coins: 0n }, {}],
    ['without a sender', {}, { source: null }],
    ['that notifies of jettons', {}, { opcode: 0x7362d09c }],
  ])('returns false for a message %s', async (_name, message, changes) => {
    expect(await received(message, changes)).toBe(false);
  });
});

describe('readTraceTransfers of many messages', () => {
  it('reads at most 64 messages, of any kind', async () => {
    const asked: string[] = [];
    const none = transactionOf({ from: signer, to: receiver, body: beginCell().storeUint(0, 33).endCell() });
    const chainOf = async (account: string) => {
      asked.push(account);
      return [none];
    };
    const messages = Array.from({ length: 100 }, () => ({ account: receiver, opcode: 0 }));
    const read = readTraceTransfers(
      { chain: chainOf },
      traceOf(...messages),
      { txHash: hashOf(1), jetton: null, receiver },
      { chain, jettons },
    );
    expect(await read).toMatchObject({ transfers: [] });
    expect(asked).toHaveLength(64);
  });
});

describe('readTraceTransfers of jettons', () => {
  const body = receiptBody({ queryId: 1n, amountAtomic: 5n, from: signer });
  const opcode = 0x178d4519;

  async function read(
    account: string,
    message: Partial<TestMessage> = {},
    changes: Partial<IndexedTransaction> = {},
  ) {
    const transaction = transactionOf({ from: other, to: account, body, ...message });
    return readTraceTransfers(
      { chain: async () => [transaction] },
      traceOf({ account, opcode, ...changes }),
      { txHash: hashOf(1), jetton: usdtOnTon, receiver },
      { chain, jettons },
    );
  }

  it("returns the amount that the receiver's wallet got", async () => {
    const { transfers } = await read(await jettonWalletAddress(usdtOnTon, receiver));
    expect(transfers).toMatchObject([{ logIndex: 1, amountAtomic: 5n }]);
  });

  it("returns nothing for a wallet that the jetton's master does not compute", async () => {
    expect((await read(other)).transfers).toEqual([]);
  });

  it('returns nothing for jettons that the wallet rejected', async () => {
    const wallet = await jettonWalletAddress(usdtOnTon, receiver);
    expect((await read(wallet, { isExecuted: false })).transfers).toEqual([]);
    expect((await read(wallet, {}, { isFailed: true })).transfers).toEqual([]);
  });

  it("returns the receiver's coins and other jettons of the chain, but not a notification of an unknown jetton", async () => {
    const coins = transactionOf({ from: signer, to: receiver, body: Cell.EMPTY, coins: 7n });
    const readWith = (
      transaction: AccountTransaction,
      at: Partial<IndexedTransaction>,
      jetton: TonJetton | null,
    ) =>
      readTraceTransfers(
        { chain: async () => [transaction] },
        traceOf(at),
        { txHash: hashOf(1), jetton, receiver },
        { chain, jettons },
      );
    const from = expect.stringMatching(/^UQ/);
    expect(await readWith(coins, { account: receiver, opcode: null }, usdtOnTon)).toMatchObject({
      transfers: [],
      otherTransfers: [{ txHash: hashOf(1), logIndex: 1, from, amountAtomic: 7n, tokenAddress: null }],
    });
    const account = await jettonWalletAddress(usdtOnTon, receiver);
    const paid = transactionOf({ from: other, to: account, body });
    expect(await readWith(paid, { account, opcode }, null)).toMatchObject({
      transfers: [],
      otherTransfers: [{ amountAtomic: 5n, tokenAddress: jettons[0]!.token.address }],
    });
    const notified = await read(receiver, {}, { opcode: 0x7362d09c, source: other });
    expect(notified).toMatchObject({ transfers: [], otherTransfers: [] });
  });
});

describe('paysOrder and isReturned', () => {
  it.each<[string, Partial<IndexedTransaction>, boolean]>([
    ['a record of any payment contract', { opcode: tonPayOps.orderPaid }, true],
    ['a record that was rejected', { opcode: tonPayOps.orderPaid, isFailed: true }, false],
    ['a claim with its record in the trace of another account', { opcode: tonPayOps.claim }, true],
    ['a claim that was rejected', { opcode: tonPayOps.claim, isFailed: true }, false],
    ['a plain transfer', {}, false],
  ])('detects whether an order is paid by a trace with %s: %#', (_name, changes, expected) => {
    expect(paysOrder(traceOf(changes))).toBe(expected);
  });

  it.each<[string, Partial<IndexedTransaction>, boolean]>([
    ['a bounced message', { isBounced: true }, true],
    ['a returned payment', { opcode: tonPayOps.returned }, true],
    ['a plain transfer', {}, false],
  ])('detects whether a trace with %s contains a return: %#', (_name, changes, expected) => {
    expect(isReturned(traceOf(changes))).toBe(expected);
  });
});
