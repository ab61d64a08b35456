import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { addressFromBytes, addressToBytes, nativeCoin, systemProgram } from './keys';
import {
  decodeOrder,
  encodeOrder,
  hashOrder,
  maxTokenNameBytes,
  recordAddress,
  type SolanaPaymentOrder,
} from './order';
import { addressOf, programAddress } from './testing/local-cluster';
import { feeReceiver, merchantAddress, mintAddress, nativeOrder, tokenOrder } from './testing/payments';

describe('encodeOrder', () => {
  it('encodes each field at its position', () => {
    const u64 = (value: bigint) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(value);
      return bytes;
    };
    const order = tokenOrder({ token_in: 'USDC', token_out: 'é' });
    const expected = Buffer.concat([
      Buffer.from('018f3b2c7d4e7a119c5500d1e2f30415', 'hex'),
      ...[100_000_000n, 97_000_000n, 3_000_000n, order.deadline].map(u64),
      ...[mintAddress, merchantAddress, feeReceiver].map((it) => base58.decode(it)),
      Buffer.from('\x04USDC', 'latin1'),
      Buffer.from([2, 0xc3, 0xa9]),
    ]);
    expect(Buffer.from(encodeOrder(order)).toString('hex')).toBe(expected.toString('hex'));
  });

  it('encodes the native coin as zeros', () => {
    expect(encodeOrder(nativeOrder()).subarray(48, 80)).toEqual(new Uint8Array(32));
    expect(nativeCoin).toBe(systemProgram);
  });

  it.each<Partial<SolanaPaymentOrder>>([
    { order_id: 'order-1' },
    { amount_in: -1n },
    { merchant_amount: 2n ** 64n },
    { deadline: 2n ** 64n },
    { merchant: '' },
    { merchant: '1'.repeat(31) },
    { merchant: '1'.repeat(33) },
    { fee_receiver: 'O'.repeat(44) },
    { token_in_address: 'z'.repeat(44) },
    { merchant: '1'.repeat(100_000) },
    { token_in: 'x'.repeat(maxTokenNameBytes + 1) },
    { token_out: 'é'.repeat(maxTokenNameBytes / 2 + 1) },
  ])('rejects %p', (change) => {
    expect(() => encodeOrder(tokenOrder(change))).toThrow();
  });
});

describe('decodeOrder', () => {
  it.each([
    tokenOrder(),
    nativeOrder({ token_in: '', token_out: '\ufeffx', amount_in: 2n ** 64n - 1n }),
    tokenOrder({ token_in: 'x'.repeat(maxTokenNameBytes), fee_receiver: systemProgram, fee_amount: 0n }),
  ])('decodes the result of encodeOrder', (order) => {
    expect(decodeOrder(encodeOrder(order))).toEqual(order);
  });

  it('reads bytes within a larger buffer', () => {
    const bytes = encodeOrder(tokenOrder());
    const larger = new Uint8Array(bytes.length + 7);
    larger.set(bytes, 7);
    expect(decodeOrder(larger.subarray(7))).toEqual(tokenOrder());
  });

  it('replaces invalid UTF-8, so that the name matches no symbol', () => {
    const bytes = encodeOrder(tokenOrder({ token_in: 'ab' }));
    bytes[145] = 0xff;
    expect(decodeOrder(bytes).token_in).toBe('\ufffdb');
  });
});

describe('hashOrder', () => {
  it('returns the SHA-256 of a tag and the encoded order', () => {
    const expected = createHash('sha256')
      .update('tollbridge payment order v1')
      .update(encodeOrder(tokenOrder()))
      .digest('hex');
    expect(Buffer.from(hashOrder(tokenOrder())).toString('hex')).toBe(expected);
  });

  it.each<Partial<SolanaPaymentOrder>>([
    { order_id: '118f3b2c-7d4e-7a11-9c55-00d1e2f30415' },
    { token_in: 'USDT' },
    { token_out: 'USDT' },
    { token_in: 'USDCU', token_out: 'SDC' },
    { amount_in: 1n },
    { token_in_address: nativeCoin },
    { merchant: feeReceiver },
    { merchant_amount: 1n },
    { fee_receiver: merchantAddress },
    { fee_amount: 1n },
    { deadline: 1n },
  ])('returns another hash and record address for %p', (change) => {
    expect(hashOrder(tokenOrder(change))).not.toEqual(hashOrder(tokenOrder()));
    expect(recordAddress(programAddress, tokenOrder(change))).not.toBe(
      recordAddress(programAddress, tokenOrder()),
    );
  });
});

describe('recordAddress', () => {
  it('differs between programs', () => {
    expect(recordAddress(addressOf('other program'), tokenOrder())).not.toBe(
      recordAddress(programAddress, tokenOrder()),
    );
  });
});

describe('addressToBytes and addressFromBytes', () => {
  it('convert between base58 and 32 bytes', () => {
    expect(addressFromBytes(addressToBytes(merchantAddress))).toBe(merchantAddress);
    expect(() => addressFromBytes(new Uint8Array(31))).toThrow('32 bytes, not 31');
  });
});
