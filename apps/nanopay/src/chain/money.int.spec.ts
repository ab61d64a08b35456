import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nanoAccountsApi, teeAccountsApi, teeMoneyApi, type OpenPayout } from '@tollbridge/contracts';
import { asset, Buyer, contract } from '@tollbridge/app-tee/testing';
import {
  digestOf,
  w5Account,
  withdrawalBytes,
  type ChargeItem,
  type FrameItem,
  type Outcome,
} from '@tollbridge/nanopay-protocol';
import type { RunningService } from '@tollbridge/bootstrap';
import { walletPrincipal } from '@tollbridge/rpc';
import { ProviderError } from '@tollbridge/http';
import { eventually } from '@tollbridge/testing';
import {
  buildHighloadMessage,
  highloadAddress,
  isProcessed,
  jettonOps,
  jettonWalletOf,
  queryIdAt,
  sandboxEnclaveWallet,
  TonAccountReader,
  type HighloadPayment,
} from '@tollbridge/ton';
import { Address, beginCell, contractAddress, internal, toNano } from '@ton/core';
import { ChainWallet, ExtendedWallet, MoneyHarness } from '../testing/money-harness';

const { creditReturn, openPayout, requestWithdrawal } = teeMoneyApi.operations;
const { readBalance } = teeAccountsApi.operations;
const { getNanoWithdrawal, listNanoWithdrawals, withdrawNano } = nanoAccountsApi.operations;

let harness: MoneyHarness;
/** A buyer with a deposit through the sandbox. */
let buyer: Buyer;

/** Lower numbers belong to messages of the tests, which the ledger treats as its payouts. */
const firstPayout = 100;

beforeAll(async () => {
  harness = await MoneyHarness.start();
  await recordPayout(firstPayout - 1, Buffer.alloc(0));
  buyer = new Buyer();
  await harness.chain.simulator.depositForNanopay({ sender: buyer.address, amountAtomic: 10_000_000n });
  await expectBalance(buyer.address, { deposited: '10000000' });
});
afterAll(() => harness?.close());
afterEach(() => {
  jest.restoreAllMocks();
  expect(harness.problems.splice(0)).toEqual([]);
});

const balanceOf = (address: string) => harness.call(readBalance, { address });
const expectBalance = (address: string, balance: object) =>
  eventually(async () => expect(await balanceOf(address)).toMatchObject(balance));
const newSeller = (): string => `0:${randomBytes(32).toString('hex')}`;
const payouts = () =>
  harness.tee.database.query<{ number: string; status: string }>(
    'SELECT number, status FROM tee.payouts WHERE number >= $1 ORDER BY number',
    [firstPayout],
  );

/** Pays each of these sellers, in one commit. */
async function earn(...sellers: string[]): Promise<void> {
  const items = sellers.map((to, index) =>
    buyer.pay(Date.now(), { to, amountAtomic: 10_000n * BigInt(index + 1) }),
  );
  for (const outcome of await harness.tee.send(items)) expect(outcome.status).toBe('captured');
}

type Payer = Pick<Buyer, 'address' | 'key'>;

/** Makes a payment from this wallet. */
async function payFrom({ address, key }: Payer, publicKey: Buffer | undefined): Promise<Outcome> {
  const item = buyer.pay(Date.now(), { from: address });
  const signature = key.sign(digestOf((item as ChargeItem).payment));
  return harness.tee.sendOne({ ...item, publicKey, signature } as FrameItem);
}

async function withdraw(
  amountAtomic: bigint,
  destination: string,
  payer: Payer = buyer,
  request: typeof withdrawNano | typeof requestWithdrawal = withdrawNano,
): Promise<string> {
  const { address, key } = payer;
  const [nonce, validBeforeS] = [randomBytes(32), BigInt(Math.floor(Date.now() / 1000) + 60)];
  const scope = { networkId: -239, verifyingContract: contract, asset, from: address };
  const message = withdrawalBytes(scope, { destination, amountAtomic, nonce, validBeforeS });
  const { withdrawalId } = await harness.call(request, {
    address,
    destination,
    amount: amountAtomic.toString(),
    proof: {
      signature: key.sign(digestOf(message)).toString('hex'),
      nonce: nonce.toString('hex'),
      validBefore: validBeforeS.toString(),
      publicKey: key.publicKey.toString('hex'),
      signatureKind: 'raw',
    },
  });
  return withdrawalId;
}

