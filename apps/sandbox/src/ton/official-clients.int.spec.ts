import { systemClock } from '@tollbridge/database';
import { eventually } from '@tollbridge/testing';
import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  external,
  getMethodId,
  internal,
  SendMode,
  toNano,
  type Transaction,
} from '@ton/core';
import { JettonMaster, JettonWallet, TonClient, WalletContractV4 } from '@ton/ton';
import { createHash, randomBytes } from 'node:crypto';
import TonWeb from 'tonweb';
import nacl from 'tweetnacl';
import { openTonHarness, type TonHarness } from './testing/open-ton-harness';

let harness: TonHarness;
beforeAll(async () => {
  harness = await openTonHarness(systemClock);
});
afterAll(() => harness?.close());
afterEach(() => expect(harness.problems.splice(0)).toEqual([]));

function keyOf(name: string): { publicKey: Buffer; secretKey: Buffer } {
  const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(createHash('sha256').update(name).digest());
  return { publicKey: Buffer.from(publicKey), secretKey: Buffer.from(secretKey) };
}
const fund = (address: Address, nano: bigint, usdtAtomic = 0n) =>
  harness.simulator.fund({ address: address.toRawString(), nano, usdtAtomic });
/** Waits for all consequences. On a slow machine, the reply to a message comes before them. */
const idle = () => harness.simulator.chain.idle();
const stranger = () => new Address(0, randomBytes(32));

