import { randomBytes } from 'node:crypto';
import { nanoAccountsApi, teeAccountsApi, teeMoneyApi, type OpenPayout } from '@tollbridge/api';
import { asset, Buyer, contract } from '@tollbridge/app-tee/testing';
import { digestOf, withdrawalBytes, type FrameItem } from '@tollbridge/nanopay';
import { eventually } from '@tollbridge/testing';
import {
  buildHighloadMessage,
  isProcessed,
  jettonOps,
  jettonWalletOf,
  queryIdAt,
  sandboxEnclaveWallet,
} from '@tollbridge/ton';
import { Address, beginCell, contractAddress, internal, toNano } from '@ton/core';
import { ChainWallet, MoneyWorld } from '../testing/money-world';

const { openPayout } = teeMoneyApi.operations;
const { readBalance } = teeAccountsApi.operations;
const { getNanoWithdrawal, withdrawNano } = nanoAccountsApi.operations;

let world: MoneyWorld;
/** Has deposited through the sandbox. */
let buyer: Buyer;

beforeAll(async () => {
  world = await MoneyWorld.start();
  buyer = new Buyer();
  await world.chain.simulator.depositForNanopay({ sender: buyer.address, amountAtomic: 10_000_000n });
  await expectBalance(buyer.address, { deposited: '10000000' });
}, 60_000);
afterAll(() => world?.close(), 60_000);
afterEach(() => expect(world.problems.splice(0)).toEqual([]));

const balanceOf = (address: string) => world.call(readBalance, { address });
const expectBalance = (address: string, balance: object, timeoutMs = 8_000) =>
  eventually(async () => expect(await balanceOf(address)).toMatchObject(balance), { timeoutMs });
const newSeller = (): string => `0:${randomBytes(32).toString('hex')}`;
const payouts = () =>
  world.tee.database.query<{ number: string; status: string }>(
    'SELECT number, status FROM tee.payouts ORDER BY number',
  );

/** Pays each of them, in one commit. */
async function earn(...sellers: string[]): Promise<void> {
  const items = sellers.map((to, index) =>
    buyer.pay(Date.now(), { to, amountAtomic: 10_000n * BigInt(index + 1) }),
  );
  for (const outcome of await world.tee.send(items)) expect(outcome.status).toBe('captured');
}

async function withdraw(amountAtomic: bigint, destination: string): Promise<string> {
  const [nonce, validBeforeS] = [randomBytes(32), BigInt(Math.floor(Date.now() / 1000) + 60)];
  const scope = { networkId: -239, verifyingContract: contract, asset, from: buyer.address };
  const message = withdrawalBytes(scope, { destination, amountAtomic, nonce, validBeforeS });
  const { withdrawalId } = await world.call(withdrawNano, {
    ...{ address: buyer.address, destination, amount: amountAtomic.toString() },
    proof: {
      ...{ signature: buyer.key.sign(digestOf(message)).toString('hex'), nonce: nonce.toString('hex') },
      ...{ validBefore: validBeforeS.toString(), publicKey: buyer.key.publicKey.toString('hex') },
      signatureKind: 'raw',
    },
  });
  return withdrawalId;
}