describe('a deposit', () => {
  it('credits the payer once, and reads the key of the wallet from the chain', async () => {
    const ann = await ChainWallet.funded(harness, 5_000_000n);
    await ann.deposit(1_500_000n);
    await expectBalance(ann.address, { deposited: '1500000', available: '1500000' });
    // After the restart, the chain is read again from the last credited deposit.
    await harness.stopNanopay();
    await harness.startNanopay();
    await ann.deposit(1n);
    await expectBalance(ann.address, { deposited: '1500001' });
    expect(await balanceOf(buyer.address)).toMatchObject({ deposited: '10000000' });
    // The payer has sent neither key nor state-init, so the key comes from the chain.
    expect(await payFrom(ann, undefined)).toMatchObject({ status: 'captured' });
  });

  it('credits nothing for a forged notification or a jetton of another master', async () => {
    const forger = await ChainWallet.funded(harness, 0n);
    const notification = beginCell()
      .storeUint(jettonOps.transferNotification, 32)
      .storeUint(0, 64)
      .storeCoins(9_000_000n)
      .storeAddress(Address.parseRaw(forger.address))
      .storeBit(false)
      .endCell();
    const to = Address.parseRaw(harness.holder);
    await forger.send(internal({ to, value: toNano('0.1'), body: notification }));
    const alike = await mintAlike(forger, 10n ** 12n);
    await forger.deposit(9_000_000n, alike);
    const theirs = await jettonWalletOf(harness.reader, { master: alike, owner: harness.holder });
    expect(theirs.balanceAtomic).toBe(9_000_000n);
    // When a later deposit is credited, both transactions have been read.
    const later = newSeller();
    await harness.chain.simulator.depositForNanopay({ sender: later, amountAtomic: 7n });
    await expectBalance(later, { deposited: '7' });
    expect(await balanceOf(forger.address)).toMatchObject({ deposited: '0', available: '0' });
  });

  it('credits the sender when the get method for the key fails, without delaying others', async () => {
    const deployer = await ChainWallet.funded(harness, 0n);
    // DROP, PUSHNULL: every get method succeeds and returns null.
    const init = { code: beginCell().storeUint(0x306d, 16).endCell(), data: beginCell().endCell() };
    const odd = contractAddress(0, init);
    await deployer.send(internal({ to: odd, value: toNano('1'), init, bounce: false }));
    const [sender, later] = [odd.toRawString(), newSeller()];
    await harness.chain.simulator.depositForNanopay({ sender, amountAtomic: 5n });
    await harness.chain.simulator.depositForNanopay({ sender: later, amountAtomic: 6n });
    await expectBalance(later, { deposited: '6' });
    await expectBalance(sender, { deposited: '5' });
  });
});

describe('a W5 wallet with disabled signatures', () => {
  const rejection = { status: 'rejected', reason: 'invalid_ton_nanopay_unknown_key' };

  it('can neither pay nor withdraw until it enables signatures again', async () => {
    const wallet = await ExtendedWallet.funded(harness, 100_000n);
    const payment = () => payFrom(wallet, wallet.key.publicKey);
    await wallet.takeSignatures(false);
    await wallet.deposit(10_000n);
    await expectBalance(wallet.address, { deposited: '10000' });
    // The address is derived from the key, so only the chain shows that signatures are disabled.
    expect(w5Account(wallet.key.publicKey)).toBe(wallet.address);
    expect(await payment()).toMatchObject(rejection);
    await expect(withdraw(1_000n, newSeller(), wallet)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('Signature authentication is off'),
    });

    await wallet.takeSignatures(true);
    await wallet.deposit(1n);
    await expectBalance(wallet.address, { deposited: '10001' });
    expect(await payment()).toMatchObject({ status: 'captured' });
    await withdraw(1_000n, newSeller(), wallet);
  });

  it('cannot pay after the deposit that reveals the setting, also after a restart', async () => {
    const wallet = await ExtendedWallet.funded(harness, 100_000n);
    const payment = () => payFrom(wallet, wallet.key.publicKey);
    await wallet.deposit(10_000n);
    await expectBalance(wallet.address, { deposited: '10000' });
    expect(await payment()).toMatchObject({ status: 'captured' });
    await wallet.takeSignatures(false);
    await wallet.deposit(1n);
    await expectBalance(wallet.address, { deposited: '10001' });
    expect(await payment()).toMatchObject(rejection);
    await harness.tee.startApp();
    expect(await payment()).toMatchObject(rejection);
  });
});

