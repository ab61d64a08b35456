import { inspect } from 'node:util';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1';
import { Transaction } from '@mysten/sui/transactions';
import { verifyTransactionSignature } from '@mysten/sui/verify';
import { base58 } from '@scure/base';
import { encodeSuiPublish } from './sui-calls';
import { encodeSuiTransaction, SuiSigner, suiTransactionDigest } from './sui-transaction';

const seed = '11'.repeat(32);
const pair = Ed25519Keypair.fromSecretKey(Buffer.from(seed, 'hex'));
const coins = [1, 2].map((n) => ({
  objectId: `0x${n.toString().padStart(64, 'c')}`,
  version: BigInt(n),
  digest: base58.encode(new Uint8Array(32).fill(n)),
}));

describe('encodeSuiTransaction', () => {
  it('writes the same bytes as the SDK of Sui, with the same digest', async () => {
    const tx = Transaction.fromKind(encodeSuiPublish());
    tx.setSender(pair.toSuiAddress());
    tx.setGasPrice(750);
    tx.setGasBudget(50_000_000);
    tx.setGasPayment(coins.map((coin) => ({ ...coin, version: coin.version.toString() })));
    const gas = { coins, price: 750n, budget: 50_000_000n };
    const bytes = encodeSuiTransaction(encodeSuiPublish(), pair.toSuiAddress(), gas);
    expect(bytes).toEqual(await tx.build());
    expect(suiTransactionDigest(bytes)).toBe(await tx.getDigest());
  });
});

describe('SuiSigner', () => {
  it.each([seed, `0x${seed}`, ` ${pair.getSecretKey()}\n`])(
    'returns the address and the signature of the SDK',
    async (key) => {
      const signer = new SuiSigner(key);
      expect(signer.address).toBe(pair.toSuiAddress());
      const bytes = new Uint8Array([1, 2, 3]);
      const recovered = await verifyTransactionSignature(bytes, signer.sign(bytes));
      expect(recovered.toSuiAddress()).toBe(signer.address);
      expect(signer.sign(bytes)).toBe((await pair.signTransaction(bytes)).signature);
    },
  );

  it('rejects keys of other kinds without quoting them', () => {
    const other = new Secp256k1Keypair().getSecretKey();
    for (const key of ['', 'abc', seed.slice(2), other, `${pair.getSecretKey()}x`]) {
      const failing = () => new SuiSigner(key);
      expect(failing).toThrow('The private key is neither');
      if (key !== '') expect(failing).not.toThrow(key);
    }
  });

  it('hides its key when it is printed', () => {
    const signer = new SuiSigner(seed);
    expect(inspect(signer, { depth: 9, showHidden: true }) + JSON.stringify(signer)).not.toContain(seed);
  });
});
