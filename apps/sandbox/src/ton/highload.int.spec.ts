import { eventually, ManualClock } from '@tollbridge/testing';
import {
  batchOutcome,
  buildHighloadMessage,
  highloadAddress,
  isProcessed,
  jettonBatchNano,
  jettonPayment,
  jettonPaymentsFor,
  jettonWalletOf,
  mostPaymentsInBatch,
  queryIdAt,
  sandboxKey,
  type HighloadBatch,
  type HighloadPayment,
  type HighloadWallet,
} from '@tollbridge/ton';
import { Address, toNano } from '@ton/core';
import { createHash } from 'node:crypto';
import TonWeb from 'tonweb';
import { openTonHarness, type TonHarness } from './testing/open-ton-harness';

const clock = new ManualClock();
const key = sandboxKey('payer of the tests');
const wallet: HighloadWallet = { publicKey: key.publicKey, timeoutS: 3_600 };
let harness: TonHarness;
let address: string;
let master: string;
let ownJettons: string;
/** Logical time of the last transaction that a test has read. */
let seenLt = 0n;

beforeAll(async () => {
  harness = await openTonHarness(clock);
  master = harness.genesis.usdt.address.toRawString();
  address = await highloadAddress(wallet);
  await harness.simulator.fund({ address, nano: toNano('200'), usdtAtomic: 10n ** 9n });
  ownJettons = (await jettonWalletOf(harness.reader, { master, owner: address })).address;
});
afterAll(() => harness?.close());
afterEach(() => expect(harness.problems.splice(0)).toEqual([]));

const recipientAt = (index: number): string =>
  new Address(0, createHash('sha256').update(`recipient ${index}`).digest()).toRawString();
const nowS = () => Math.floor(clock.now() / 1_000);
const build = (batch: Partial<HighloadBatch>, sign = key.sign) =>
  buildHighloadMessage(wallet, { queryId: 0, createdAtS: nowS() - 5, payments: [], ...batch }, sign);
const jettonsTo = (
  destination: string,
  amountAtomic: bigint,
  responseDestination = address,
): Promise<HighloadPayment> =>
  jettonPayment(ownJettons, { queryId: 9n, amountAtomic, destination, responseDestination });
const balanceOf = async (owner: string) =>
  (await jettonWalletOf(harness.reader, { master, owner })).balanceAtomic;
const outcomes = async () => {
  const { transactions } = await harness.reader.getTransactions(address, seenLt, 5_000);
  return transactions.flatMap((it) => batchOutcome(it) ?? []);
};
const outcomeOf = async (queryId: number) => (await outcomes()).find((it) => it.queryId === queryId);
/** Sends a message and waits for all consequences. On a slow machine, the reply comes before them. */
async function send(boc: Buffer): Promise<void> {
  await harness.reader.sendBoc(boc);
  await harness.simulator.chain.idle();
}
const rejected = { name: 'ProviderError', kind: 'rejected' };

it('computes the same address as tonweb for the same key', async () => {
  const Class = (TonWeb as any).HighloadWallets.HighloadWalletContractV3;
  const theirs = new Class(undefined, { publicKey: key.publicKey, timeout: wallet.timeoutS });
  expect((await theirs.getAddress()).toString(false)).toBe(address);
  const another = await highloadAddress({ ...wallet, subwalletId: 1 });
  expect(another).not.toBe(address);
});