describe('a payout', () => {
  it('completes a withdrawal that its owner signed', async () => {
    const [destination, before] = [newSeller(), await balanceOf(buyer.address)];
    const id = await withdraw(123_456n, destination);
    await eventually(async () =>
      expect(await harness.call(getNanoWithdrawal, { id })).toMatchObject({ status: 'completed' }),
    );
    expect(await harness.heldBy(destination)).toBe(123_456n);
    const after = await balanceOf(buyer.address);
    expect(after).toMatchObject({ withdrawn: '123456', reserved: '0' });
    expect(BigInt(after.available)).toBe(BigInt(before.available) - 123_456n);
  });

  it('appears in the list for the session of its account only, newest first', async () => {
    const owner = await ChainWallet.funded(harness, 5_000_000n);
    await owner.deposit(1_000_000n);
    await expectBalance(owner.address, { deposited: '1000000' });
    const destination = newSeller();
    const made: string[] = [];
    for (const amount of [1_000n, 2_000n, 3_000n]) made.unshift(await withdraw(amount, destination, owner));
    const list = (query: object, wallet: string) =>
      harness.call(listNanoWithdrawals, query, walletPrincipal(wallet));
    const first = await list({ limit: 2 }, owner.address);
    expect(first.withdrawals.map(({ withdrawalId }) => withdrawalId)).toEqual(made.slice(0, 2));
    expect(first.withdrawals[0]).toMatchObject({ address: owner.address, destination, amount: '3000' });
    const second = await list({ limit: 2, cursor: first.next_cursor }, owner.address);
    expect([second.withdrawals.length, second.limit, second.next_cursor]).toEqual([1, 2, null]);
    expect((await list({}, newSeller())).withdrawals).toEqual([]);
    await eventually(async () => expect(await harness.heldBy(destination)).toBe(6_000n));
    const rejected = { code: 'FORBIDDEN', details: { reason: 'ton_wallet_required' } };
    const evmWallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    await expect(list({}, evmWallet)).rejects.toMatchObject(rejected);
    await expect(list({ cursor: 'x' }, owner.address)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('fails for a destination where the amount would be lost', async () => {
    const wallet = await jettonWalletOf(harness.reader, { master: harness.master, owner: harness.holder });
    for (const destination of [`0:${'0'.repeat(64)}`, asset, contract, wallet.address])
      await expect(withdraw(1n, destination)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field: 'destination', message: expect.stringContaining('would be lost') }],
      });
  });

  it('pays the earnings of several sellers in one message', async () => {
    const [first, second, before] = [newSeller(), newSeller(), await payouts()];
    // Each may be in its own commit, so nanopay is stopped to prevent a payout in between.
    await harness.stopNanopay();
    await earn(first, second);
    await harness.startNanopay();
    await expectBalance(first, { earned: '10000', settled: '10000', unsettled: '0' });
    await expectBalance(second, { earned: '20000', settled: '20000' });
    expect([await harness.heldBy(first), await harness.heldBy(second)]).toEqual([10_000n, 20_000n]);
    expect((await payouts()).length).toBe(before.length + 1);
  });

  it('pays once across a restart between broadcast and record, and settles as the chain decided', async () => {
    await harness.stopNanopay();
    const seller = newSeller();
    await earn(seller);
    const sent = await open();
    // The same payout is returned again, even after further earnings.
    await earn(seller);
    expect(await open()).toEqual(sent);
    await harness.reader.sendBoc(Buffer.from(sent.boc, 'base64'));
    expect(await isProcessed(harness.reader, harness.holder, sent.queryId)).toBe(true);
    expect(await harness.heldBy(seller)).toBe(10_000n);
    expect(await balanceOf(seller)).toMatchObject({ earned: '20000', settled: '0', unsettled: '20000' });
    await harness.startNanopay();
    await expectBalance(seller, { earned: '20000', settled: '20000' });
    expect(await harness.heldBy(seller)).toBe(20_000n);
    expect((await payouts()).map(({ status }) => status)).not.toContain('failed');
  });

  it('pays once when the outcome of the broadcast is unknown', async () => {
    const [seller, before] = [newSeller(), await payouts()];
    const send = TonAccountReader.prototype.sendBoc;
    const sending = jest.spyOn(TonAccountReader.prototype, 'sendBoc').mockImplementation(async function (
      this: TonAccountReader,
      boc,
    ) {
      await send.call(this, boc);
      throw new ProviderError('toncenter', { kind: 'unknownOutcome', message: 'no answer in time' });
    });
    await earn(seller);
    await expectBalance(seller, { settled: '10000', unsettled: '0' });
    expect(await harness.heldBy(seller)).toBe(10_000n);
    expect(sending).toHaveBeenCalledTimes(1);
    expect((await payouts()).slice(before.length)).toEqual([
      expect.objectContaining({ status: 'completed' }),
    ]);
  });
});

