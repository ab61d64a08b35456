import { Balances } from '@tollbridge/balances';
import type { BlockRef, DirectOrder, Payment } from '@tollbridge/chain-port';
import { Database } from '@tollbridge/database';
import { closedUrl, freshDatabase } from '@tollbridge/testing';
import { openTonAdapter, parseNodeUrl, TonNode } from '@tollbridge/ton/payments';
import { Address, beginCell, Cell, contractAddress, internal } from '@ton/core';
import { mnemonicToPrivateKey } from '@ton/crypto';
import { TonClient, WalletContractV4 } from '@ton/ton';
import { randomUUID } from 'node:crypto';
import { tonAccounts } from './accounts';
import { genesisMessages, readGenesis } from './genesis';
import { localTon } from './local-ton';
import { openTonPayments, type TonPayments } from './testing/open-ton-payments';
import { TonChain } from './ton-chain';
import { TonRepository } from './ton.repository';
import { migrateSandbox } from '../simulators/open-simulators';

let payments: TonPayments;
beforeAll(async () => {
  payments = await openTonPayments();
});
afterAll(() => payments?.close());
afterEach(() => expect(payments.harness.problems.splice(0)).toEqual([]));

const token = (symbol: string) => payments.chain.tokens.find((it) => it.symbol === symbol)!;

const orderIn = (symbol: string, terms: Partial<DirectOrder> = {}): DirectOrder => ({
  id: randomUUID(),
  token: token(symbol),
  merchantAddress: payments.newReceiver(),
  merchantAmountAtomic: 1_000_000n,
  feeReceiver: payments.newReceiver(),
  feeAmountAtomic: 5_000n,
  expiresAtMs: (Math.floor(payments.clock.now() / 1_000) + 3_600) * 1_000,
  ...terms,
});

async function follow(known: BlockRef[], adapter = payments.adapter) {
  const found: Payment[] = [];
  for (;;) {
    const update = await adapter.nextUpdate(known, 64);
    if (update.kind !== 'advance') return { known, found };
    found.push(...update.payments);
    known = [...known, ...update.blocks];
  }
}

/** Sends one message of the wallet that pays several orders. */
async function payTogether(orders: readonly DirectOrder[]): Promise<string> {
  const calls = await Promise.all(orders.map((it) => payments.adapter.walletCall(it, payments.payer)));
  return payments.send(
    calls.flatMap((call) =>
      call?.family === 'ton'
        ? call.messages.map(({ address, amount, payload }) =>
            internal({ to: Address.parse(address), value: BigInt(amount), body: Cell.fromBase64(payload) }),
          )
        : [],
    ),
  );
}

const report = (hash: string) =>
  payments.adapter.readReport(hash, { contractAddress: payments.chain.payContract });
const client = () => new TonClient({ endpoint: payments.harness.rpcUrl });

