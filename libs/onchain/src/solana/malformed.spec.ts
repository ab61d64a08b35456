import { concatBytes } from '@noble/hashes/utils';
import { decodePayment, payInstruction } from './instructions';
import { decodeOrder, encodeOrder, maxTokenNameBytes, u64ToBytes } from './order';
import { keyOf, programAddress } from './testing/local-cluster';
import { nativeOrder, payerAddress, PaymentCluster } from './testing/payments';

const valid = payInstruction(programAddress, nativeOrder(), payerAddress);
const longest = 'x'.repeat(maxTokenNameBytes);

describe('Malformed instruction data', () => {
  const cluster = PaymentCluster.create();
  const send = (data: Uint8Array) => cluster.send([{ ...valid, data }], keyOf('payer'));
  const before = cluster.holdings();
  const merchantsLamports = Object.keys(before)[2]!;

  it('rejects data at every length but the exact one', () => {
    const padded = concatBytes(valid.data, new Uint8Array(60));
    for (let length = 0; length <= padded.length; length++) {
      if (length === valid.data.length) continue;
      expect([length, send(padded.subarray(0, length)).error]).toEqual([length, 'MALFORMED_INSTRUCTION']);
    }
    expect(cluster.holdings()[merchantsLamports]).toBe(before[merchantsLamports]);
  });

  it.each([0n, 3n, 256n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 63n, 2n ** 64n - 1n])(
    'rejects the code %s',
    (code) => {
      const data = concatBytes(u64ToBytes(code), valid.data.subarray(8));
      expect(send(data).error).toBe('MALFORMED_INSTRUCTION');
    },
  );

  it.each([
    [129, 0],
    [255, 0],
    [0, 129],
    [0, 255],
  ])('rejects names of %d and %d bytes', (tokenIn, tokenOut) => {
    const names = [tokenIn, tokenOut].flatMap((length) => [length, ...Array<number>(length).fill(65)]);
    const data = concatBytes(valid.data.subarray(0, 152), Uint8Array.from(names));
    expect(send(data).error).toBe('TOKEN_NAME_TOO_LONG');
    expect(() => decodeOrder(data.subarray(8))).toThrow('not a payment order');
  });

  it('rejects a name with a length beyond the data', () => {
    for (const [at, length] of [
      [152, 20],
      [156, 20],
      [152, 0],
    ] as const) {
      const data = Uint8Array.from(valid.data);
      data[at] = length;
      expect(send(data).error).toBe('MALFORMED_INSTRUCTION');
      expect(() => decodePayment([payerAddress], data)).toThrow('not a payment order');
    }
  });

  it('accepts the longest, empty and binary names', () => {
    for (const names of [
      { token_in: longest, token_out: longest },
      { token_in: '', token_out: '' },
      { token_in: '\0', token_out: '\u{1f600}' },
    ])
      expect(cluster.pay(nativeOrder(names)).error).toBeUndefined();
  });

  it('decodes an order only at its exact length', () => {
    const bytes = encodeOrder(nativeOrder());
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeOrder(bytes.subarray(0, length))).toThrow('not a payment order');
    expect(() => decodeOrder(concatBytes(bytes, Uint8Array.of(0)))).toThrow('not a payment order');
    expect(decodeOrder(bytes)).toEqual(nativeOrder());
  });

  it('transfers nothing for random bytes', () => {
    let state = 42;
    const random = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff) >> 8;
    const start = cluster.holdings();
    for (let round = 0; round < 200; round++) {
      const data = Uint8Array.from(valid.data);
      const changes = 1 + (random() % 3);
      for (let change = 0; change < changes; change++) data[random() % data.length] = random() & 0xff;
      if (Buffer.from(data).equals(valid.data)) continue;
      expect([round, send(data).error]).not.toEqual([round, undefined]);
    }
    expect(cluster.holdings()[merchantsLamports]).toBe(start[merchantsLamports]);
  });
});
