import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1';
import { Transaction } from '@mysten/sui/transactions';
import { Balances } from '@tollbridge/balances';
import { findChain } from '@tollbridge/chains';
import { Database } from '@tollbridge/database';
import type { PaymentOrder } from '@tollbridge/onchain';
import { suiRecordId, hashSuiOrder } from '@tollbridge/onchain/sui';
import { freshDatabase, ManualClock } from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';
import { migrateSandbox } from '../simulators/open-simulators';
import { coinTypes, genesisAccounts, genesisObjects, payContract, solverAccount } from './genesis';
import { localSui } from './local-sui';
import type { SuiObject } from './objects';
import { checkpointMs, SuiChain } from './sui-chain';
import { SuiRepository } from './sui.repository';
import { openSuiHarness, type SuiHarness } from './testing/sui-harness';
import { SuiWallet } from './testing/sui-wallet';

let clock: ManualClock;
let sui: SuiHarness;
let payer: SuiWallet;

beforeAll(async () => {
  clock = new ManualClock(Date.now());
  sui = await openSuiHarness(clock);
  payer = sui.wallet('payer');
});
afterAll(async () => {
  await sui?.close();
  expect(sui.problems).toEqual([]);
});

const newAddress = () => `0x${randomBytes(32).toString('hex')}`;
const newOrder = (changes: Partial<PaymentOrder> = {}): PaymentOrder => ({
  order_id: `0x${randomBytes(16).toString('hex')}`,
  token_in: 'USDC',
  token_out: 'USDC',
  amount_in: 100n,
  token_in_address: coinTypes.USDC,
  merchant: newAddress(),
  merchant_amount: 97n,
  fee_receiver: newAddress(),
  fee_amount: 3n,
  deadline: BigInt(Math.floor(clock.now() / 1_000) + 3_600),
  ...changes,
});
// In this version of the client, `getBalance` always reads the balance of SUI.
const balanceOf = async (address: string, coinType: string) => {
  const { balances } = await sui.client.core.getAllBalances({ address });
  return BigInt(balances.find((it) => it.coinType === coinType)?.balance ?? 0);
};
const statusOf = async (digest: string) => {
  const { transaction } = await sui.client.core.getTransaction({ digest });
  return transaction.effects.status;
};
/** Returns a signed transaction of the payer with gas. */
async function signed(transaction: Transaction, keypair = payer.keypair) {
  await payer.addGas(transaction);
  const bytes = await transaction.build();
  const { signature } = await keypair.signTransaction(bytes);
  return { transaction: bytes, signatures: [signature] };
}
/** Returns a transfer to a new receiver, split from the gas coin. */
function transferOf(amountAtomic: bigint, receiver = newAddress()) {
  const transaction = new Transaction();
  transaction.transferObjects([transaction.splitCoins(transaction.gas, [amountAtomic])], receiver);
  return transaction;
}

