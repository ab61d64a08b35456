import { type Chain, chains, findChain } from '../registry';
import { destinationOf, memoProblem } from '.';

const chainOf = (id: string): Chain => {
  const chain = findChain(id);
  if (!chain) {
    throw new Error(`no chain ${id}`);
  }
  return chain;
};

describe('memoProblem', () => {
  it.each(chains)('accepts a number as a memo on $id if the chain uses memos', (chain) => {
    const problem = memoProblem(chain, '123456');
    expect(problem).toBe(
      chain.usesMemo ? undefined : `payments on ${chain.name} do not support a memo: omit it`,
    );
    expect(memoProblem(chain, '')).toBeDefined();
  });

  const good: [string, string][] = [
    ['xrp', '0'],
    ['xrp', '4294967295'],
    ['stellar', 'order 17, thank you'],
    // The largest id, and a text of 28 bytes in two-byte letters.
    ['stellar', '18446744073709551615'],
    ['stellar', 'é'.repeat(14)],
    ['ton', 'a'.repeat(123)],
    ['ton', 'заказ № 5'],
  ];
  it.each(good)('accepts a memo on %s: %p', (id, memo) => {
    expect(memoProblem(chainOf(id), memo)).toBeUndefined();
  });

  const bad: [string, string, RegExp][] = [
    ['xrp', '4294967296', /whole number from 0 to 4294967295/],
    ['xrp', '99999999999', /whole number/],
    ['xrp', '-1', /whole number/],
    ['xrp', '1.0', /whole number/],
    ['xrp', '1e3', /whole number/],
    ['xrp', '0x10', /whole number/],
    ['xrp', '007', /without leading zeros/],
    ['xrp', ' 7', /whole number/],
    ['xrp', '7\n', /whole number/],
    ['xrp', '٣', /whole number/],
    ['xrp', 'order 17', /whole number/],
    ['stellar', 'a'.repeat(29), /at most 28 bytes/],
    ['stellar', 'é'.repeat(15), /at most 28 bytes/],
    // A hash memo is a different field of the transaction. As a text memo it is too long.
    ['stellar', 'ab'.repeat(32), /at most 28 bytes/],
    ['stellar', ' 17', /cannot be seen, or a space/],
    ['stellar', '17\u200b', /cannot be seen/],
    ['stellar', '17\0', /cannot be seen/],
    ['ton', 'a'.repeat(124), /at most 123 bytes/],
    ['ton', 'a\nb', /cannot be seen/],
    ['ton', '\ud800', /cannot be seen/],
    ['near', '17', /NEAR do not support a memo/],
  ];
  it.each(bad)('rejects a memo on %s: %p', (id, memo, problem) => {
    expect(memoProblem(chainOf(id), memo)).toMatch(problem);
  });
});

describe('destinationOf', () => {
  // Vectors of ripple-address-codec: one account without a tag, and with two tags.
  const account = 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59';
  const vectors: [string, string | null][] = [
    [account, null],
    ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ', null],
    ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu', '1'],
    ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaLFuhLRuNXPrDeJd9A', '11747'],
  ];
  it.each(vectors)('reads the destination of %s with the tag %p', (text, memo) => {
    expect(destinationOf(chainOf('xrp'), text)).toEqual({ address: account, memo });
  });

  it('reads the tag of a test network address', () => {
    expect(
      destinationOf(
        { ...chainOf('xrp'), isTestnet: true },
        'T719a5UwUCnEs54UsxG9CJYYDhwmFCvbJNZbi37gBGkRkbE',
      ),
    ).toEqual({ address: 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', memo: '1' });
  });

  it('returns other addresses in their canonical form', () => {
    expect(destinationOf(chainOf('ton'), 'EQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFVya')).toEqual({
      address: 'UQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFQFf',
      memo: null,
    });
  });

  it('returns undefined for a text that is not an address of the chain', () => {
    expect(destinationOf(chainOf('xrp'), 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk58')).toBeUndefined();
    expect(destinationOf(chainOf('base'), account)).toBeUndefined();
  });
});
