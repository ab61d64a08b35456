import { systemClock } from '@tollbridge/database';
import {
  depositByNotification,
  depositInWallet,
  ForeignJettonWallet,
  jettonOps,
  jettonTransferBody,
  jettonWalletOf,
  readDeposits,
  sandboxKey,
  type Deposit,
  type DepositAccount,
  type TonAccountReader,
} from '@tollbridge/ton';
import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  external,
  internal,
  SendMode,
  storeMessage,
  toNano,
  type MessageRelaxed,
} from '@ton/core';
import { WalletContractV4 } from '@ton/ton';
import { randomBytes } from 'node:crypto';
import { openTonHarness, type TonHarness } from './testing/open-ton-harness';

let harness: TonHarness;
let account: DepositAccount;
let ann: TestWallet;
let forger: TestWallet;

beforeAll(async () => {
  harness = await openTonHarness(systemClock);
  const owner = harness.genesis.deposits.address.toRawString();
  const { address: jettonWallet } = await jettonWalletOf(harness.reader, { master: master(), owner });
  account = { owner, jettonWallet };
  [ann, forger] = [await TestWallet.funded('Ann', 1_000_000n), await TestWallet.funded('a forger', 0n)];
});
afterAll(() => harness?.close());
afterEach(() => expect(harness.problems.splice(0)).toEqual([]));

const master = () => harness.genesis.usdt.address.toRawString();

/** A wallet v4R2 with coins, for tests. */
class TestWallet {
  private constructor(
    private readonly name: string,
    private readonly contract: WalletContractV4,
  ) {}

  static async funded(name: string, usdtAtomic: bigint): Promise<TestWallet> {
    const { publicKey } = sandboxKey(name);
    const wallet = new TestWallet(name, WalletContractV4.create({ workchain: 0, publicKey }));
    await harness.simulator.fund({ address: wallet.address, nano: toNano('100'), usdtAtomic });
    return wallet;
  }

  get address(): string {
    return this.contract.address.toRawString();
  }

  /** Sends messages, and waits for all consequences. */
  async send(...messages: MessageRelaxed[]): Promise<void> {
    const { exitCode, stack } = await harness.reader.runGetMethod(this.address, 'seqno');
    const seqno = exitCode === 0 ? Number(stack[0]) : 0;
    const body = this.contract.createTransfer({
      seqno,
      messages,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      signer: async (cell: Cell) => sandboxKey(this.name).sign(cell.hash()),
    } as never) as unknown as Promise<Cell>;
    const init = seqno === 0 ? { init: this.contract.init } : {};
    const message = external({ to: this.contract.address, body: await body, ...init });
    await harness.reader.sendBoc(beginCell().store(storeMessage(message)).endCell().toBoc());
    await harness.simulator.chain.idle();
  }

  async jettonWallet(ofMaster = master()): Promise<string> {
    return (await jettonWalletOf(harness.reader, { master: ofMaster, owner: this.address })).address;
  }

  async transfer(
    changes: { amountAtomic: bigint; forwardNano?: bigint; forwardPayload?: Cell },
    ofMaster?: string,
  ) {
    const body = await jettonTransferBody({
      queryId: 77n,
      destination: account.owner,
      responseDestination: this.address,
      ...changes,
    });
    const to = Address.parseRaw(await this.jettonWallet(ofMaster));
    await this.send(internal({ to, value: toNano('0.3'), body }));
  }
}

/** Returns deposits found during an action, and the reasons why other transactions are not deposits. */
async function during(happening: () => Promise<unknown>) {
  const before = await readDeposits(harness.reader, account, 0n, 1_000);
  const read = await harness.reader.getTransactions(account.owner, 0n, 1_000);
  await happening();
  const { deposits, ignored } = await readDeposits(harness.reader, account, before.lastLt, 1_000);
  const afterwards = await harness.reader.getTransactions(
    account.owner,
    read.transactions.at(-1)?.lt ?? 0n,
    1_000,
  );
  const notified = afterwards.transactions.map((it) => depositByNotification(it, account));
  return { deposits, ignored, notified };
}
const notification = (amountAtomic: bigint, sender: string) =>
  beginCell()
    .storeUint(jettonOps.transferNotification, 32)
    .storeUint(0, 64)
    .storeCoins(amountAtomic)
    .storeAddress(Address.parseRaw(sender))
    .storeBit(false)
    .endCell();
const toOwner = (body: Cell) => internal({ to: Address.parseRaw(account.owner), value: toNano('0.1'), body });
const reserve = async () =>
  (await jettonWalletOf(harness.reader, { master: master(), owner: account.owner })).balanceAtomic;