describe('a payout with too few coins for fees', () => {
  afterEach(() => fund());

  it('waits without a message, logs the needed coins once, and resumes by itself', async () => {
    const [sellers, before] = [Array.from({ length: 3 }, newSeller), await payouts()];
    // Otherwise a poll that read the coins before they were sent away would still open a payout.
    await harness.stopNanopay();
    await drain(toNano('0.1'));
    await harness.startNanopay();
    const errorLog = jest.spyOn(harness.nanopay!.logger, 'error').mockImplementation(() => undefined);
    const sending = jest.spyOn(TonAccountReader.prototype, 'sendBoc');
    await earn(...sellers);
    await eventually(async () => expect(await missingCoins()).toBeCloseTo(0.33, 1));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(sending).not.toHaveBeenCalled();
    expect(await payouts()).toEqual(before);
    expect(errorLog.mock.calls).toEqual([
      [
        expect.objectContaining({ contract: harness.holder, neededTon: expect.any(Number) }),
        'payouts stopped: contract has too few coins for fees',
      ],
    ]);

    await fund();
    await expectPaid(sellers);
    await eventually(async () => expect(await missingCoins()).toBe(0));
    expect((await payouts()).length).toBe(before.length + 1);
  });

  it('pays as many sellers as the coins allow, and the others with the returned coins', async () => {
    await harness.stopNanopay();
    const [sellers, before] = [Array.from({ length: 3 }, newSeller), await payouts()];
    await earn(...sellers);
    await drain(toNano('0.4'));
    await harness.startNanopay();
    await expectPaid(sellers);
    const made = (await payouts()).slice(before.length);
    expect(made.length).toBeGreaterThan(1);
    expect(made.filter(({ status }) => status === 'failed')).toEqual([]);
  });

  it.each([
    ['the payments', '0.2'],
    ["the wallet's message to itself", '0.03'],
  ])('pays once by a later message when the coins do not suffice for %s', async (_what, left) => {
    await harness.stopNanopay();
    const [sellers, before] = [Array.from({ length: 3 }, newSeller), await payouts()];
    await earn(...sellers);
    const sent = await open();
    await drain(toNano(left));
    await harness.startNanopay();
    await eventually(async () => expect((await payouts()).at(-1)).toMatchObject({ status: 'failed' }));
    expect(await isProcessed(harness.reader, harness.holder, sent.queryId)).toBe(true);
    for (const seller of sellers) expect(await balanceOf(seller)).toMatchObject({ settled: '0' });
    await fund();
    await expectPaid(sellers);
    expect((await payouts()).slice(before.length).map(({ status }) => status)).toEqual([
      'failed',
      'completed',
    ]);
    expect(await secondsBetween(before.length)).toBeGreaterThanOrEqual(5);
  });

  it('retries with growing delays when the wallet cannot accept the message', async () => {
    await harness.stopNanopay();
    const [seller, before] = [newSeller(), await payouts()];
    await earn(seller);
    await open();
    await drain(0n);
    const sentAtMs: number[] = [];
    const send = TonAccountReader.prototype.sendBoc;
    jest.spyOn(TonAccountReader.prototype, 'sendBoc').mockImplementation(function (
      this: TonAccountReader,
      boc,
    ) {
      sentAtMs.push(performance.now());
      return send.call(this, boc);
    });
    await harness.startNanopay();
    await eventually(() => expect(sentAtMs.length).toBeGreaterThan(3));
    for (const [index, leastMs] of [200, 400, 800].entries())
      expect(sentAtMs[index + 1]! - sentAtMs[index]!).toBeGreaterThan(leastMs);
    expect(await missingCoins()).toBeCloseTo(0.2, 1);
    await fund();
    await expectPaid([seller]);
    expect((await payouts()).slice(before.length).map(({ status }) => status)).toEqual(['completed']);
    await eventually(async () => expect(await missingCoins()).toBe(0));
  });
});

