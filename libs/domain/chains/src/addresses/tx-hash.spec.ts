import { canonicalTxHash } from './tx-hash';

describe('canonicalTxHash', () => {
  it.each([
    ['an EVM hash', `0x${'AB'.repeat(32)}`, `0x${'ab'.repeat(32)}`],
    ['a hash without 0x', 'AB'.repeat(32), 'ab'.repeat(32)],
  ])('writes %s in lower case', (_name, text, canonical) => {
    expect(canonicalTxHash(text)).toBe(canonical);
  });

  it.each([
    ['base58', '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'],
    ['base64', 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA='],
    ['any other text', 'Not A Hash'],
  ])('leaves %s as it is', (_name, text) => {
    expect(canonicalTxHash(text)).toBe(text);
  });
});
