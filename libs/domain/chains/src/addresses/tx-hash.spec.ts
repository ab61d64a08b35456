import { canonicalTxHash, isTxHash, txHashShape } from './tx-hash';

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

describe('isTxHash', () => {
  it('takes 0x and 64 lower-case digits for a transaction of an EVM chain', () => {
    expect(isTxHash({ family: 'evm' }, `0x${'ab'.repeat(32)}`)).toBe(true);
  });

  it.each([
    ['upper-case digits', `0x${'AB'.repeat(32)}`],
    ['no 0x', 'ab'.repeat(32)],
    ['too few digits', `0x${'ab'.repeat(31)}`],
    ['too many digits', `0x${'ab'.repeat(33)}`],
  ])('takes no text with %s for a transaction of an EVM chain', (_name, text) => {
    expect(isTxHash({ family: 'evm' }, text)).toBe(false);
  });

  it('takes any text where hashes of the family are not validated', () => {
    expect([txHashShape({ family: 'near' }), isTxHash({ family: 'near' }, 'x')]).toEqual([null, true]);
  });
});
