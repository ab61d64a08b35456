import { concat, encodeRlp, getBytes, hexlify, Signature, toBeHex, Transaction, Wallet } from 'ethers';
import fc from 'fast-check';
import { readSignatures, unsigned } from './signatures';
import type { UnsignedTransaction } from '../transaction-set';

const user = new Wallet(`0x${'11'.repeat(32)}`);
const stranger = new Wallet(`0x${'22'.repeat(32)}`);
const approval: UnsignedTransaction = {
  chainId: 8453,
  to: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  data: '0x095ea7b3',
  valueAtomic: 0n,
  gasLimitUnits: 60_000n,
  nonce: 7,
  fees: { isLegacy: false, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
};
const swap: UnsignedTransaction = { ...approval, data: '0x12aa3caf00', valueAtomic: 5n, nonce: 8 };
const legacy: UnsignedTransaction = {
  ...swap,
  fees: { isLegacy: true, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 3_000_000_000n },
};

const raw = (built: UnsignedTransaction, signer = user, changes: object = {}) =>
  signer.signTransaction({ ...unsigned(built), ...changes });
const signature = (built: UnsignedTransaction, signer = user) =>
  signer.signingKey.sign(Transaction.from(unsigned(built)).unsignedHash);
const read = (given: string[], built = [approval, swap]) => readSignatures(given, built, user.address);
const signatureLength = 2 + 65 * 2;
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

describe('readSignatures', () => {
  it.each([
    ['legacy', legacy],
    ['EIP-1559', swap],
  ])('accepts a raw transaction, and 65 bytes for the same transaction: %s', async (_name, built) => {
    const whole = await raw(built);
    const expected = { signed: [{ raw: whole, hash: Transaction.from(whole).hash }] };
    expect(read([whole], [built])).toEqual(expected);
    expect(read([signature(built).serialized], [built])).toEqual(expected);
    expect(read([`0x${whole.slice(2).toUpperCase()}`], [built])).toEqual(expected);
  });

  it('accepts the parity in place of v', () => {
    const { r, s, yParity } = signature(swap);
    const given = hexlify(concat([r, s, toBeHex(yParity, 1)]));
    expect(read([given], [swap])).toEqual(read([signature(swap).serialized], [swap]));
  });

  it('accepts signatures in the order of the transactions', async () => {
    const hashes = [approval, swap].map((built) => Transaction.from(unsigned(built)).unsignedHash);
    const taken = read([await raw(approval), signature(swap).serialized]) as { signed: { raw: string }[] };
    expect(taken.signed.map((it) => Transaction.from(it.raw).unsignedHash)).toEqual(hashes);
  });
});

it('encodes signed transactions like ethers for all numbers', () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 96n });
  const data = fc.uint8Array({ maxLength: 600 }).map((bytes) => hexlify(bytes));
  fc.assert(
    fc.property(amount, data, fc.nat(), fc.nat(300), amount, (valueAtomic, bytes, nonce, gas, fee) => {
      const fees = { isLegacy: false, maxFeePerGas: fee, maxPriorityFeePerGas: fee / 2n };
      const built = { ...swap, valueAtomic, data: bytes, nonce, gasLimitUnits: BigInt(gas), fees };
      const transaction = Transaction.from(unsigned(built));
      transaction.signature = signature(built);
      const { serialized: whole, hash } = transaction;
      expect(read([whole], [built])).toEqual({ signed: [{ raw: whole, hash }] });
      expect(read([transaction.signature.serialized], [built])).toEqual({ signed: [{ raw: whole, hash }] });
      const half = Math.max(2 * Math.floor(whole.length / 4), signatureLength + 2);
      expect(read([whole.slice(0, half)], [built])).toHaveProperty('problems');
    }),
    // In one case of 128, r or s begins with a zero byte, which is omitted.
    { numRuns: 400 },
  );
});

it('rejects truncated and altered signatures', async () => {
  const whole = await raw(swap);
  for (let length = 4; length < whole.length; length += 2)
    expect(read([whole.slice(0, length)], [swap])).toHaveProperty('problems');
  for (let at = 2; at < whole.length; at += 2) {
    const other = (parseInt(whole.slice(at, at + 2), 16) ^ 1).toString(16).padStart(2, '0');
    expect(read([whole.slice(0, at) + other + whole.slice(at + 2)], [swap])).toHaveProperty('problems');
  }
});