describe('Accepted deposit', () => {
  it("credits a wallet's transfer that notifies the owner", async () => {
    const before = await reserve();
    const { deposits, ignored, notified } = await during(() =>
      ann.transfer({ amountAtomic: 1_500n, forwardNano: toNano('0.01') }),
    );
    const common = { sender: ann.address, amountAtomic: 1_500n, queryId: 77n, isNotified: true };
    const [{ lt, hash }] = deposits as [Deposit];
    expect(deposits).toEqual([
      {
        ...common,
        account: account.jettonWallet,
        lt: expect.any(BigInt),
        at: expect.any(Date),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        key: `${account.jettonWallet}:${lt}:${hash}`,
      },
    ]);
    expect(ignored).toEqual({});
    expect(notified).toMatchObject([{ deposit: { ...common, account: account.owner } }]);
    expect(await reserve()).toBe(before + 1_500n);
  });

  it('credits a transfer without a forward amount, which sends no notification', async () => {
    const { deposits, notified } = await during(() => ann.transfer({ amountAtomic: 2_500n }));
    expect(deposits).toMatchObject([{ sender: ann.address, amountAtomic: 2_500n, isNotified: false }]);
    expect(notified).toEqual([]);
  });

  it('credits a transfer with a forward amount too small to process the notification', async () => {
    const { deposits, notified } = await during(() =>
      ann.transfer({ amountAtomic: 3_500n, forwardNano: 1n }),
    );
    expect(deposits).toMatchObject([{ sender: ann.address, amountAtomic: 3_500n, isNotified: true }]);
    expect(notified).toEqual([{ reason: 'not_executed' }]);
  });

  it('credits the sender, whatever the comment contains', async () => {
    const comment = beginCell().storeUint(0, 32).storeStringTail(`credit ${forger.address}`).endCell();
    const posing = notification(9_999_999n, forger.address);
    for (const forwardPayload of [comment, posing]) {
      const { deposits, notified } = await during(() =>
        ann.transfer({ amountAtomic: 3n, forwardNano: toNano('0.01'), forwardPayload }),
      );
      expect(deposits).toMatchObject([{ sender: ann.address, amountAtomic: 3n }]);
      expect(notified).toMatchObject([{ deposit: { sender: ann.address, amountAtomic: 3n } }]);
    }
  });

  it('credits a deposit by POST /sandbox/nanopay/deposit', async () => {
    const sender = new Address(0, randomBytes(32)).toRawString();
    let hash: string | undefined;
    const { deposits, notified } = await during(async () => {
      ({ tx_hash: hash } = await harness.simulator.depositForNanopay({ sender, amountAtomic: 10n ** 15n }));
    });
    expect(deposits).toMatchObject([{ sender, amountAtomic: 10n ** 15n }]);
    expect(notified).toMatchObject([{ deposit: { sender, amountAtomic: 10n ** 15n, hash } }]);
  });

  it('finds each deposit exactly once when it reads the transactions in pages', async () => {
    await Promise.all([4n, 5n, 6n].map((amountAtomic) => depositOfAnn(amountAtomic)));
    const whole = await readDeposits(harness.reader, account, 0n, 1_000);
    let lastLt = 0n;
    const keys: string[] = [];
    for (let hasMore = true; hasMore;) {
      const part = await readDeposits(harness.reader, account, lastLt, 1);
      keys.push(...part.deposits.map(({ key }) => key));
      ({ lastLt, hasMore } = part);
    }
    expect(whole.hasMore).toBe(false);
    expect(whole.deposits.length).toBeGreaterThan(5);
    expect(keys).toEqual(whole.deposits.map(({ key }) => key));
    expect(lastLt).toBe(whole.lastLt);
    // The sum of the deposits equals the whole reserve.
    const sum = whole.deposits.reduce((total, { amountAtomic }) => total + amountAtomic, 0n);
    expect(sum).toBe(await reserve());
  });
});

const depositOfAnn = (amountAtomic: bigint) =>
  harness.simulator.depositForNanopay({ sender: ann.address, amountAtomic });