describe('@ton/ton TonClient against the simulator', () => {
  const key = keyOf('Ann');
  const contract = WalletContractV4.create({ workchain: 0, publicKey: key.publicKey });
  const client = () => new TonClient({ endpoint: harness.rpcUrl });

  it('reads an unused account', async () => {
    const address = stranger();
    const state = await client().getContractState(address);
    expect(state).toMatchObject({
      balance: 0n,
      state: 'uninitialized',
      code: null,
      data: null,
      lastTransaction: null,
    });
    expect(await client().getTransactions(address, { limit: 10 })).toEqual([]);
    expect(await client().isContractDeployed(address)).toBe(false);
  });

  it('deploys a wallet with its first transfer, and reads the wallet', async () => {
    await fund(contract.address, toNano('5'));
    const wallet = client().open(contract);
    expect(await wallet.getSeqno()).toBe(0);
    const to = stranger();

    await wallet.sendTransfer({
      seqno: 0,
      secretKey: key.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to, value: toNano('1.5'), bounce: false, body: 'for the coffee' })],
    });
    await idle();

    expect(await wallet.getSeqno()).toBe(1);
    expect(await client().isContractDeployed(contract.address)).toBe(true);
    expect(await client().getBalance(to)).toBeGreaterThan(toNano('1.4999'));
    const left = await wallet.getBalance();
    expect(left).toBeLessThan(toNano('3.5'));
    expect(left).toBeGreaterThan(toNano('3.49'));
    const [received] = await client().getTransactions(to, { limit: 1 });
    expect(received!.inMessage!.info).toMatchObject({ type: 'internal', bounced: false });
    expect(received!.inMessage!.body.beginParse().skip(32).loadStringTail()).toBe('for the coffee');
    expect(Math.abs(received!.now - Date.now() / 1_000)).toBeLessThan(30);
  });

  it('pages backwards through transactions by lt and hash, and finds a transaction', async () => {
    const all = await client().getTransactions(contract.address, { limit: 100 });
    expect(all.length).toBeGreaterThanOrEqual(2);
    const pages: Transaction[] = await client().getTransactions(contract.address, { limit: 1 });
    for (;;) {
      const last = pages.at(-1)!;
      const at = { lt: String(last.lt), hash: last.hash().toString('base64') };
      const page = await client().getTransactions(contract.address, { limit: 1, ...at });
      if (page.length === 0) break;
      pages.push(...page);
    }
    expect(pages.map(({ lt }) => lt)).toEqual(all.map(({ lt }) => lt));
    const [newest, before] = all as [Transaction, Transaction];
    expect(newest.prevTransactionLt).toBe(before.lt);
    expect(Buffer.from(newest.prevTransactionHash.toString(16).padStart(64, '0'), 'hex')).toEqual(
      before.hash(),
    );
    const found = await client().getTransaction(
      contract.address,
      String(before.lt),
      before.hash().toString('base64'),
    );
    expect(found!.hash()).toEqual(before.hash());
  });

  it('estimates the fees of a message without executing it', async () => {
    const body = contract.createTransfer({
      seqno: 1,
      secretKey: keyOf('unused').secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to: stranger(), value: 1n })],
    });
    const before = await client().getBalance(contract.address);

    const { source_fees: fees } = await client().estimateExternalMessageFee(contract.address, {
      body,
      initCode: null,
      initData: null,
      ignoreSignature: true,
    });

    for (const fee of [fees.gas_fee, fees.fwd_fee, fees.in_fwd_fee]) {
      expect(fee).toBeGreaterThan(50_000);
      expect(fee).toBeLessThan(10_000_000);
    }
    expect(await client().getBalance(contract.address)).toBe(before);
  });

  it('reads decimals and admin of the jetton that represents USDT', async () => {
    const { usdt, admin } = harness.genesis;
    await fund(contract.address, 0n, 25_000_000n);
    const master = client().open(JettonMaster.create(usdt.address));

    const data = await master.getJettonData();

    expect(data.adminAddress.toRawString()).toBe(admin.address.toRawString());
    expect(data.totalSupply).toBeGreaterThanOrEqual(25_000_000n);
    const values = data.content.beginParse().skip(8).loadRef().beginParse();
    expect(values.remainingBits).toBeGreaterThan(0);
    const address = await master.getWalletAddress(contract.address);
    expect(await client().open(JettonWallet.create(address)).getBalance()).toBe(25_000_000n);
  });

  it('reads every stack type of a get method', async () => {
    // Returns 1, an empty cell, an empty slice, null and (-1), as one tuple.
    const code = beginCell().storeBuffer(Buffer.from('71c8c9c8c9d06d7f6f016f05', 'hex')).endCell();
    const init = { code, data: Cell.EMPTY };
    const wallet = client().open(contract);
    const address = contractAddress(0, init);
    await wallet.sendTransfer({
      seqno: await wallet.getSeqno(),
      secretKey: key.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to: address, value: toNano('0.1'), init })],
    });
    await idle();

    const { stack } = await client().runMethod(address, 'anything', [{ type: 'int', value: 5n }]);

    expect(stack.readBigNumber()).toBe(5n);
    expect(stack.readNumber()).toBe(getMethodId('anything'));
    const [number, cell, slice, nothing, inner] = (stack.pop() as any).items;
    expect({ number, nothing, inner }).toEqual({ number: 1n, nothing: [], inner: [-1n] });
    for (const empty of [cell, slice]) expect(empty.equals(Cell.EMPTY)).toBe(true);
  });

  it('reads a height that increases with time', async () => {
    const first = await client().getMasterchainInfo();
    expect(first).toMatchObject({ workchain: -1, shard: '-9223372036854775808', initSeqno: 0 });
    await eventually(async () =>
      expect((await client().getMasterchainInfo()).latestSeqno).toBeGreaterThan(first.latestSeqno),
    );
  });

  it('reports a message that the account rejects', async () => {
    const body = contract.createTransfer({
      seqno: 7,
      secretKey: key.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to: stranger(), value: 1n })],
    });
    await expect(client().sendMessage(external({ to: contract.address, body }))).rejects.toMatchObject({
      response: {
        status: 500,
        data: { ok: false, code: 500, error: expect.stringContaining('exitcode=33') },
      },
    });
  });
});

