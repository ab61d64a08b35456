import { canonicalTxHash, isTxHash, txHashShape } from './tx-hash';

describe('canonicalTxHash', () => {
  it.each([
    ['an EVM hash', `0x${'AB'.repeat(32)}`, `0x${'ab'.repeat(32)}`],
    ['a hash without 0x', 'AB'.repeat(32), 'ab'.repeat(32)],
  ])('converts %s to lower case', (_name, text, canonical) => {
    expect(canonicalTxHash(text)).toBe(canonical);
  });

  it.each([
    ['base64', 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJ8='],
    ['base64 for URLs', '_-3vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJ8='],
  ])('converts %s of a TON transaction to hexadecimal', (_name, text) => {
    expect(canonicalTxHash(text)).toBe(Buffer.from(text, 'base64url').toString('hex'));
    expect(isTxHash({ family: 'ton' }, canonicalTxHash(text))).toBe(true);
  });

  it.each([
    ['base58', '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'],
    ['base64 of 31 bytes', 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeA=='],
    ['any other text', 'Not A Hash'],
  ])('leaves %s unchanged', (_name, text) => {
    expect(canonicalTxHash(text)).toBe(text);
  });
});

describe('isTxHash', () => {
  it('accepts 0x and 64 lower-case digits on an EVM chain', () => {
    expect(isTxHash({ family: 'evm' }, `0x${'ab'.repeat(32)}`)).toBe(true);
  });

  it.each([
    ['upper-case digits', `0x${'AB'.repeat(32)}`],
    ['no 0x', 'ab'.repeat(32)],
    ['too few digits', `0x${'ab'.repeat(31)}`],
    ['too many digits', `0x${'ab'.repeat(33)}`],
  ])('rejects a text with %s on an EVM chain', (_name, text) => {
    expect(isTxHash({ family: 'evm' }, text)).toBe(false);
  });

  const signature =
    '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
  const digest = '7Xc2nPDnTFcS4TGNpyQqY6gzNaFr3ZnVWLRHBzvrAKwt';

  it.each([
    ['ton', 'ab'.repeat(32)],
    ['tron', 'ab'.repeat(32)],
    ['solana', signature],
    // Zero bytes are short in base58.
    ['solana', '1'.repeat(64)],
    ['sui', digest],
    ['sui', '1'.repeat(32)],
  ] as const)('accepts a hash of %s: %s', (family, text) => {
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
  ] as const)('rejects a text of another form on %s: %s', (family, text) => {
    expect(isTxHash({ family }, text)).toBe(false);
  });

  it('accepts any text for a family without hash validation', () => {
    expect([txHashShape({ family: 'near' }), isTxHash({ family: 'near' }, 'x')]).toEqual([null, true]);
  });
});