describe('Rejected deposit', () => {
  it('ignores a notification that another account forged', async () => {
    const { deposits, notified } = await during(() =>
      forger.send(toOwner(notification(10n ** 9n, forger.address))),
    );
    expect(deposits).toEqual([]);
    expect(notified).toEqual([{ reason: 'wrong_source' }]);
  });

  it('ignores a transfer of a look-alike jetton with the same wallet code', async () => {
    const { usdt } = harness.genesis;
    const data = usdt.init.data.beginParse();
    data.loadCoins();
    data.loadAddress();
    const [content, walletCode] = [data.loadRef(), data.loadRef()];
    const forgedData = beginCell()
      .storeCoins(0)
      .storeAddress(Address.parseRaw(forger.address))
      .storeRef(content)
      .storeRef(walletCode)
      .endCell();
    const init = { code: usdt.init.code, data: forgedData };
    const forged = contractAddress(0, init);
    await forger.send(internal({ to: forged, value: toNano('1'), init, bounce: false }));
    const mint = beginCell()
      .storeUint(21, 32)
      .storeUint(0, 64)
      .storeAddress(Address.parseRaw(forger.address))
      .storeCoins(toNano('0.2'))
      .storeRef(
        beginCell()
          .storeUint(jettonOps.internalTransfer, 32)
          .storeUint(0, 64)
          .storeCoins(10n ** 12n)
          .storeAddress(null)
          .storeAddress(null)
          .storeCoins(0)
          .storeBit(false)
          .endCell(),
      )
      .endCell();
    await forger.send(internal({ to: forged, value: toNano('0.4'), body: mint }));
    const alike = forged.toRawString();
    const theirs = await jettonWalletOf(harness.reader, { master: alike, owner: forger.address });
    expect(theirs.balanceAtomic).toBe(10n ** 12n);

    const { deposits, notified } = await during(() =>
      forger.transfer({ amountAtomic: 10n ** 9n, forwardNano: toNano('0.01') }, alike),
    );

    // The transfer arrived in a wallet of the other jetton.
    const ours = await jettonWalletOf(harness.reader, { master: alike, owner: account.owner });
    expect(ours.balanceAtomic).toBe(10n ** 9n);
    expect(deposits).toEqual([]);
    expect(notified).toEqual([{ reason: 'wrong_source' }]);
  });

  it('ignores a mint from nothing in the form of another wallet, which our jetton wallet rejects', async () => {
    const before = await reserve();
    const body = beginCell()
      .storeUint(jettonOps.internalTransfer, 32)
      .storeUint(0, 64)
      .storeCoins(10n ** 9n)
      .storeAddress(Address.parseRaw(forger.address))
      .storeAddress(null)
      .storeCoins(0)
      .storeBit(false)
      .endCell();
    const { deposits, ignored } = await during(() =>
      forger.send(internal({ to: Address.parseRaw(account.jettonWallet), value: toNano('0.2'), body })),
    );
    expect(deposits).toEqual([]);
    expect(ignored).toEqual({ not_executed: 1 });
    expect(await reserve()).toBe(before);
  });

  it("ignores a transfer above the sender's balance, which fails at the sender's own wallet", async () => {
    const { deposits } = await during(() => ann.transfer({ amountAtomic: 10n ** 9n, forwardNano: 1n }));
    expect(deposits).toEqual([]);
  });

  it('ignores plain coins with or without a text, and jettons minted without a sender', async () => {
    const { deposits, ignored, notified } = await during(async () => {
      await forger.send(
        toOwner(Cell.EMPTY),
        toOwner(beginCell().storeUint(0, 32).storeStringTail('hi').endCell()),
      );
      await harness.simulator.faucet.give({ address: account.owner, nano: 0n, usdtAtomic: 8n });
    });
    expect(deposits).toEqual([]);
    expect(ignored).toEqual({ no_sender: 1 });
    expect(notified).toEqual([{ reason: 'wrong_source' }, { reason: 'wrong_source' }]);
  });

  it('ignores a transaction of another account', async () => {
    await depositOfAnn(7n);
    for (const [address, read] of [
      [account.jettonWallet, depositInWallet],
      [account.owner, depositByNotification],
    ] as const) {
      const { transactions } = await harness.reader.getTransactions(address, 0n, 1_000);
      const last = transactions.at(-1)!;
      expect(read(last, account).deposit).toMatchObject({ amountAtomic: 7n });
      const other = { owner: ann.address, jettonWallet: forger.address };
      expect(read(last, other)).toEqual({ reason: 'not_incoming' });
    }
  });
});

describe('Jetton wallet address', () => {
  it('computes the address before the deployment, with balance zero', async () => {
    const owner = new Address(0, randomBytes(32)).toRawString();
    const wallet = await jettonWalletOf(harness.reader, { master: master(), owner });
    expect(wallet).toEqual({ address: expect.stringMatching(/^0:/), isDeployed: false, balanceAtomic: 0n });
    await harness.simulator.fund({ address: owner, nano: 0n, usdtAtomic: 12n });
    expect(await jettonWalletOf(harness.reader, { master: master(), owner })).toEqual({
      address: wallet.address,
      isDeployed: true,
      balanceAtomic: 12n,
    });
  });

  it('rejects the address when the wallet refers to another master', async () => {
    const named = await ann.jettonWallet();
    const lying: Pick<TonAccountReader, 'runGetMethod'> = {
      runGetMethod: (address, method, stack) =>
        harness.reader.runGetMethod(method === 'get_wallet_data' ? named : address, method, stack),
    };
    const asked = jettonWalletOf(lying, { master: master(), owner: account.owner });
    await expect(asked).rejects.toThrow(ForeignJettonWallet);
  });

  it('fails for an account that is not a jetton master', async () => {
    const asked = jettonWalletOf(harness.reader, { master: ann.address, owner: account.owner });
    await expect(asked).rejects.toMatchObject({ name: 'ProviderError', kind: 'badReply' });
  });
});