describe('tonweb against the simulator', () => {
  const tonweb = () => new TonWeb(new TonWeb.HttpProvider(harness.rpcUrl));
  const key = TonWeb.utils.nacl.sign.keyPair.fromSeed(createHash('sha256').update('Bob').digest());
  const walletOf = (it: TonWeb) => new it.wallet.all.v4R2(it.provider, { publicKey: key.publicKey, wc: 0 });

  it('deploys a wallet, pays with a comment, and rejects the same message again', async () => {
    const wallet = walletOf(tonweb());
    const address = (await wallet.getAddress()).toString(true, true, false);
    expect(await wallet.methods.seqno().call()).toBeNull();
    await fund(Address.parse(address), toNano('2'));
    expect(await tonweb().getBalance(address)).toBe('2000000000');
    const to = stranger().toString({ bounceable: false });
    const transfer = wallet.methods.transfer({
      secretKey: key.secretKey,
      toAddress: to,
      seqno: 0,
      payload: 'order 44',
      sendMode: 3,
      amount: TonWeb.utils.toNano('0.5'),
    });
    const { source_fees: fees } = (await transfer.estimateFee()) as any;
    expect(fees.gas_fee).toBeGreaterThan(0);

    expect(await transfer.send()).toMatchObject({ '@type': 'ok' });
    await idle();

    expect(await wallet.methods.seqno().call()).toBe(1);
    const [received] = await tonweb().getTransactions(to, 1);
    expect(received.in_msg).toMatchObject({ value: '500000000', message: 'order 44' });
    expect(Address.parse(received.in_msg.source).equals(Address.parse(address))).toBe(true);
    const [sent] = await tonweb().getTransactions(address, 1);
    expect(sent.out_msgs).toHaveLength(1);
    expect(BigInt(sent.fee)).toBe(BigInt(sent.storage_fee) + BigInt(sent.other_fee));
    await expect(transfer.send()).rejects.toContain('exitcode=33');
  });

  it('describes a wallet, a wallet without code, and an account with other code', async () => {
    const wallet = (await walletOf(tonweb()).getAddress()).toString();
    const { provider } = tonweb();
    expect(await provider.getWalletInfo(wallet)).toMatchObject({
      wallet: true,
      account_state: 'active',
      wallet_type: 'wallet v4 r2',
      seqno: 1,
      wallet_id: 698983191,
    });
    expect(await provider.getWalletInfo(stranger().toString())).toMatchObject({
      wallet: false,
      balance: '0',
      account_state: 'uninitialized',
    });
    const minter = harness.genesis.usdt.address.toString();
    expect(await provider.getWalletInfo(minter)).toMatchObject({ wallet: false, account_state: 'active' });
    expect(await provider.getExtendedAddressInfo(minter)).toMatchObject({
      account_state: { '@type': 'raw.accountState' },
    });
    const info: any = await provider.getAddressInfo(minter);
    expect(Cell.fromBase64(info.code).hash()).toEqual(harness.genesis.usdt.init.code.hash());
  });

  it('deploys a new jetton, mints it and transfers it with a notification', async () => {
    const { JettonMinter, JettonWallet: TonwebJettonWallet } = TonWeb.token.jetton as any;
    const it = tonweb();
    const wallet = walletOf(it);
    const minter = new JettonMinter(it.provider, {
      adminAddress: await wallet.getAddress(),
      jettonContentUri: 'https://shop.example/coin.json',
      jettonWalletCodeHex: TonwebJettonWallet.codeHex,
    });
    const minterAddress = await minter.getAddress();
    const { stateInit } = await minter.createStateInit();
    const send = async (toAddress: unknown, coins: string, payload: unknown, init?: unknown) => {
      await wallet.methods
        .transfer({
          secretKey: key.secretKey,
          toAddress,
          amount: TonWeb.utils.toNano(coins),
          sendMode: 3,
          seqno: await wallet.methods.seqno().call(),
          payload,
          stateInit: init,
        } as any)
        .send();
      await idle();
    };
    await send(minterAddress.toString(true, true, true), '0.1', undefined, stateInit);
    const [own, shop] = [await wallet.getAddress(), new TonWeb.utils.Address(stranger().toRawString())];
    const jettonAmount = new TonWeb.utils.BN(5_000);
    const minted = await minter.createMintBody({
      jettonAmount,
      destination: own,
      amount: TonWeb.utils.toNano('0.1'),
    });
    await send(minterAddress.toString(true, true, true), '0.2', minted);
    const from = await minter.getJettonWalletAddress(own);
    const body = await new TonwebJettonWallet(it.provider, { address: from }).createTransferBody({
      jettonAmount: new TonWeb.utils.BN(1_200),
      toAddress: shop,
      responseAddress: own,
      forwardAmount: TonWeb.utils.toNano('0.01'),
      forwardPayload: new TextEncoder().encode('order 45'),
    });

    await send(from.toString(true, true, true), '0.2', body);

    const shopWallet = await minter.getJettonWalletAddress(shop);
    const data = await new TonwebJettonWallet(it.provider, { address: shopWallet }).getData();
    expect(data.balance.toString()).toBe('1200');
    expect(data.ownerAddress.toString(false)).toBe(shop.toString(false));
    const [notified] = await it.getTransactions(shop.toString(), 1);
    expect(Address.parse(notified.in_msg.source).toRawString()).toBe(shopWallet.toString(false));
    const slice = Cell.fromBase64(notified.in_msg.msg_data.body).beginParse();
    expect(slice.loadUint(32)).toBe(0x7362d09c);
  });
});