describe('the official client', () => {
  it('reads the accounts of the genesis', async () => {
    for (const { role, address } of genesisAccounts) {
      const { balances } = await sui.client.core.getAllBalances({ address });
      expect(balances.map(({ coinType }) => coinType)).toContain(coinTypes.SUI);
      expect(balances).toHaveLength(role.includes('payer') ? 3 : 1);
      const { balance } = await sui.client.core.getBalance({ address, coinType: coinTypes.SUI });
      expect(balances).toContainEqual(balance);
    }
    const imported = (await localSui.accounts()).map(({ address, privateKey }) => [
      Ed25519Keypair.fromSecretKey(privateKey).toSuiAddress(),
      address,
    ]);
    for (const [derived, address] of imported) expect(derived).toBe(address);
  });

  it('reads objects, and null for a missing object', async () => {
    const { registryId, packageId, registryVersion } = payContract;
    const { object } = await sui.client.core.getObject({ objectId: registryId });
    expect(object).toMatchObject({
      type: `${packageId}::pay::Registry`,
      owner: { $kind: 'Shared', Shared: { initialSharedVersion: String(registryVersion) } },
    });
    await expect(sui.client.core.getObject({ objectId: newAddress() })).rejects.toThrow('not found');
  });

  it('pages through coins', async () => {
    const { address } = payer;
    const { core } = sui.client;
    const first = await core.getCoins({ address, coinType: coinTypes.USDT, limit: 1 });
    expect(first).toMatchObject({ hasNextPage: false });
    const one = await core.getOwnedObjects({ address, limit: 2 });
    const rest = await core.getOwnedObjects({ address, cursor: one.cursor });
    const ids = [...one.objects, ...rest.objects].map((it) => (it instanceof Error ? '' : it.id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(4);
  });

  it('simulates a transaction without storing it', async () => {
    const receiver = newAddress();
    const { transaction } = await signed(transferOf(5n, receiver));
    const { transaction: simulated } = await sui.client.core.dryRunTransaction({ transaction });
    expect(simulated.effects.status).toEqual({ success: true, error: null });
    expect(simulated.balanceChanges).toContainEqual({
      coinType: coinTypes.SUI,
      address: receiver,
      amount: '5',
    });
    expect(await balanceOf(receiver, coinTypes.SUI)).toBe(0n);
  });

  it('waits for a transaction until its checkpoint', async () => {
    const digest = await payer.send(transferOf(5n));
    const { transaction } = await sui.client.core.waitForTransaction({ digest });
    expect(transaction.digest).toBe(digest);
    const checkpointOf = async () => {
      const query =
        'query ($digest: String!) { transaction(digest: $digest) { effects { checkpoint { sequenceNumber } } } }';
      const { data } = await sui.client.query({ query, variables: { digest } });
      return (data as any).transaction.effects.checkpoint;
    };
    expect(await checkpointOf()).toBeNull();
    clock.advance(checkpointMs);
    expect(await checkpointOf()).toEqual({ sequenceNumber: expect.any(Number) });
  });

  it('returns the error message of an invalid query', async () => {
    const { errors } = await sui.client.query({ query: '{ validators { name } }', variables: {} });
    expect(errors).toMatchObject([{ message: expect.stringContaining('Cannot query field') }]);
    const large = await sui.client.query({
      query: '{ events(first: 51) { nodes { sequenceNumber } } }',
      variables: {},
    });
    expect(large.errors).toMatchObject([{ message: expect.stringContaining('Page size is too large') }]);
  });
});

describe('transactions', () => {
  it('rejects a transaction with the signature of another account', async () => {
    const stranger = new Secp256k1Keypair();
    await expect(
      sui.client.core.executeTransaction(await signed(transferOf(5n), stranger as never)),
    ).rejects.toThrow('Invalid user signature');
    const { transaction, signatures } = await signed(transferOf(5n));
    const [signature] = (await signed(transferOf(6n))).signatures;
    await expect(
      sui.client.core.executeTransaction({ transaction, signatures: [signature!] }),
    ).rejects.toThrow('Invalid user signature');
    await expect(
      sui.client.core.executeTransaction({ transaction, signatures: [...signatures, ...signatures] }),
    ).rejects.toThrow('Invalid user signature');
  });

  it('accepts a transaction that a secp256k1 key signed', async () => {
    const keypair = new Secp256k1Keypair();
    const wallet = new SuiWallet(sui.client, keypair as never);
    await payer.transfer(wallet.address, 1_000_000_000n, coinTypes.SUI);
    const digest = await wallet.send(transferOf(5n));
    expect(await statusOf(digest)).toEqual({ success: true, error: null });
  });

  it('spends each version of an object once', async () => {
    const both = [await signed(transferOf(5n)), await signed(transferOf(6n))];
    const results = await Promise.allSettled(both.map((it) => sui.client.core.executeTransaction(it)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const rejected = results.find((it) => it.status === 'rejected') as PromiseRejectedResult;
    expect(rejected.reason.message).toContain('is unavailable for consumption');
  });

  it('executes a transaction once, however often it is sent', async () => {
    const receiver = newAddress();
    const sent = await signed(transferOf(5n, receiver));
    const [one, other] = await Promise.all([1, 2].map(() => sui.client.core.executeTransaction(sent)));
    expect(one!.transaction.effects).toEqual(other!.transaction.effects);
    expect(await balanceOf(receiver, coinTypes.SUI)).toBe(5n);
  });

  it('conserves coins: receivers and gas get the amount that the sender loses', async () => {
    const receiver = newAddress();
    const before = await balanceOf(payer.address, coinTypes.SUI);
    const digest = await payer.send(transferOf(1_000n, receiver));
    const { transaction } = await sui.client.core.getTransaction({ digest });
    const { computationCost, storageCost, storageRebate } = transaction.effects.gasUsed;
    const gas = BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate);
    expect(await balanceOf(payer.address, coinTypes.SUI)).toBe(before - 1_000n - gas);
    expect(await balanceOf(receiver, coinTypes.SUI)).toBe(1_000n);
  });

  it.each([
    ['splits off more than there is', (it: Transaction) => it.splitCoins(it.gas, [10n ** 18n])],
    ['leaves a coin without an owner', (it: Transaction) => it.splitCoins(it.gas, [5n])],
  ])('charges only gas when a transaction %s', async (_name, build) => {
    const transaction = transferOf(5n);
    build(transaction);
    const digest = await payer.send(transaction);
    expect(await statusOf(digest)).toMatchObject({ success: false });
    const { transaction: failed } = await sui.client.core.getTransaction({ digest });
    expect(failed.balanceChanges.map(({ address }) => address)).toEqual([payer.address]);
  });

  it('rejects a call of a function that the network does not support', async () => {
    const transaction = new Transaction();
    transaction.moveCall({ target: '0x2::kiosk::default' });
    await expect(payer.send(transaction)).rejects.toThrow('does not execute');
  });
});

describe('payments', () => {
  it('pays the receivers, records the payment, and executes it once', async () => {
    const order = newOrder();
    const digest = await payer.pay(payContract, order);
    expect(await statusOf(digest)).toEqual({ success: true, error: null });
    expect(await balanceOf(order.merchant, coinTypes.USDC)).toBe(97n);
    expect(await balanceOf(order.fee_receiver, coinTypes.USDC)).toBe(3n);
    const objectId = suiRecordId(payContract, hashSuiOrder(order));
    const { object } = await sui.client.core.getObject({ objectId });
    expect(object.owner).toEqual({ $kind: 'ObjectOwner', ObjectOwner: payContract.registryId });
    const again = await sui.wallet('second_payer').pay(payContract, order);
    expect(await statusOf(again)).toMatchObject({
      success: false,
      error: expect.stringContaining('MoveAbort'),
    });
    expect(await balanceOf(order.merchant, coinTypes.USDC)).toBe(97n);
  });

  it('reports the abort of the Move VM for an invalid order', async () => {
    const rejected = [
      newOrder({ deadline: 1n }),
      newOrder({ merchant_amount: 98n }),
      newOrder({ merchant: '0x5' }),
    ];
    for (const order of rejected) {
      const digest = await payer.pay(payContract, order);
      expect(await statusOf(digest)).toMatchObject({ error: expect.stringContaining('MoveAbort') });
    }
  });

  it('makes several payments in one transaction, with one receiver of both shares and without a fee', async () => {
    const merchant = newAddress();
    const transaction = new Transaction();
    const inSui = { token_in_address: coinTypes.SUI, merchant };
    const orders = [
      newOrder({ ...inSui, fee_receiver: merchant }),
      newOrder({ ...inSui, fee_amount: 0n, fee_receiver: '0x0', merchant_amount: 100n }),
    ];
    for (const order of orders) await payer.addPayment(transaction, payContract, order);
    expect(await statusOf(await payer.send(transaction))).toEqual({ success: true, error: null });
    expect(await balanceOf(merchant, coinTypes.SUI)).toBe(200n);
  });
});

it('stores no part of a payment when the virtual machine ends, and makes the payment later', async () => {
  const order = newOrder();
  const { chain } = sui.simulator;
  await chain.vm.close();
  const failure = payer.pay(payContract, order).catch((error: Error) => error.message);
  while (!chain.vm.isRunning) await new Promise((resolve) => setImmediate(resolve));
  await chain.vm.close();
  expect(await failure).toBe('Internal server error');
  expect(sui.problems.splice(0)).toHaveLength(1);
  expect(await statusOf(await payer.pay(payContract, order))).toMatchObject({ success: true });
  expect(await balanceOf(order.merchant, coinTypes.USDC)).toBe(97n);
});

it('returns the balances that services read', async () => {
  const chain = findChain('sui')!;
  const balances = new Balances([{ chain: 'sui', kind: 'suiGraphql', urls: [sui.rpcUrl] }]);
  const address = genesisAccounts.find(({ role }) => role === 'second_payer')!.address;
  const { found, skipped } = await balances.read([{ chain, address }]);
  expect(skipped).toEqual([]);
  const held = found[0]!.holdings.map(({ token, amountAtomic }) => [token.symbol, amountAtomic]);
  expect(Object.fromEntries(held)).toMatchObject({ USDC: 1_001_000_000_000n, USDT: 1_000_000_000_000n });
});

it('publishes no checkpoint before its transactions are stored', async () => {
  const { commit } = SuiRepository.prototype;
  let headWhileStoring = Infinity;
  const spy = jest.spyOn(SuiRepository.prototype, 'commit').mockImplementationOnce(async function (
    this: SuiRepository,
    change,
  ) {
    clock.advance(10 * checkpointMs);
    headWhileStoring = (await sui.simulator.chain.head()).height;
    await commit.call(this, change);
  });
  const digest = await payer.pay(payContract, newOrder());
  spy.mockRestore();
  const [stored] = await sui.simulator.chain.repository.transactions([digest]);
  expect(headWhileStoring).toBe(stored!.checkpoint - 1);
  expect((await sui.simulator.chain.head()).height).toBe(stored!.checkpoint + 9);
});

it('adds the coins of the route provider to a network of an earlier version', async () => {
  const fresh = await freshDatabase('sandbox', migrateSandbox);
  const url = fresh.runtimeUrl;
  const database = await Database.open({ app: 'sandbox', url, entities: [], maxConnections: 2 });
  const repository = new SuiRepository(database);
  const isOfSolver = ({ owner }: SuiObject) => owner.kind === 'address' && owner.id === solverAccount.address;
  const earlier = genesisObjects().filter((object) => !isOfSolver(object));
  await repository.createGenesis(clock.now(), earlier);

  await new SuiChain({ repository, clock }).head();

  const owned = await repository.ownedObjects({ owner: solverAccount.address, limit: 10 });
  expect(owned).toHaveLength(genesisObjects().length - earlier.length);
  await database.close();
  await fresh.drop();
});

it('keeps its state over a restart', async () => {
  const order = newOrder();
  const digest = await payer.pay(payContract, order);
  const { transaction: before } = await sui.client.core.getTransaction({ digest });
  await sui.restart();
  const { transaction: after } = await sui.client.core.getTransaction({ digest });
  expect(after.effects).toEqual(before.effects);
  payer = sui.wallet('payer');
  const again = await payer.pay(payContract, order);
  expect(await statusOf(again)).toMatchObject({ success: false });
  expect(await balanceOf(order.merchant, coinTypes.USDC)).toBe(97n);
});
