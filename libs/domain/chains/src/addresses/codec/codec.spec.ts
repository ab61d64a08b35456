import fc from 'fast-check';
import { decodeBase58, decodeBase58Check, decodeXrpBase58Check, encodeXrpBase58Check } from './base58';
import { bech32Payload, bytesOfWords, decodeBech32 } from './bech32';
import { decodeCashaddr, encodeCashaddr } from './cashaddr';
import { crc16, crc32 } from './crc';

const hex = (text: string) => Buffer.from(text, 'hex');
const ascii = (text: string) => Buffer.from(text, 'ascii');
const anyBytes = fc.uint8Array({ maxLength: 64 });

describe('base58', () => {
  // draft-msporny-base58, section 5, and the examples of Bitcoin Core.
  const encodings: [Buffer, string][] = [
    [ascii('Hello World!'), '2NEpo7TZRRrLZSi2U'],
    [
      ascii('The quick brown fox jumps over the lazy dog.'),
      'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
    ],
    [hex('0000287fb4cd'), '11233QC4'],
    [hex(''), ''],
    [hex('00'), '1'],
    [hex('00000000'), '1111'],
    [hex('61'), '2g'],
  ];
  it.each(encodings)('decodes %p from %p', (bytes, text) => {
    expect(Buffer.from(decodeBase58(text) ?? [255])).toEqual(bytes);
  });

  it.each(['0', 'O', 'I', 'l', 'abc def', 'abc!', 'é'])('rejects %p', (text) => {
    expect(decodeBase58(text)).toBeUndefined();
  });

  it('decodes all encoded bytes with the checksum, in the alphabet of the XRP Ledger', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(decodeXrpBase58Check(encodeXrpBase58Check(bytes))).toEqual(bytes);
      }),
    );
  });

  it('rejects a payload with a wrong checksum', () => {
    expect(decodeBase58Check('1111111111111111111114oLvT2')).toEqual(new Uint8Array(21));
    expect(decodeBase58Check('1111111111111111111114oLvT3')).toBeUndefined();
    expect(decodeBase58Check('1111')).toBeUndefined();
  });
});

describe('bech32 and bech32m', () => {
  // Test vectors of BIP 173 and BIP 350.
  const valid: [string, 'bech32' | 'bech32m'][] = [
    ['A12UEL5L', 'bech32'],
    ['an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs', 'bech32'],
    ['abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw', 'bech32'],
    ['split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w', 'bech32'],
    ['?1ezyfcl', 'bech32'],
    ['A1LQFN3A', 'bech32m'],
    ['abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx', 'bech32m'],
    ['split1checkupstagehandshakeupstreamerranterredcaperredlc445v', 'bech32m'],
    ['?1v759aa', 'bech32m'],
  ];
  it.each(valid)('decodes %s as %s', (text, variant) => {
    expect(decodeBech32(text, variant)).toBeDefined();
    expect(decodeBech32(text, variant === 'bech32' ? 'bech32m' : 'bech32')).toBeUndefined();
  });

  const invalid: [string, string][] = [
    ['no separator', 'pzry9x0s0muk'],
    ['an empty prefix', '1pzry9x0s0muk'],
    ['a foreign character', 'x1b4n0q5v'],
    ['a checksum that is too short', 'li1dgmt3'],
    ['mixed case', 'A12uEL5L'],
    ['a checksum of the upper-case prefix', 'A1G7SGD8'],
    ['a wrong character', 'split1checkupstagehandshakeupstreamerranterredcaperred2y9e2w'],
    ['nothing', ''],
  ];
  it.each(invalid)('rejects %s', (_name, text) => {
    expect(decodeBech32(text, 'bech32')).toBeUndefined();
    expect(decodeBech32(text, 'bech32m')).toBeUndefined();
  });

  const payloadLengths: [string, 'bech32' | 'bech32m', string, number][] = [
    ['A12UEL5L', 'bech32', 'a', 0],
    ['abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw', 'bech32', 'abcdef', 20],
    ['abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx', 'bech32m', 'abcdef', 20],
  ];
  it.each(payloadLengths)(
    'decodes %s as %s with prefix %s to a payload of %i bytes',
    (text, variant, prefix, length) => {
      expect(bech32Payload(text, variant, prefix)).toHaveLength(length);
    },
  );

  it('distinguishes variants and prefixes', () => {
    const text = 'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw';
    expect(bech32Payload(text, 'bech32m', 'abcdef')).toBeUndefined();
    expect(bech32Payload(text, 'bech32', 'abcdeg')).toBeUndefined();
  });
});

describe('bytesOfWords', () => {
  it('keeps the order of the bits', () => {
    expect(bytesOfWords([0b11111, 0b00010, 0b10000, 0b00000])).toEqual(Uint8Array.of(0b11111000, 0b10100000));
  });

  it.each([
    ['a bit in the padding', [0b11111, 0b00001]],
    ['a whole group of padding', [0b11111, 0b11100, 0]],
  ])('rejects %s, because one payload would have two spellings', (_name, groups) => {
    expect(bytesOfWords(groups)).toBeUndefined();
  });
});

describe('cashaddr', () => {
  // Vectors of the published specification: a 20-byte payload with two types.
  const payload = '76a04053bda0a88bda5177b86a15c3b29f559873';
  const vectors: [string, string][] = [
    [`00${payload}`, 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    [`08${payload}`, 'ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
  ];
  it.each(vectors)('converts %s to %s and back', (bytes, text) => {
    expect(encodeCashaddr('bitcoincash', hex(bytes))).toBe(text);
    expect(Buffer.from(decodeCashaddr('bitcoincash', text) ?? [])).toEqual(hex(bytes));
  });

  it('includes the prefix in the checksum', () => {
    expect(decodeCashaddr('bchtest', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a')).toBeUndefined();
  });

  it('decodes all encoded bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 65 }), (bytes) => {
        expect(decodeCashaddr('bitcoincash', encodeCashaddr('bitcoincash', bytes))).toEqual(bytes);
      }),
    );
  });
});

describe('cyclic redundancy checks', () => {
  // The check values of both algorithms from the CRC catalogue.
  it('compute the catalogue values of "123456789"', () => {
    expect(crc16(ascii('123456789'))).toBe(0x31c3);
    expect(crc32(ascii('123456789'))).toBe(0xcbf43926);
  });
});