describe('a restore of the ledger', () => {
  it('stops payouts until the operator has accounted for the lost batch, then pays nothing twice', async () => {
    // With this surplus, the reserve alone would stop no payout.
    await harness.chain.simulator.fund({ address: harness.holder, nano: 0n, usdtAtomic: 50_000n });
    const [seller, early, late, before] = [newSeller(), newSeller(), newSeller(), await slack()];
    expect(before).toBeGreaterThan(20_000n);
    await harness.stopNanopay();
    await earn(seller);
    const withdrawal = await withdraw(700n, early, buyer, requestWithdrawal);
    const backup = await backUpMoney();
    const lost = await withdraw(500n, late, buyer, requestWithdrawal);
    await harness.startNanopay();
    await expectPaid([seller]);
    await harness.stopNanopay();
    const [batch] = await harness.tee.database.query<{ number: string; query_id: number }>(
      'SELECT number, query_id FROM tee.payouts ORDER BY number DESC LIMIT 1',
    );
    await harness.tee.stopApp();
    await restoreMoney(backup);

    const stopped = await harness.tee.startApp();
    const errorLog = jest.spyOn(stopped.logger, 'error').mockImplementation(() => undefined);
    await harness.startNanopay();
    await eventually(async () => expect(await unknownBatches()).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(errorLog.mock.calls).toEqual([
      [
        { queryId: batch!.query_id, hash: expect.any(String), nextPayout: batch!.number },
        expect.stringMatching(
          /^payouts stopped: the newest batch on the chain is not a payout of the ledger/,
        ),
      ],
    ]);
    expect(await balanceOf(seller)).toMatchObject({ settled: '0', unsettled: '10000' });
    await expect(harness.call(getNanoWithdrawal, { id: lost })).rejects.toMatchObject({ code: 'NOT_FOUND' });

    await harness.tee.stopApp();
    const [recipient, owner] = [seller.slice(2), buyer.address.slice(2)];
    await book({ ...batch, withdrawal, recipient, owner }, { toB: 10_000, fromC: 500 });
    await harness.tee.startApp({ TEE_PAYOUTS_RESUME_AFTER: String(batch!.query_id) });
    await earn(seller);
    await expectBalance(seller, { earned: '20000', settled: '20000' });
    expect((await payouts()).at(-1)).toEqual({
      number: String(Number(batch!.number) + 1),
      status: 'completed',
    });
    expect(await unknownBatches()).toBe(0);
    const held = await Promise.all([seller, early, late].map((owner) => harness.heldBy(owner)));
    expect(held).toEqual([20_000n, 700n, 500n]);
    expect(await harness.call(getNanoWithdrawal, { id: withdrawal })).toMatchObject({ status: 'completed' });
    expect(await slack()).toBe(before);
    expect(await harness.tee.differences()).toEqual({ balance: 0n, reserved: 0n, settling: 0n });
  });

  it('numbers payouts after the batch that the operator specifies', async () => {
    const seller = newSeller();
    await harness.stopNanopay();
    await earn(seller);
    await harness.tee.startApp({ TEE_PAYOUTS_RESUME_AFTER: String(queryIdAt(2_000n)) });
    expect(await open()).toMatchObject({ number: 2_001, queryId: queryIdAt(2_001n) });
    await harness.startNanopay();
    await expectPaid([seller]);
    expect((await payouts()).at(-1)).toEqual({ number: '2001', status: 'completed' });
  });
});

describe('payout detection', () => {
  it('finds a payout among a thousand messages of strangers', async () => {
    await harness.stopNanopay();
    const seller = newSeller();
    await earn(seller);
    await crowd(200);
    const sent = await open();
    await crowd(1_000);
    await harness.reader.sendBoc(Buffer.from(sent.boc, 'base64'));
    await crowd(200);
    await harness.startNanopay();
    await expectPaid([seller]);
  });
});

describe('a payout that the recipient rejects', () => {
  const even = { balance: 0n, reserved: 0n, settling: 0n };

  it('credits a withdrawal to the balance once, so that it can be withdrawn elsewhere', async () => {
    const [owner, destination, other] = [new Buyer(), newSeller(), newSeller()];
    await harness.chain.simulator.depositForNanopay({ sender: owner.address, amountAtomic: 1_000n });
    await expectBalance(owner.address, { available: '1000' });
    await harness.lock(destination);
    const id = await withdraw(700n, destination, owner);
    await eventually(async () =>
      expect(await harness.call(getNanoWithdrawal, { id })).toMatchObject({ status: 'returned' }),
    );
    expect(await balanceOf(owner.address)).toMatchObject({ deposited: '1700', available: '1000' });
    // After the restart, the chain is read from there once more.
    await harness.stopNanopay();
    await harness.startNanopay();
    await withdraw(1_000n, other, owner);
    await eventually(async () => expect(await harness.heldBy(other)).toBe(1_000n));
    expect(await balanceOf(owner.address)).toMatchObject({ deposited: '1700', available: '0' });
    expect(await harness.tee.differences()).toEqual(even);
  });

  it('credits earnings to the balance of the seller without a retry', async () => {
    const [seller, before] = [newSeller(), await payouts()];
    await harness.lock(seller);
    await earn(seller);
    await expectBalance(seller, { available: '10000', deposited: '10000' });
    await earn(newSeller());
    await eventually(async () =>
      expect((await payouts()).slice(before.length).map(({ status }) => status)).toEqual([
        'completed',
        'completed',
      ]),
    );
    expect(await balanceOf(seller)).toMatchObject({ available: '10000', deposited: '10000' });
    expect(await harness.tee.differences()).toEqual(even);
  });

  it('credits no return before its payout has completed, or without a payout', async () => {
    const transaction = { chainAccount: harness.holder, lt: '7', hash: 'ab'.repeat(32) };
    const ask = (withdrawalId: string) => harness.call(creditReturn, { withdrawalId, ...transaction });
    await harness.stopNanopay();
    // Opened in the ledger service alone, so that nothing is sent meanwhile.
    const id = await withdraw(1_000n, newSeller(), buyer, requestWithdrawal);
    await expect(ask(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await open();
    await expect(ask(id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(ask('no name')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(ask(randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await harness.startNanopay();
    await eventually(async () =>
      expect(await harness.call(getNanoWithdrawal, { id })).toMatchObject({ status: 'completed' }),
    );
    // Concurrent calls for other transactions. Only one of them must be credited.
    const others = Array.from({ length: 10 }, (_, at) => ({ ...transaction, lt: String(8 + at) }));
    const results = await Promise.allSettled([
      ...others.map((other) => harness.call(creditReturn, { withdrawalId: id, ...other })),
      ...others.map(() => ask(id)),
    ]);
    expect(results.filter((each) => each.status === 'fulfilled' && each.value.isNew)).toHaveLength(1);
    const rejections = results.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    expect(new Set(rejections)).toEqual(new Set(['NOT_FOUND']));
    // A second return by another transaction is rejected.
    await expect(
      harness.call(creditReturn, { withdrawalId: id, ...transaction, lt: '18' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await harness.tee.differences()).toEqual(even);
  });
});

describe('a liability above the reserve', () => {
  it('stops payouts and logs one error', async () => {
    const [tee] = harness.tee.apps;
    const errorLog = jest.spyOn(tee!.logger, 'error').mockImplementation(() => undefined);
    const before = await payouts();
    // A balance without a deposit on the chain.
    await harness.tee.fund(new Buyer(), 10n ** 12n);
    const destination = newSeller();
    const id = await withdraw(1_000n, destination);
    await eventually(() =>
      expect(errorLog).toHaveBeenCalledWith(
        expect.objectContaining({ owed: expect.stringMatching(/^10000\d{8}$/) }),
        'payouts stopped: reserve on the chain is below the liabilities',
      ),
    );
    expect(await harness.call(getNanoWithdrawal, { id })).toMatchObject({ status: 'pending' });
    expect(await payouts()).toEqual(before);
    expect(await harness.heldBy(destination)).toBe(0n);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(errorLog).toHaveBeenCalledTimes(1);
  });
});

/** The payout that nanopay requests from the ledger service before it sends. */
async function open(): Promise<OpenPayout> {
  const { address: assetWallet, balanceAtomic } = await jettonWalletOf(harness.reader, {
    master: harness.master,
    owner: harness.holder,
  });
  const coins = (await harness.reader.getBalance(harness.holder)).toString();
  const opening = { assetWallet, reserve: balanceAtomic.toString(), coins, isFirst: false };
  return (await harness.call(openPayout, opening)).payout!;
}

const fund = () =>
  harness.chain.simulator.fund({ address: harness.holder, nano: toNano('100'), usdtAtomic: 0n });

const nowS = () => Math.floor(Date.now() / 1000);
let [drains, crowds] = [0, 0];

/** Sends all coins except `leftNano` away from the wallet of the ledger service. */
async function drain(leftNano: bigint): Promise<void> {
  const feesNano = 6_000_000n;
  const valueNano = (await harness.reader.getBalance(harness.holder)) - leftNano - feesNano;
  await sendCoins([{ to: newSeller(), valueNano, isBounceable: false }]);
  expect(await harness.reader.getBalance(harness.holder)).toBeLessThan(leftNano + feesNano);
}

/** Sends from the wallet of the ledger service, like one of its payouts. */
async function sendCoins(payments: HighloadPayment[]): Promise<void> {
  const { key, wallet } = sandboxEnclaveWallet();
  const number = drains++;
  const batch = { queryId: queryIdAt(BigInt(number)), createdAtS: nowS() - 30, payments };
  const { boc } = await buildHighloadMessage(wallet, batch, key.sign);
  await recordPayout(number, boc);
  await harness.reader.sendBoc(boc);
}

async function recordPayout(number: number, boc: Buffer): Promise<void> {
  await harness.tee.database.query(
    `INSERT INTO tee.payouts (number, query_id, boc, after_lt, made_at, valid_until, status, created_at, updated_at)
     VALUES ($1::integer, $1::integer, $2, 0, 0, 0, 'completed', now(), now())`,
    [number, boc],
  );
}

/** Sends many messages with a minimal amount from a stranger to the wallet of the ledger service. */
async function crowd(count: number): Promise<void> {
  const { key, wallet } = sandboxEnclaveWallet();
  const stranger = { ...wallet, subwalletId: 7 };
  const address = await highloadAddress(stranger);
  await harness.chain.simulator.fund({ address, nano: toNano('10'), usdtAtomic: 0n });
  const payments = Array.from({ length: 200 }, () => ({
    to: harness.holder,
    valueNano: 1n,
    isBounceable: false,
  }));
  for (let sent = 0; sent < count; sent += 200) {
    const batch = { queryId: queryIdAt(BigInt(crowds)), createdAtS: nowS() - 30, payments };
    const { boc } = await buildHighloadMessage(
      stranger,
      { ...batch, withStateInit: crowds++ === 0 },
      key.sign,
    );
    await harness.reader.sendBoc(boc);
  }
}

/** The balance of the wallet on the chain minus the liabilities of the ledger. */
async function slack(): Promise<bigint> {
  const [row] = await harness.tee.database.query<{ owed: string }>(
    'SELECT sum(available + reserved + earned - settled) AS owed FROM tee.accounts',
  );
  return (await harness.heldBy(harness.holder)) - BigInt(row!.owed);
}

const moneyTables = ['accounts', 'payouts', 'withdrawals'];

function backUpMoney(): Promise<string[]> {
  return Promise.all(
    moneyTables.map(async (table) => {
      const [row] = await harness.tee.database.query<{ rows: string }>(
        `SELECT json_agg(each)::text AS rows FROM tee.${table} each`,
      );
      return row!.rows;
    }),
  );
}

async function restoreMoney(backup: string[]): Promise<void> {
  const { database } = harness.tee;
  await database.query(`TRUNCATE ${moneyTables.map((table) => `tee.${table}`).join(', ')}`);
  for (const [index, table] of moneyTables.entries())
    await database.query(
      `INSERT INTO tee.${table} SELECT * FROM json_populate_recordset(NULL::tee.${table}, $1::json)`,
      [backup[index]],
    );
}

/**
 * Books the payments of a lost batch with the documented statements. Payments from C on have an amount of their own.
 */
async function book(values: Record<string, unknown>, amounts: { toB: number; fromC: number }): Promise<void> {
  const page = readFileSync(join(__dirname, '../../../../docs/operations/backup.md'), 'utf8');
  const [toB, fromC] = /BEGIN;.*?COMMIT;/s.exec(page)![0].split('-- C:') as [string, string];
  const fill = (text: string, amount: number) =>
    text.replace(/:('?)(\w+)\1/g, (_match, quote: string, name: string) => {
      return `${quote}${String({ ...values, amount }[name])}${quote}`;
    });
  await harness.tee.database.query(`${fill(toB, amounts.toB)}--${fill(fromC, amounts.fromC)}`);
}

const unknownBatches = () => valueOf(harness.tee.apps[0]!, 'tollbridge_payout_unknown_batches');

const missingCoins = () => valueOf(harness.nanopay!, 'tollbridge_payout_missing_coins');

async function valueOf({ metrics }: RunningService, gauge: string): Promise<number | undefined> {
  return (await metrics.registry.getSingleMetric(gauge)!.get()).values[0]?.value;
}

/** The seconds from the end of this payout to the start of the next one. */
async function secondsBetween(number: number): Promise<number> {
  const [row] = await harness.tee.database.query<{ seconds: string }>(
    `SELECT extract(epoch FROM next.created_at - this.updated_at) AS seconds
     FROM tee.payouts this JOIN tee.payouts next ON next.number = this.number + 1 WHERE this.number = $1`,
    [firstPayout + number],
  );
  return Number(row!.seconds);
}

/** Expects that each seller got the amount of `earn` once. */
async function expectPaid(sellers: string[]): Promise<void> {
  for (const [index, seller] of sellers.entries()) {
    const amountAtomic = 10_000n * BigInt(index + 1);
    await eventually(async () =>
      expect(await balanceOf(seller)).toMatchObject({ settled: amountAtomic.toString(), unsettled: '0' }),
    );
    expect(await harness.heldBy(seller)).toBe(amountAtomic);
  }
}

/** Deploys another master with the same code and name, which mints for a forger. */
async function mintAlike(forger: ChainWallet, amountAtomic: bigint): Promise<string> {
  const { usdt } = harness.genesis;
  const data = usdt.init.data.beginParse();
  data.loadCoins();
  data.loadAddress();
  const owner = Address.parseRaw(forger.address);
  const forgedData = beginCell().storeCoins(0).storeAddress(owner);
  const init = {
    code: usdt.init.code,
    data: forgedData.storeRef(data.loadRef()).storeRef(data.loadRef()).endCell(),
  };
  const to = contractAddress(0, init);
  const transfer = beginCell().storeUint(jettonOps.internalTransfer, 32).storeUint(0, 64);
  const mint = beginCell()
    .storeUint(21, 32)
    .storeUint(0, 64)
    .storeAddress(owner)
    .storeCoins(toNano('0.2'))
    .storeRef(
      transfer
        .storeCoins(amountAtomic)
        .storeAddress(null)
        .storeAddress(null)
        .storeCoins(0)
        .storeBit(false)
        .endCell(),
    )
    .endCell();
  await forger.send(internal({ to, value: toNano('1'), init, bounce: false }));
  await forger.send(internal({ to, value: toNano('0.4'), body: mint }));
  return to.toRawString();
}