describe('a deposit', () => {
  it("of a wallet is credited once, with the wallet's key", async () => {
    const ann = await ChainWallet.funded(world, 5_000_000n);
    await ann.deposit(1_500_000n);
    await expectBalance(ann.address, { deposited: '1500000', available: '1500000' });
    // The chain is read from the last that was credited, once more.
    await world.stopNanopay();
    await world.startNanopay();
    await ann.deposit(1n);
    await expectBalance(ann.address, { deposited: '1500001' });
    expect(await balanceOf(buyer.address)).toMatchObject({ deposited: '10000000' });
    // Nobody has sent a key or a state-init: the chain has told it.
    const item = buyer.pay(Date.now(), { from: ann.address }, { publicKey: undefined as never });
    const { payment } = item as { payment: Buffer };
    const outcome = await world.tee.sendOne({
      ...item,
      signature: ann.key.sign(digestOf(payment)),
    } as FrameItem);
    expect(outcome.status).toBe('captured');
  });

  it('is neither a notification that a stranger writes, nor a jetton that looks alike', async () => {
    const forger = await ChainWallet.funded(world, 0n);
    const notification = beginCell()
      .storeUint(jettonOps.transferNotification, 32)
      .storeUint(0, 64)
      .storeCoins(9_000_000n)
      .storeAddress(Address.parseRaw(forger.address))
      .storeBit(false)
      .endCell();
    const to = Address.parseRaw(world.holder);
    await forger.send(internal({ to, value: toNano('0.1'), body: notification }));
    const alike = await mintAlike(forger, 10n ** 12n);
    await forger.deposit(9_000_000n, alike);
    const theirs = await jettonWalletOf(world.reader, { master: alike, owner: world.holder });
    expect(theirs.balanceAtomic).toBe(9_000_000n);
    // What comes after them is credited: they were seen by then.
    const later = newSeller();
    await world.chain.simulator.depositForNanopay({ sender: later, amountAtomic: 7n });
    await expectBalance(later, { deposited: '7' });
    expect(await balanceOf(forger.address)).toMatchObject({ deposited: '0', available: '0' });
  });

  it('of a contract that tells nonsense of its key is credited, and holds nobody up', async () => {
    const deployer = await ChainWallet.funded(world, 0n);
    // DROP, PUSHNULL: every get method succeeds, and answers nothing.
    const init = { code: beginCell().storeUint(0x306d, 16).endCell(), data: beginCell().endCell() };
    const odd = contractAddress(0, init);
    await deployer.send(internal({ to: odd, value: toNano('1'), init, bounce: false }));
    const [sender, later] = [odd.toRawString(), newSeller()];
    await world.chain.simulator.depositForNanopay({ sender, amountAtomic: 5n });
    await world.chain.simulator.depositForNanopay({ sender: later, amountAtomic: 6n });
    await expectBalance(later, { deposited: '6' });
    await expectBalance(sender, { deposited: '5' });
  });
});

describe('money that goes out', () => {
  it('is a withdrawal that its owner has signed: it arrives, and is completed', async () => {
    const [destination, before] = [newSeller(), await balanceOf(buyer.address)];
    const id = await withdraw(123_456n, destination);
    await eventually(async () =>
      expect(await world.call(getNanoWithdrawal, { id })).toMatchObject({ status: 'completed' }),
    );
    expect(await world.heldBy(destination)).toBe(123_456n);
    const after = await balanceOf(buyer.address);
    expect(after).toMatchObject({ withdrawn: '123456', reserved: '0' });
    expect(BigInt(after.available)).toBe(BigInt(before.available) - 123_456n);
  });

  it('are the earnings of sellers, in one message', async () => {
    const [first, second, before] = [newSeller(), newSeller(), await payouts()];
    await earn(first, second);
    await expectBalance(first, { earned: '10000', settled: '10000', unsettled: '0' });
    await expectBalance(second, { earned: '20000', settled: '20000' });
    expect([await world.heldBy(first), await world.heldBy(second)]).toEqual([10_000n, 20_000n]);
    expect((await payouts()).length).toBe(before.length + 1);
  });

  it('is paid once, though nanopay dies between sending and telling; settled is what the chain has decided', async () => {
    await world.stopNanopay();
    const seller = newSeller();
    await earn(seller);
    const sent = await open();
    // The same is given out again, whatever was earned meanwhile.
    await earn(seller);
    expect(await open()).toEqual(sent);
    await world.reader.sendBoc(Buffer.from(sent.boc, 'base64'));
    expect(await isProcessed(world.reader, world.holder, sent.queryId)).toBe(true);
    expect(await world.heldBy(seller)).toBe(10_000n);
    expect(await balanceOf(seller)).toMatchObject({ earned: '20000', settled: '0', unsettled: '20000' });
    await world.startNanopay();
    await expectBalance(seller, { earned: '20000', settled: '20000' });
    expect(await world.heldBy(seller)).toBe(20_000n);
    expect((await payouts()).map(({ status }) => status)).not.toContain('failed');
  });

  it('is followed however many messages strangers have sent to the wallet since the last deposit', async () => {
    await world.stopNanopay();
    const seller = newSeller();
    await earn(seller);
    for (let batches = 0; batches < 4; batches++) await flood(6_000n + BigInt(batches));
    await world.startNanopay();
    await expectBalance(seller, { earned: '10000', settled: '10000' }, 30_000);
    expect(await world.heldBy(seller)).toBe(10_000n);
    // Who starts after the next deposit need not look at them.
    const later = newSeller();
    await world.chain.simulator.depositForNanopay({ sender: later, amountAtomic: 8n });
    await expectBalance(later, { deposited: '8' });
  }, 60_000);

  it('that fails on the chain for want of coins is paid by a later message, once', async () => {
    await world.stopNanopay();
    // More than the coins that are left can carry; the message itself they can.
    const sellers = Array.from({ length: 8 }, newSeller);
    const [seller] = sellers as [string];
    await earn(...sellers);
    await drain();
    await world.startNanopay();
    await eventually(async () => expect((await payouts()).map(({ status }) => status)).toContain('failed'), {
      timeoutMs: 8_000,
    });
    expect(await world.heldBy(seller)).toBe(0n);
    expect(await balanceOf(seller)).toMatchObject({ settled: '0', unsettled: '10000' });
    await world.chain.simulator.fund({ address: world.holder, nano: toNano('100'), usdtAtomic: 0n });
    for (const [index, each] of sellers.entries()) {
      const amountAtomic = 10_000n * BigInt(index + 1);
      await expectBalance(each, { settled: amountAtomic.toString(), unsettled: '0' });
      expect(await world.heldBy(each)).toBe(amountAtomic);
    }
  });

  it('is none while the chain holds less than is owed, and somebody is told', async () => {
    const [tee] = world.tee.apps;
    const told = jest.spyOn(tee!.logger, 'error').mockImplementation(() => undefined);
    const before = await payouts();
    // Money that nobody has brought.
    await world.tee.fund(new Buyer(), 10n ** 12n);
    const destination = newSeller();
    const id = await withdraw(1_000n, destination);
    await eventually(
      () =>
        expect(told).toHaveBeenCalledWith(
          expect.objectContaining({ owed: expect.stringMatching(/^10000\d{8}$/) }),
          'the chain holds less than is owed',
        ),
      { timeoutMs: 8_000 },
    );
    expect(await world.call(getNanoWithdrawal, { id })).toMatchObject({ status: 'pending' });
    expect(await payouts()).toEqual(before);
    expect(await world.heldBy(destination)).toBe(0n);
    told.mockRestore();
  });
});

