import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { toBase58 } from '@mysten/sui/utils';
import { SuiRejection } from './sui-rejection';
import { parseTransactionData } from './transaction-data';

const sender = new Ed25519Keypair().toSuiAddress();
const coin = { objectId: `0x${'ab'.repeat(32)}`, version: '3', digest: toBase58(new Uint8Array(32).fill(7)) };

async function built(add: (transaction: Transaction) => void): Promise<Uint8Array> {
  const transaction = new Transaction();
  add(transaction);
  transaction.setSender(sender);
  transaction.setGasPayment([coin]);
  transaction.setGasPrice(1_000);
  transaction.setGasBudget(5_000_000);
  return transaction.build();
}

describe('parseTransactionData', () => {
  it('reads transactions that the official library encodes', async () => {
    const bytes = await built((it) => {
      const [part] = it.splitCoins(it.gas, [5]);
      it.mergeCoins(it.objectRef({ ...coin, objectId: '0x77777' }), [part!]);
      it.transferObjects([it.gas], sender);
    });
    const { digest, sender: from, gas, inputs, commands } = parseTransactionData(bytes);
    expect(digest).toBe(await Transaction.from(bytes).getDigest());
    expect(from).toBe(sender);
    expect(gas).toEqual({
      owner: sender,
      coins: [{ ...coin, version: 3n }],
      price: 1_000n,
      budget: 5_000_000n,
    });
    expect(inputs.map(({ kind }) => kind)).toEqual(['pure', 'owned', 'pure']);
    expect(commands).toEqual([
      { kind: 'split', coin: { kind: 'gas' }, amounts: [{ kind: 'input', at: 0 }] },
      { kind: 'merge', target: { kind: 'input', at: 1 }, coins: [{ kind: 'part', at: 0, part: 0 }] },
      { kind: 'transfer', objects: [{ kind: 'gas' }], to: { kind: 'input', at: 2 } },
    ]);
  });

  it('rejects truncated bytes, and trailing bytes', async () => {
    const bytes = await built((it) => it.transferObjects([it.gas], sender));
    for (let length = 0; length < bytes.length; length++)
      expect(() => parseTransactionData(bytes.subarray(0, length))).toThrow(SuiRejection);
    expect(() => parseTransactionData(Uint8Array.from([...bytes, 0]))).toThrow(SuiRejection);
  });

  it.each([
    ['a package to publish', (it: Transaction) => it.publish({ modules: [], dependencies: [] })],
    ['a vector of objects', (it: Transaction) => it.makeMoveVec({ elements: [it.gas] })],
    ['an object to receive', (it: Transaction) => it.transferObjects([it.receivingRef(coin)], sender)],
  ])('rejects %s', async (_name, add) => {
    const bytes = await built(add);
    expect(() => parseTransactionData(bytes)).toThrow(/The local network takes/);
  });
});
