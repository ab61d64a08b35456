import { base58 } from '@scure/base';
import nacl from 'tweetnacl';
import { checkSolanaProof } from './solana-proof';

const message = 'a text\nof two lines';
const key = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(7));
const other = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(8));
const wallet = base58.encode(key.publicKey);
const sign = (text: string, by = key) => base58.encode(nacl.sign.detached(Buffer.from(text), by.secretKey));

it('checkSolanaProof accepts the signature of an independent library', () => {
  expect(checkSolanaProof(wallet, message, sign(message))).toEqual({ ok: true, isContract: false });
});

it.each([
  ['another key', sign(message, other)],
  ['another text', sign(`${message} `)],
  ['no characters', ''],
  ['63 bytes', base58.encode(base58.decode(sign(message)).subarray(1))],
  ['65 bytes', base58.encode(Uint8Array.of(0, ...base58.decode(sign(message))))],
  ['invalid base58', '0OIl'],
  ['zeros', base58.encode(new Uint8Array(64))],
])('checkSolanaProof rejects a signature of %s', (_title, signature) => {
  expect(checkSolanaProof(wallet, message, signature)).toEqual({ ok: false, reason: 'wrong_signature' });
});

it('checkSolanaProof rejects a key of small order, because its signatures can be forged', () => {
  // With the neutral point as key, R = B and s = 1 is a valid signature of every text.
  const neutral = new Uint8Array(32);
  neutral[0] = 1;
  const signature = new Uint8Array(64).fill(0x66, 0, 32);
  signature[0] = 0x58;
  signature[32] = 1;
  for (const signBit of [0, 0x80]) {
    neutral[31] = signBit;
    expect(checkSolanaProof(base58.encode(neutral), message, base58.encode(signature))).toEqual({
      ok: false,
      reason: 'wrong_signature',
    });
  }
});