/** What nanopay asks the enclave for before it sends. */
async function open(): Promise<OpenPayout> {
  const { address: assetWallet, balanceAtomic } = await jettonWalletOf(world.reader, {
    ...{ master: world.master, owner: world.holder },
  });
  const opening = { assetWallet, reserve: balanceAtomic.toString(), isFirst: false };
  return (await world.call(openPayout, opening)).payout!;
}

/** As many messages to the enclave's wallet as one transaction can send. */
async function flood(count: bigint): Promise<void> {
  const { key, wallet } = sandboxEnclaveWallet();
  const message = { to: world.holder, valueNano: 1n, isBounceable: false };
  const createdAtS = Math.floor(Date.now() / 1000) - 30;
  const batch = { queryId: queryIdAt(count), createdAtS, payments: Array(254).fill(message) };
  const { boc } = await buildHighloadMessage(wallet, batch, key.sign);
  await world.reader.sendBoc(boc);
}

const leftNano = toNano('0.5');

/** Takes the coins out of the enclave's wallet, all but some. */
async function drain(): Promise<void> {
  const { key, wallet } = sandboxEnclaveWallet();
  const valueNano = (await world.reader.getBalance(world.holder)) - leftNano;
  const batch = {
    ...{ queryId: queryIdAt(5_000n), createdAtS: Math.floor(Date.now() / 1000) - 30 },
    payments: [{ to: newSeller(), valueNano, isBounceable: false }],
  };
  const { boc } = await buildHighloadMessage(wallet, batch, key.sign);
  await world.reader.sendBoc(boc);
  expect(await world.reader.getBalance(world.holder)).toBeLessThan(leftNano);
}

/** Another master with the code and the name of ours, whose owner mints as he likes. */
async function mintAlike(forger: ChainWallet, amountAtomic: bigint): Promise<string> {
  const { usdt } = world.genesis;
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
