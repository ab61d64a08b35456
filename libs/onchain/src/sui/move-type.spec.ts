import { BcsReader, BcsWriter } from './bcs';
import { canonicalMoveType, parseMoveType, readMoveType, writeMoveType } from './move-type';

const encode = (text: string): Uint8Array => {
  const writer = new BcsWriter();
  writeMoveType(parseMoveType(text), writer);
  return writer.bytes;
};

describe('readMoveType', () => {
  it.each([
    'u8',
    'vector<vector<address>>',
    '0x2::sui::SUI',
    '0x2::coin::Coin<0x2::sui::SUI>',
    '0x5::pool::Pool<u256, vector<bool>, 0x7::a::B<u64>>',
  ])('decodes %s from the bytes of writeMoveType', (text) => {
    const reader = new BcsReader(encode(text));
    expect(readMoveType(reader)).toBe(canonicalMoveType(text));
    reader.end();
  });

  it('rejects a signer and an unknown variant', () => {
    for (const variant of [5, 11, 200])
      expect(() => readMoveType(new BcsReader(Uint8Array.of(variant, 1)))).toThrow();
  });

  it('rejects types that are nested too deeply', () => {
    const vectors = new Uint8Array(100_000).fill(6);
    expect(() => readMoveType(new BcsReader(vectors))).toThrow('nested too deeply');
  });

  it('rejects malformed names', () => {
    const writer = new BcsWriter().length(7).address('0x2').text('sui').text('SUI>; drop').length(0);
    expect(() => readMoveType(new BcsReader(writer.bytes))).toThrow('Not a type of Move');
  });
});