describe('payments on TON', () => {
  it('finds each payment of one message once', async () => {
    const { known } = await follow([]);
    const orders = [orderIn('USDT'), orderIn('TON'), orderIn('USDT')];
    const txHash = await payTogether(orders);
    const { found } = await follow(known);
    expect(found.map(({ orderId }) => orderId).sort()).toEqual(orders.map(({ id }) => id).sort());
    expect(new Set(found.map((it) => it.txHash))).toEqual(new Set([txHash]));
    expect(new Set(found.map((it) => `${it.blockHash} ${it.logIndex}`)).size).toBe(3);
  });

  it('accepts only the first payment of an order', async () => {
    const order = orderIn('USDT');
    const { known } = await follow([]);
    await payments.pay(order);
    await payments.pay(order);
    expect((await follow(known)).found).toHaveLength(1);
    expect(await payments.adapter.balanceAtomic(order.merchantAddress, order.token)).toBe(1_000_000n);
  });

  it.each([
    ["the payer's message", async (txHash: string) => (await ofPayer(txHash)).message],
    ['the transaction of the payment contract', async () => newestHash(payments.chain.payContract)],
  ])('finds a submitted payment by %s', async (_name, hashOf) => {
    const order = orderIn('USDT');
    const txHash = await payments.pay(order);
    const named = await hashOf(txHash);
    expect(named).not.toBe(txHash);
    expect(await report(named)).toEqual(await report(txHash));
    expect(await report(named)).toMatchObject({
      state: 'succeeded',
      payments: [{ orderId: order.id, txHash }],
    });
  });

  it('reports jettons that the contract returned as a failed payment', async () => {
    const order = orderIn('USDT', { expiresAtMs: payments.clock.now() - 60_000 });
    const before = await payments.adapter.balanceAtomic(payments.payer, order.token);
    expect(await report(await payments.pay(order))).toMatchObject({ state: 'failed' });
    expect(await payments.adapter.balanceAtomic(payments.payer, order.token)).toBe(before);
  });

  it.each([
    ['a receiver that does not exist', async () => payments.newReceiver()],
    ['a contract that throws', deployThrowing],
  ])('reads no transfer in coins that %s returned', async (_name, receiverOf) => {
    const receiver = await receiverOf();
    const held = await payments.adapter.balanceAtomic(receiver, token('TON'));
    const text = beginCell().storeUint(0, 32).storeStringTail('paid').endCell();
    const message = internal({ to: receiver, value: 500_000_000n, bounce: true, body: text });
    const txHash = await payments.send([message]);
    // The receiver may have paid storage rent.
    expect(await payments.adapter.balanceAtomic(receiver, token('TON'))).toBeLessThanOrEqual(held);
    const wanted = { txHash, token: token('TON'), receiver, seenIn: null };
    expect(await payments.adapter.readTransfers([wanted])).toMatchObject([
      { transfers: [], otherTransfers: [] },
    ]);
  });

  it('returns a transfer under one hash only', async () => {
    const receiver = payments.newReceiver();
    const txHash = await payments.transfer(receiver, 7n, token('TON'));
    const read = (hash: string) =>
      payments.adapter.readTransfers([{ txHash: hash, token: token('TON'), receiver, seenIn: null }]);
    expect(await read(txHash)).toMatchObject([{ transfers: [{ txHash, amountAtomic: 7n }] }]);
    expect(await read(await newestHash(receiver))).toMatchObject([{ kind: 'mined', transfers: [] }]);
    expect(await read((await ofPayer(txHash)).message)).toMatchObject([{ kind: 'unmined' }]);
  });
});

/** Deploys a contract that accepts empty messages and throws at all others. */
async function deployThrowing(): Promise<string> {
  // DROP SEMPTY 60 THROWIFNOT
  const init = { code: beginCell().storeUint(0x30c700f2bc, 40).endCell(), data: Cell.EMPTY };
  const address = contractAddress(0, init);
  await payments.send([internal({ to: address, value: 1_000_000_000n, init, bounce: false })]);
  return address.toString({ bounceable: false });
}

async function newestHash(address: string): Promise<string> {
  const [newest] = await client().getTransactions(Address.parse(address), { limit: 1 });
  return newest!.hash().toString('hex');
}

/** Returns the normalised hash of the message that caused a transaction of the payer's wallet. */
async function ofPayer(txHash: string): Promise<{ message: string }> {
  const { storeMessage } = await import('@ton/core');
  const sent = await client().getTransactions(Address.parse(payments.payer), { limit: 20 });
  const { inMessage } = sent.find((it) => it.hash().toString('hex') === txHash)!;
  if (inMessage?.info.type !== 'external-in') throw new Error('not sent by the payer');
  const { dest } = inMessage.info;
  const info = { type: 'external-in' as const, dest, importFee: 0n, src: null };
  const plain = storeMessage({ info, init: null, body: inMessage.body }, { forceRef: true });
  return { message: beginCell().store(plain).endCell().hash().toString('hex') };
}

