import { bcs } from '@mysten/sui/bcs';
import { Inputs, Transaction } from '@mysten/sui/transactions';
import { deriveDynamicFieldID } from '@mysten/sui/utils';
import { base58 } from '@scure/base';
import { getBytes } from 'ethers';
import { tollbridgePaySuiDependencies, tollbridgePaySuiModule } from '../generated/tollbridge-pay-sui';
import { suiContract, aSuiOrder, usdc } from '../testing/sui-order.builder';
import {
  chooseSuiCoins,
  encodeSuiPayment,
  encodeSuiPublish,
  encodeSuiReclaim,
  encodeSuiTransfer,
  publishedSuiModule,
  type SuiCoin,
} from './sui-calls';
import { hashSuiOrder, suiRecordId } from './sui-order';

const { packageId, registryId, registryVersion } = suiContract;
const registry = { objectId: registryId, initialSharedVersion: registryVersion.toString(), mutable: true };
const clock = { objectId: '0x6', initialSharedVersion: '1', mutable: false };
const coin = (index: number, balanceAtomic = 100n): SuiCoin => ({
  objectId: `0x${(0xc0 + index).toString(16).padStart(64, '0')}`,
  version: BigInt(index) + 7n,
  digest: base58.encode(new Uint8Array(32).fill(index + 1)),
  balanceAtomic,
});

/** The kind of a transaction, encoded by the SDK of Sui. */
const sdkBytes = async (fill: (tx: Transaction) => void): Promise<Uint8Array> => {
  const tx = new Transaction();
  fill(tx);
  return tx.build({ onlyTransactionKind: true });
};

/** Like this library, the SDK adds inputs in the order of their first use. */
function payWithSdk(tx: Transaction, order: ReturnType<typeof aSuiOrder>, coins: readonly SuiCoin[]): void {
  const [first, ...rest] = coins.map(({ objectId, version, digest }) =>
    tx.object(Inputs.ObjectRef({ objectId, version: version.toString(), digest })),
  );
  const amount = tx.pure.u64(order.amount_in);
  if (rest.length > 0) tx.mergeCoins(first!, rest);
  const [payment] = tx.splitCoins(first ?? tx.gas, [amount]);
  tx.moveCall({
    target: `${packageId}::pay::pay`,
    typeArguments: [order.token_in_address],
    arguments: [
      tx.object(Inputs.SharedObjectRef(registry)),
      payment!,
      tx.pure.vector('u8', [...getBytes(order.order_id)]),
      tx.pure.string(order.token_in),
      tx.pure.string(order.token_out),
      amount,
      tx.pure.address(order.merchant),
      tx.pure.u64(order.merchant_amount),
      tx.pure.address(order.fee_receiver),
      tx.pure.u64(order.fee_amount),
      tx.pure.u64(order.deadline),
      tx.object(Inputs.SharedObjectRef(clock)),
    ],
  });
}

describe('encodeSuiTransfer', () => {
  const receiver = `0x${'5'.repeat(64)}`;

  it.each([0, 1, 3])('writes the same bytes as the SDK of Sui for a transfer of %d coins', async (count) => {
    const coins = Array.from({ length: count }, (_, index) => coin(index));
    const expected = await sdkBytes((tx) => {
      const [first, ...rest] = coins.map(({ objectId, version, digest }) =>
        tx.object(Inputs.ObjectRef({ objectId, version: version.toString(), digest })),
      );
      if (rest.length > 0) tx.mergeCoins(first!, rest);
      const [part] = tx.splitCoins(first ?? tx.gas, [tx.pure.u64(50n)]);
      tx.transferObjects([part!], tx.pure.address(receiver));
    });
    expect(encodeSuiTransfer(receiver, 50n, coins)).toEqual(expected);
  });
});

describe('encodeSuiPayment', () => {
  it('writes the same bytes as the SDK of Sui for a payment in SUI', async () => {
    const order = aSuiOrder({ token_in_address: '0x2::sui::SUI' });
    expect(encodeSuiPayment(suiContract, order)).toEqual(await sdkBytes((tx) => payWithSdk(tx, order, [])));
  });

  it.each([1, 2, 200])(
    'writes the same bytes as the SDK of Sui for a payment with %d coins',
    async (count) => {
      const coins = Array.from({ length: count }, (_, index) => coin(index));
      const order = aSuiOrder();
      const expected = await sdkBytes((tx) => payWithSdk(tx, order, coins));
      expect(encodeSuiPayment(suiContract, order, coins)).toEqual(expected);
    },
  );

  it('writes the same type parameters as the SDK of Sui', async () => {
    const order = aSuiOrder({ token_in_address: `0x3::pool::LP<${usdc}, vector<u8>>` });
    const expected = await sdkBytes((tx) => payWithSdk(tx, order, [coin(0)]));
    expect(encodeSuiPayment(suiContract, order, [coin(0)])).toEqual(expected);
  });

  it('rejects a token order without coins', () => {
    expect(() => encodeSuiPayment(suiContract, aSuiOrder())).toThrow('no coins');
  });
});

