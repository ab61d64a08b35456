import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519';
import { isSignature, publicKeyOf, signingKey } from '@tollbridge/nanopay-protocol';
import { crypto_sign_verify_detached as verifyBySodium } from 'sodium-native';
import { checkOne, verdicts } from './check-one';

// The ledger service verifies with libsodium, other code with node:crypto. A signature that the ledger service accepts
// must be valid everywhere, including the chain. Where they differ, the ledger service is stricter.

interface Signed {
  digest: Buffer;
  key: Buffer;
  signature: Buffer;
}

type Verdict = keyof typeof verdicts;

const verdictOf = ({ digest, key, signature }: Signed, isNewKey = false): Verdict => {
  const code = checkOne(Buffer.concat([digest, key, signature]), isNewKey);
  return (Object.keys(verdicts) as Verdict[]).find((name) => verdicts[name] === code)!;
};

/** Returns false for a key that is not a point, because node:crypto throws for it. */
function isRightByNode({ digest, key, signature }: Signed): boolean {
  try {
    return isSignature(digest, signature, publicKeyOf(key));
  } catch {
    return false;
  }
}

/** OpenSSL of Node.js 24 rejects keys and commitments of small order, as libsodium does. Node.js 20 accepts them. */
type ByNode = boolean | 'before Node.js 24';
const nodeAcceptsSmallOrder = Number(process.versions.node.split('.')[0]) < 24;

const Point = ed25519.ExtendedPoint;
type Point = typeof Point.BASE;
const { n: order, Fp: field } = ed25519.CURVE;
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const bytesOf = (point: Point): Buffer => Buffer.from(point.toRawBytes());
const digestOf = (name: string | number): Buffer => createHash('sha256').update(`${name}`).digest();
const littleEndian = (value: bigint): Buffer => hex(value.toString(16).padStart(64, '0')).reverse();
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

/** A point of order 8. All of its multiples are points of small order. */
const torsion = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
const smallOrder = Array.from({ length: 8 }, (_, times) =>
  Array.from({ length: times }).reduce<Point>((sum) => sum.add(torsion), Point.ZERO),
);

/** Numbers that are at least the order of the field. Each is equivalent to a smaller number. */
const notCanonical = Array.from({ length: 19 }, (_, above) => littleEndian(field.ORDER + BigInt(above)));
const withSign = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, 31), Buffer.of(bytes[31]! | 0x80)]);

/** Solves the signature equation for any secret number, key and commitment, including invalid ones. */
function signWith(secret: bigint, key: Buffer, nonce: bigint, commitment: Buffer, digest: Buffer): Signed {
  const challenge = numberOf(
    createHash('sha512')
      .update(Buffer.concat([commitment, key, digest]))
      .digest(),
  );
  const scalar = (nonce + challenge * secret) % order;
  return { digest, key, signature: Buffer.concat([commitment, littleEndian(scalar)]) };
}

// Section 7.1 of RFC 8032: seed, key, message and signature.
const rfc8032 = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
  [
    '833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42',
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  ],
] as const;

describe('checkOne with the vectors of RFC 8032', () => {
  it.each(rfc8032)(
    'accepts seed %s and rejects it for another message',
    (seed, publicKey, message, signature) => {
      const key = signingKey(hex(seed));
      expect(key.publicKey.toString('hex')).toBe(publicKey);
      expect(key.sign(hex(message)).toString('hex')).toBe(signature);
      expect(verifyBySodium(hex(signature), hex(message), hex(publicKey))).toBe(true);
      const digest = digestOf(message);
      const signed = { digest, key: key.publicKey, signature: key.sign(digest) };
      expect([verdictOf(signed, true), verdictOf(signed), isRightByNode(signed)]).toEqual([
        'right',
        'right',
        true,
      ]);
    },
  );
});

/**
 * Cases that distinguish implementations, from "Taming the many EdDSAs" by Chalkias, Garillot and Nikolaenko
 * (github.com/novifinancial/ed25519-speccheck, Apache 2.0). Each has digest, key and signature, followed by the results
 * of checkOne for a new and a known key, and of node:crypto.
 */
const speccheck: [string, string, string, string, Verdict, Verdict, ByNode][] = [
  [
    'key and commitment of small order, S is 0',
    '8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a0000000000000000000000000000000000000000000000000000000000000000',
    ...(['weakKey', 'wrong', 'before Node.js 24'] as const),
  ],
  [
    'key of small order',
    '9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    'f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04',
    ...(['weakKey', 'wrong', 'before Node.js 24'] as const),
  ],
  [
    'commitment of small order, key with a part of it',
    'aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab',
    'f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e',
    ...(['weakKey', 'wrong', 'before Node.js 24'] as const),
  ],
  [
    'key and commitment with parts of small order that agree',
    '9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79',
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    '9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009',
    ...(['weakKey', 'right', true] as const),
  ],
  [
    'the same, but they agree only where the cofactor is multiplied',
    'e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c',
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    '160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09',
    ...(['weakKey', 'wrong', false] as const),
  ],
  [
    'the same, and the cofactor is multiplied before the challenge is reduced',
    'e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c',
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    '21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405',
    ...(['weakKey', 'wrong', false] as const),
  ],
  [
    'S is above the order',
    '85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40',
    '442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623',
    'e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514',
    ...(['wrong', 'wrong', false] as const),
  ],
  [
    'S is far above the order',
    '85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40',
    '442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623',
    '8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa19427e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22',
    ...(['wrong', 'wrong', false] as const),
  ],
  [
    'commitment that is not canonical, hashed as the number that it names',
    '9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41',
    'f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff03be9678ac102edcd92b0210bb34d7428d12ffc5df5f37e359941266a4e35f0f',
    ...(['weakKey', 'wrong', false] as const),
  ],
  [
    'the same, hashed as it is written',
    '9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41',
    'f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffca8c5b64cd208982aa38d4936621a4775aa233aa0505711d8fdcfdaa943d4908',
    ...(['weakKey', 'wrong', false] as const),
  ],
  [
    'key that is not canonical, hashed as the number that it names',
    'e96b7021eb39c1a163b6da4e3093dcd3f21387da4cc4572be588fafae23c155b',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dca5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04',
    ...(['weakKey', 'wrong', false] as const),
  ],
  [
    'the same, hashed as it is written',
    '39a591f5321bbe07fd5a23dc2f39d025d74526615746727ceefd6e82ae65c06f',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dca5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04',
    ...(['weakKey', 'wrong', 'before Node.js 24'] as const),
  ],
];

