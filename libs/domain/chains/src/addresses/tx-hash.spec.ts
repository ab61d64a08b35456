import { canonicalTxHash, isTxHash, txHashShape } from './tx-hash';

describe('canonicalTxHash', () => {
  it.each([
    ['an EVM hash', `0x${'AB'.repeat(32)}`, `0x${'ab'.repeat(32)}`],
    ['a hash without 0x', 'AB'.repeat(32), 'ab'.repeat(32)],
  ])('writes %s in lower case', (_name, text, canonical) => {
    expect(canonicalTxHash(text)).toBe(canonical);
  });

  it.each([
    ['base64', 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJ8='],
    ['base64 for URLs', '_-3vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJ8='],
  ])('writes %s of a TON transaction in hexadecimal', (_name, text) => {
    expect(canonicalTxHash(text)).toBe(Buffer.from(text, 'base64url').toString('hex'));
    expect(isTxHash({ family: 'ton' }, canonicalTxHash(text))).toBe(true);
  });

  it.each([
    ['base58', '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'],
    ['base64 of 31 bytes', 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeA=='],
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

  const signature =
    '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
  const digest = '7Xc2nPDnTFcS4TGNpyQqY6gzNaFr3ZnVWLRHBzvrAKwt';

  it.each([
    ['ton', 'ab'.repeat(32)],
    ['tron', 'ab'.repeat(32)],
    ['solana', signature],
    // Bytes of zero are short in base58.
    ['solana', '1'.repeat(64)],
    ['sui', digest],
    ['sui', '1'.repeat(32)],
  ] as const)('takes a hash of %s', (family, text) => {
    expect(isTxHash({ family }, text)).toBe(true);
  });

  it.each([
    ['ton', `0x${'ab'.repeat(32)}`],
    ['tron', 'AB'.repeat(32)],
    ['tron', signature],
    ['solana', digest],
    ['solana', `${signature}1`],
    ['solana', signature.replace('5', '0')],
    ['sui', signature],
    ['sui', '1'.repeat(33)],
  ] as const)('takes no text of another form for a hash of %s: %s', (family, text) => {
    expect(isTxHash({ family }, text)).toBe(false);
  });

  it('takes any text where hashes of the family are not validated', () => {
    expect([txHashShape({ family: 'near' }), isTxHash({ family: 'near' }, 'x')]).toEqual([null, true]);
  });
});