describe('INVALID_SIGNATURE', () => {
  const highS = () => {
    const { r, s, v } = signature(swap);
    const other = toBeHex(order - BigInt(s), 32);
    return hexlify(concat([r, other, toBeHex(v === 27 ? 28 : 27, 1)]));
  };
  const highSRaw = () => {
    // Encoded manually, because the library does not create it.
    const { r, s, v } = signature(swap);
    const fields = [8453, 8, 1_000_000_000, 2_000_000_000, 60_000].map((it) => toBeHex(it));
    const high = toBeHex(order - BigInt(s), 32);
    const list = [...fields, swap.to, toBeHex(5), swap.data, [], v === 27 ? toBeHex(1) : '0x', r, high];
    return `0x02${encodeRlp(list).slice(2)}`;
  };
  const cases: [string, () => string | Promise<string>, string][] = [
    ['another signer', () => raw(swap, stranger), 'is not signed by userAddress'],
    [
      'another signer in 65 bytes',
      () => signature(swap, stranger).serialized,
      'is not signed by userAddress',
    ],
    ['another nonce', () => raw(swap, user, { nonce: 9 }), 'differs from what was built in nonce'],
    ['another to', () => raw(swap, user, { to: stranger.address }), 'differs from what was built in to'],
    ['another value', () => raw(swap, user, { value: 6n }), 'differs from what was built in value'],
    ['other data', () => raw(swap, user, { data: '0x12aa3caf01' }), 'differs from what was built in data'],
    ['another chain', () => raw(swap, user, { chainId: 42161 }), 'differs from what was built in chainId'],
    ['more gas', () => raw(swap, user, { gasLimit: 60_001n }), 'differs from what was built in gas'],
    [
      'a higher fee',
      () => raw(swap, user, { maxFeePerGas: 3_000_000_000n }),
      'differs from what was built in maxFeePerGas',
    ],
    [
      'a higher tip',
      () => raw(swap, user, { maxPriorityFeePerGas: 1n }),
      'differs from what was built in maxPriorityFeePerGas',
    ],
    ['the old form', () => raw(legacy), 'differs from what was built in type'],
    [
      'an access list',
      () => raw(swap, user, { accessList: [{ address: user.address, storageKeys: [] }] }),
      'differs from what was built in accessList',
    ],
    [
      'a whole transaction that is not signed',
      () => Transaction.from({ ...unsigned(swap), data: `0x${'00'.repeat(99)}` }).unsignedSerialized,
      'the transaction is not signed',
    ],
    ['a truncated one', () => signature(swap).serialized.slice(0, -4), 'is too short'],
    ['a truncated transaction', async () => (await raw(swap)).slice(0, -2), 'is neither a signature'],
    ['trailing bytes', async () => `${await raw(swap)}00`, 'is neither a signature'],
    ['a high s', highS, 'low s'],
    ['a high s in a transaction', highSRaw, 'low s'],
    ['the compact form', () => signature(swap).compactSerialized, 'compact form'],
    ['another v', () => `${signature(swap).serialized.slice(0, -2)}1d`, 'must end in 1b or 1c'],
    [
      'the other parity',
      () =>
        Signature.from({ ...signature(swap).toJSON(), v: signature(swap).v === 27 ? 28 : 27 } as never)
          .serialized,
      'userAddress',
    ],
    ['zeros', () => `0x${'00'.repeat(64)}1b`, ''],
    ['text that is not hexadecimal', () => 'signed, sealed, delivered', 'must be hex'],
    ['hex without 0x', async () => (await raw(swap)).slice(2), 'must be hex'],
    ['half a byte', () => `${signature(swap).serialized}0`, 'must be hex'],
    ['nothing', () => '', 'must be hex'],
    ['too much', () => `0x${'00'.repeat(200_000)}`, 'is too long'],
  ];

  it.each(cases)('rejects %s', async (_name, given, reason) => {
    expect(read([await given()], [swap])).toEqual({
      problems: [{ index: 0, reason: expect.stringContaining(reason) }],
    });
  });

  it('rejects swapped signatures, and reports both', async () => {
    const swapped = [await raw(swap), signature(approval).serialized];
    expect(read(swapped)).toMatchObject({ problems: [{ index: 0 }, { index: 1 }] });
  });

  it.each([[0], [1], [3]])('rejects %i signatures for two transactions', async (count) => {
    const given = Array.from({ length: count }, () => signature(approval).serialized);
    expect(read(given)).toMatchObject({
      problems: [{ index: null, reason: expect.stringContaining('2 are needed') }],
    });
  });

  it('rejects random bytes without throwing', () => {
    for (let seed = 0; seed < 200; seed++) {
      const bytes = getBytes(Wallet.createRandom().privateKey);
      const given = hexlify(concat([bytes, bytes, bytes.slice(0, 1 + (seed % 31))]));
      expect(read([given], [swap])).toHaveProperty('problems');
    }
  });
});