describe('nodes of TON', () => {
  it('uses the next node when one is unavailable', async () => {
    const dead = `${await closedUrl()}/api/v2/jsonRPC`;
    const problems: object[] = [];
    const { adapter, rpc } = openTonAdapter(
      { ...payments.chain, rpcUrls: [dead, payments.harness.rpcUrl] },
      { warn: (about) => problems.push(about) },
    );
    expect(await adapter.balanceAtomic(payments.payer, token('TON'))).toBeGreaterThan(0n);
    expect(rpc.health().map(({ state }) => state)).toEqual(['unhealthy', 'healthy']);
    expect(problems).toMatchObject([{ chain: 'ton', node: 1, reason: 'unavailable' }]);
  });

  it('rejects a node of another network', async () => {
    const node = new TonNode(parseNodeUrl(payments.harness.rpcUrl, 1), -3);
    await expect(node.balance(`0:${'11'.repeat(32)}`)).rejects.toThrow('serves the network -239, not -3');
  });

  it('returns the balances of the funded accounts to the balance reader', async () => {
    const url = payments.harness.rpcUrl.replace('/api/v2/jsonRPC', '');
    const balances = new Balances([{ chain: 'ton', urls: [url] }]);
    const [, merchant] = await localTon.accounts();
    const wallets = [payments.payer, merchant!.address].map((address) => ({
      chain: payments.chain,
      address,
    }));
    const { found, skipped } = await balances.read(wallets);
    expect(skipped).toEqual([]);
    const amounts = found.map(({ holdings }) => holdings.map(({ amountAtomic }) => amountAtomic));
    expect(amounts[0]![0]).toBeGreaterThan(900_000n * 10n ** 9n);
    expect(amounts[0]![1]).toBeGreaterThan(90_000_000n * 10n ** 6n);
    expect(amounts[1]![0]).toBeLessThanOrEqual(100n * 10n ** 9n);
    expect(amounts[1]![1]).toBe(0n);
  });
});

describe('the local TON network', () => {
  it('lists accounts with the mnemonics that open their wallets', async () => {
    for (const [at, { address, privateKey }] of (await localTon.accounts()).entries()) {
      const { publicKey } = await mnemonicToPrivateKey(privateKey.split(' '));
      expect(publicKey.toString('hex')).toBe(tonAccounts[at]!.publicKey);
      const wallet = WalletContractV4.create({ workchain: 0, publicKey });
      expect(wallet.address.toString({ bounceable: false })).toBe(address);
    }
  });

  it('publishes no block before the transactions in it are stored', async () => {
    const { commit } = TonRepository.prototype;
    const seen: { head: number; block: number }[] = [];
    const slow = jest.spyOn(TonRepository.prototype, 'commit').mockImplementationOnce(async function (
      this: TonRepository,
      change,
    ) {
      payments.mine(5);
      seen.push({ head: await payments.harness.simulator.chain.seqno(), block: change.seqno });
      await commit.call(this, change);
    });
    await payments.transfer(payments.newReceiver(), 7n, token('TON'));
    slow.mockRestore();
    expect(seen).toHaveLength(1);
    expect(seen[0]!.head).toBe(seen[0]!.block - 1);
  });

  it('adds missing contracts and accounts to a chain of an earlier version', async () => {
    const fresh = await freshDatabase('sandbox', migrateSandbox);
    try {
      const database = await Database.open({
        app: 'sandbox',
        url: fresh.runtimeUrl,
        entities: [],
        maxConnections: 2,
      });
      const { admin, solver, payments: contract, accounts } = await readGenesis();
      const open = (genesis: typeof genesisMessages) =>
        new TonChain({ repository: new TonRepository(database), clock: payments.clock, genesis });
      const earlier = open(() => genesisMessages(async (address) => address !== admin.address.toRawString()));
      expect((await earlier.account(contract.address.toRawString())).account?.storage.state.type).toBe(
        'uninit',
      );
      await earlier.close();

      const upgraded = open(genesisMessages);
      for (const { address } of [contract, solver, ...accounts])
        expect((await upgraded.account(address.toRawString())).account?.storage.state.type).toBe('active');
      await upgraded.close();
      const again = open(genesisMessages);
      const [before, after] = [
        await upgraded.seqno(),
        await again.account(accounts[0]!.address.toRawString()),
      ];
      expect(before).toBeGreaterThan(0);
      expect(after.account?.storage.balance.coins).toBeLessThanOrEqual(1_000_000n * 10n ** 9n);
      await again.close();
      await database.close();
    } finally {
      await fresh.drop();
    }
  });
});

// Runs last, because it moves the network to another port.
it('finds the same payments after a restart of the network', async () => {
  const before = await follow([]);
  expect(before.found.length).toBeGreaterThan(3);
  await payments.harness.restart();
  const { adapter } = openTonAdapter({ ...payments.chain, rpcUrls: [payments.harness.rpcUrl] }, console);
  expect((await follow([], adapter)).found).toEqual(before.found);
  expect((await follow(before.known, adapter)).found).toEqual([]);
});