describe('encodeSuiReclaim', () => {
  it('writes the same bytes as the SDK of Sui', async () => {
    const hashes = [hashSuiOrder(aSuiOrder()), hashSuiOrder(aSuiOrder({ deadline: 1n }))];
    const expected = await sdkBytes((tx) => {
      const shared = [
        tx.object(Inputs.SharedObjectRef(registry)),
        tx.object(Inputs.SharedObjectRef(clock)),
      ] as const;
      for (const hash of hashes)
        tx.moveCall({
          target: `${packageId}::pay::reclaim_storage`,
          arguments: [shared[0], tx.pure.vector('u8', [...getBytes(hash)]), shared[1]],
        });
    });
    expect(encodeSuiReclaim(suiContract, hashes)).toEqual(expected);
  });
});

describe('encodeSuiPublish', () => {
  it('publishes the module and destroys its upgrade capability', async () => {
    const expected = await sdkBytes((tx) => {
      const modules = [tollbridgePaySuiModule];
      const cap = tx.publish({ modules, dependencies: [...tollbridgePaySuiDependencies] });
      tx.moveCall({ target: '0x2::package::make_immutable', arguments: [cap] });
    });
    expect(encodeSuiPublish()).toEqual(expected);
    const { ProgrammableTransaction } = bcs.TransactionKind.parse(encodeSuiPublish());
    expect(ProgrammableTransaction!.commands.map(({ $kind }) => $kind)).toEqual(['Publish', 'MoveCall']);
  });
});

describe('publishedSuiModule', () => {
  /** Finds the address table of a module in Move's binary format: header, directory of tables, tables. */
  function addressTable(module: Buffer): { start: number; end: number } {
    let at = 8;
    const uleb = (): number => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = module[at++]!;
        value += (byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    const tables = Array.from({ length: uleb() }, () => ({
      kind: module[at++]!,
      offset: uleb(),
      size: uleb(),
    }));
    const { offset, size } = tables.find(({ kind }) => kind === 8)!;
    return { start: at + offset, end: at + offset + size };
  }

  it('replaces only 0x0 by the address of the package', () => {
    const compiled = Buffer.from(tollbridgePaySuiModule, 'base64');
    const published = Buffer.from(publishedSuiModule(packageId));
    const { start, end } = addressTable(compiled);
    const framework = tollbridgePaySuiDependencies.map((id) => id.slice(2)).join('');
    expect(compiled.subarray(start, end).toString('hex')).toBe('0'.repeat(64) + framework);
    expect(published.subarray(start, end).toString('hex')).toBe(packageId.slice(2) + framework);
    for (const module of [compiled, published]) module.fill(0, start, end);
    expect(published).toEqual(compiled);
  });
});

describe('suiRecordId', () => {
  it('returns the same id as the SDK of Sui', () => {
    const orderHash = hashSuiOrder(aSuiOrder());
    const name = bcs.vector(bcs.u8()).serialize(getBytes(orderHash)).toBytes();
    const expected = deriveDynamicFieldID(registryId, `${packageId}::pay::OrderHash`, name);
    expect(suiRecordId(suiContract, orderHash)).toBe(expected);
  });
});

describe('chooseSuiCoins', () => {
  it('chooses the largest coins until they suffice', () => {
    const coins = [coin(0, 1n), coin(1, 50n), coin(2, 49n)];
    expect(chooseSuiCoins(coins, 50n)).toEqual([coins[1]]);
    expect(chooseSuiCoins(coins, 51n)).toEqual([coins[1], coins[2]]);
    expect(chooseSuiCoins(coins, 100n)).toEqual([coins[1], coins[2], coins[0]]);
    expect(chooseSuiCoins(coins, 101n)).toEqual([]);
    expect(chooseSuiCoins([], 1n)).toEqual([]);
  });

  it('chooses at most 250 coins', () => {
    const coins = Array.from({ length: 251 }, (_, index) => coin(index, 1n));
    expect(chooseSuiCoins(coins, 250n)).toHaveLength(250);
    expect(chooseSuiCoins(coins, 251n)).toEqual([]);
  });
});