describe('Highload batch', () => {
  beforeEach(async () => {
    const { transactions } = await harness.reader.getTransactions(address, seenLt, 5_000);
    seenLt = transactions.at(-1)?.lt ?? seenLt;
  });

  it('deploys the wallet with the first batch, and pays three recipients', async () => {
    expect(await isProcessed(harness.reader, address, 0)).toBe(false);
    const payments = await Promise.all([1, 2, 3].map((n) => jettonsTo(recipientAt(n), BigInt(n) * 100n)));
    const { boc, wallet: itself } = await build({ payments, withStateInit: true });
    expect(itself).toBe(address);

    await send(boc);

    expect(await isProcessed(harness.reader, address, 0)).toBe(true);
    expect(await outcomeOf(0)).toEqual({ queryId: 0, state: 'sent', messages: 3 });
    for (const n of [1, 2, 3]) expect(await balanceOf(recipientAt(n))).toBe(BigInt(n) * 100n);
  });

  it('rejects the same bytes or id a second time, without a second payment', async () => {
    const payments = [await jettonsTo(recipientAt(1), 100n)];
    const first = await build({ queryId: queryIdAt(1n), payments });
    await send(first.boc);
    await expect(harness.reader.sendBoc(first.boc)).rejects.toMatchObject(rejected);
    const again = await build({ queryId: queryIdAt(1n), payments, createdAtS: nowS() - 1 });
    await expect(harness.reader.sendBoc(again.boc)).rejects.toMatchObject(rejected);
    expect(await balanceOf(recipientAt(1))).toBe(200n);
  });

  it('pays coins to undeployed accounts', async () => {
    const to = recipientAt(5_000);
    const payments = [{ to, valueNano: toNano('0.25'), isBounceable: false }];
    await send((await build({ queryId: queryIdAt(3n), payments })).boc);
    expect(await harness.reader.getBalance(to)).toBeGreaterThan(toNano('0.2499'));
  });

  it('sends all payments or none: without enough coins, it sends none and uses the id', async () => {
    const queryId = queryIdAt(4n);
    const small = { to: recipientAt(6_000), valueNano: 1_000n, isBounceable: false };
    const payments = [small, { ...small, valueNano: toNano('1000000') }];
    const { boc } = await build({ queryId, payments });

    await send(boc);

    expect(await outcomeOf(queryId)).toEqual({ queryId, state: 'failed', messages: 0 });
    expect(await isProcessed(harness.reader, address, queryId)).toBe(true);
    expect(await harness.reader.getBalance(recipientAt(6_000))).toBe(0n);
    await expect(harness.reader.sendBoc(boc)).rejects.toMatchObject(rejected);
  });

  it('accepts a batch without effect when the coins do not cover the message to itself', async () => {
    const other = sandboxKey('payer without coins');
    const empty = { ...wallet, publicKey: other.publicKey };
    const account = await highloadAddress(empty);
    await harness.simulator.fund({ address: account, nano: toNano('0.04'), usdtAtomic: 0n });
    const payments = [{ to: recipientAt(6_001), valueNano: 1_000n, isBounceable: false }];
    const batch = { queryId: queryIdAt(9n), createdAtS: nowS() - 5, payments, withStateInit: true };
    const { boc } = await buildHighloadMessage(empty, batch, other.sign);

    await send(boc);

    expect(await isProcessed(harness.reader, account, batch.queryId)).toBe(true);
    const { transactions } = await harness.reader.getTransactions(account, 0n, 10);
    expect(transactions.flatMap((it) => batchOutcome(it) ?? [])).toEqual([
      { queryId: batch.queryId, state: 'failed', messages: 0 },
    ]);
    await harness.simulator.fund({ address: account, nano: toNano('1'), usdtAtomic: 0n });
    await expect(harness.reader.sendBoc(boc)).rejects.toMatchObject(rejected);
  });

  it.each([1, 100, mostPaymentsInBatch])(
    'needs no more coins than estimated for %d payments',
    async (count) => {
      const payer = sandboxKey(`payer of ${count}`);
      const exact = { ...wallet, publicKey: payer.publicKey };
      const account = await highloadAddress(exact);
      const nano = jettonBatchNano(count);
      expect([jettonPaymentsFor(nano), jettonPaymentsFor(nano - 1n)]).toEqual([count, count - 1]);
      await harness.simulator.fund({ address: account, nano, usdtAtomic: 1_000n });
      const from = (await jettonWalletOf(harness.reader, { master, owner: account })).address;
      const payments = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          jettonPayment(from, {
            queryId: 1n,
            amountAtomic: 1n,
            destination: recipientAt(20_000 + index),
            responseDestination: recipientAt(0),
          }),
        ),
      );
      const batch = { queryId: 0, createdAtS: nowS() - 5, payments, withStateInit: true };
      await send((await buildHighloadMessage(exact, batch, payer.sign)).boc);
      const sent = { queryId: 0, state: 'sent', messages: count };
      await eventually(
        async () => {
          const { transactions } = await harness.reader.getTransactions(account, 0n, 10);
          expect(transactions.flatMap((it) => batchOutcome(it) ?? [])).toEqual([sent]);
        },
        { everyMs: 500 },
      );
      // The estimate is not much higher than the required amount.
      expect(await harness.reader.getBalance(account)).toBeLessThan(toNano('0.1') + nano / 20n);
    },
  );

  it('rejects a batch with a foreign signature or a changed message', async () => {
    const payments = [await jettonsTo(recipientAt(7_000), 1n)];
    const queryId = queryIdAt(5n);
    const { boc } = await build({ queryId, payments }, sandboxKey('another key').sign);
    await expect(harness.reader.sendBoc(boc)).rejects.toMatchObject(rejected);
    expect(await isProcessed(harness.reader, address, queryId)).toBe(false);
  });

  it('rejects a batch outside its validity, and releases its id after twice the time-out', async () => {
    const payments = [{ to: recipientAt(8_000), valueNano: 1_000_000n, isBounceable: false }];
    const queryId = queryIdAt(6n);
    const early = await build({ queryId, payments, createdAtS: nowS() + 60 });
    await expect(harness.reader.sendBoc(early.boc)).rejects.toMatchObject(rejected);
    const late = await build({ queryId, payments, createdAtS: nowS() - wallet.timeoutS });
    await expect(harness.reader.sendBoc(late.boc)).rejects.toMatchObject(rejected);
    expect(await outcomeOf(queryId)).toBeUndefined();

    await send((await build({ queryId, payments })).boc);
    clock.advance((2 * wallet.timeoutS + 1) * 1_000);
    await send((await build({ queryId, payments })).boc);

    expect(await outcomes()).toEqual(
      expect.arrayContaining(Array(2).fill({ queryId, state: 'sent', messages: 1 })),
    );
  });

  it(`pays ${mostPaymentsInBatch} recipients`, async () => {
    const numbers = Array.from({ length: mostPaymentsInBatch }, (_, index) => 1_000 + index);
    const before = await balanceOf(address);
    // Sends the remaining coins to another address, because reading 254 more transactions of the wallet would be slow.
    const change = recipientAt(0);
    const payments = await Promise.all(numbers.map((n) => jettonsTo(recipientAt(n), BigInt(n), change)));
    const queryId = queryIdAt(2n);
    const { boc } = await build({ queryId, payments });

    await send(boc);

    const sent = { queryId, state: 'sent', messages: mostPaymentsInBatch };
    await eventually(async () => expect(await outcomeOf(queryId)).toEqual(sent), { everyMs: 500 });
    for (const n of [numbers[0]!, numbers[100]!, numbers.at(-1)!])
      expect(await balanceOf(recipientAt(n))).toBe(BigInt(n));
    const paid = numbers.reduce((sum, n) => sum + BigInt(n), 0n);
    expect(await balanceOf(address)).toBe(before - paid);
  });
});

describe('highloadBatch', () => {
  const payment: HighloadPayment = { to: recipientAt(1), valueNano: 1n };
  it.each<[string, Partial<HighloadBatch>]>([
    ['an empty batch', {}],
    ['too large a batch', { payments: Array(mostPaymentsInBatch + 1).fill(payment) }],
    ["a bit number above the wallet's range", { payments: [payment], queryId: 1_023 }],
    ["a shift above the wallet's range", { payments: [payment], queryId: 8_192 << 10 }],
    ['a negative id', { payments: [payment], queryId: -1 }],
  ])('rejects %s', async (_name, batch) => {
    await expect(build(batch)).rejects.toThrow(RangeError);
  });

  it('rejects too short a signature, and an invalid key', async () => {
    await expect(build({ payments: [payment] }, () => Buffer.alloc(63))).rejects.toThrow('64 bytes');
    await expect(highloadAddress({ ...wallet, publicKey: Buffer.alloc(31) })).rejects.toThrow(RangeError);
  });
});