describe('checkOne with signatures that implementations treat differently', () => {
  it.each(speccheck)('%s', (_, digest, key, signature, whenNew, whenKnown, byNode) => {
    const signed = { digest: hex(digest), key: hex(key), signature: hex(signature) };
    expect([verdictOf(signed, true), verdictOf(signed), isRightByNode(signed)]).toEqual([
      whenNew,
      whenKnown,
      byNode === 'before Node.js 24' ? nodeAcceptsSmallOrder : byNode,
    ]);
  });
});

describe('checkOne and node:crypto', () => {
  const key = signingKey(Buffer.alloc(32, 5));
  const signed: Signed = { digest: digestOf(0), key: key.publicKey, signature: key.sign(digestOf(0)) };
  const both = (changed: Partial<Signed>) => [
    verdictOf({ ...signed, ...changed }),
    isRightByNode({ ...signed, ...changed }),
  ];

  it('rejects a signature with any bit changed', () => {
    expect(both({})).toEqual(['right', true]);
    for (let bit = 0; bit < 512; bit++) {
      const signature = Buffer.from(signed.signature);
      signature[bit >> 3]! ^= 1 << (bit & 7);
      expect({ bit, verdicts: both({ signature }) }).toEqual({ bit, verdicts: ['wrong', false] });
    }
  });

  it('rejects another digest and another key', () => {
    expect(both({ digest: digestOf(1) })).toEqual(['wrong', false]);
    expect(both({ key: signingKey(Buffer.alloc(32, 6)).publicKey })).toEqual(['wrong', false]);
  });

  it.each([1n, 2n, 14n])('rejects a malleable signature, with the group order added %s times', (times) => {
    const scalar = numberOf(signed.signature.subarray(32)) + times * order;
    const signature = Buffer.concat([signed.signature.subarray(0, 32), littleEndian(scalar)]);
    expect(both({ signature })).toEqual(['wrong', false]);
  });

  it('rejects a commitment with a part of small order, which only cofactored equations accept', () => {
    const [secret, nonce] = [123_456_789n, 987_654_321n];
    const own = bytesOf(Point.BASE.multiply(secret));
    for (const [times, part] of smallOrder.entries()) {
      const commitment = bytesOf(Point.BASE.multiply(nonce).add(part));
      const signed = signWith(secret, own, nonce, commitment, digestOf(times));
      const isRight = times === 0;
      expect(verdictOf(signed)).toBe(isRight ? 'right' : 'wrong');
      expect(isRightByNode(signed)).toBe(isRight);
    }
  });

  it('rejects a commitment in a non-canonical encoding', () => {
    const secret = 123_456_789n;
    const own = bytesOf(Point.BASE.multiply(secret));
    for (const commitment of [notCanonical[1]!, withSign(notCanonical[1]!)]) {
      const unusual = signWith(secret, own, 0n, commitment, digestOf(0));
      expect([verdictOf(unusual), isRightByNode(unusual)]).toEqual(['wrong', false]);
    }
  });
});

describe('checkOne, unlike node:crypto of Node.js 20,', () => {
  it('rejects a key of small order, which needs no private key to sign', () => {
    let taken = 0;
    const keys = [...smallOrder.map(bytesOf), ...notCanonical, ...notCanonical.map(withSign)];
    for (const key of keys) {
      for (let digest = 0; digest < 16; digest++) {
        const forged = signWith(0n, key, 1n, bytesOf(Point.BASE), digestOf(digest));
        if (isRightByNode(forged)) taken++;
        expect({ key: key.toString('hex'), verdict: verdictOf(forged) }).toEqual({
          key: key.toString('hex'),
          verdict: 'wrong',
        });
        if (digest === 0) expect(verdictOf(forged, true)).toBe('weakKey');
      }
    }
    expect(taken > 0).toBe(nodeAcceptsSmallOrder);
  });

  it('rejects a new key with a part of small order', () => {
    const secret = 123_456_789n;
    for (const part of smallOrder.slice(1)) {
      const key = bytesOf(Point.BASE.multiply(secret).add(part));
      expect(verdictOf(signWith(secret, key, 7n, bytesOf(Point.BASE.multiply(7n)), digestOf(0)), true)).toBe(
        'weakKey',
      );
    }
  });

  it('rejects a commitment of small order, even when the owner signed it', () => {
    const secret = 123_456_789n;
    const key = bytesOf(Point.BASE.multiply(secret));
    const signed = signWith(secret, key, 0n, bytesOf(Point.ZERO), digestOf(0));
    expect(isRightByNode(signed)).toBe(nodeAcceptsSmallOrder);
    expect(verdictOf(signed)).toBe('wrong');
  });
});
