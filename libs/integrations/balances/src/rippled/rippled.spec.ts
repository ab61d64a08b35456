import { UnreadableReply } from '@tollbridge/http';
import { issuedAmount, readLine } from './rippled.wire';

// https://xrpl.org/docs/references/protocol/data-types/currency-formats#string-formatting
it.each([
  ['0', 6, 0n],
  ['12.5', 6, 12_500_000n],
  ['1111111111111111e80', 0, 1_111_111_111_111_111n * 10n ** 80n],
  ['1e-7', 6, 0n],
  ['1.9999999', 6, 1_999_999n],
  ['9.5E2', 2, 95_000n],
  // The wallet owes this amount to the issuer.
  ['-12.5', 6, 0n],
])('parses %s with %i decimals', (text, decimals, amount) => {
  expect(issuedAmount(text, decimals)).toBe(amount);
});

it.each(['', '.5', '1.', 'NaN', '0x10', '1e', '1e9999', ' 1'])('throws for "%s"', (text) => {
  expect(() => issuedAmount(text, 6)).toThrow(UnreadableReply);
});

const account = 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59';
const line = { account: 'rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De', balance: '7.25', currency: 'USD', limit: '0' };
const rlusd = '524C555344000000000000000000000000000000';
const reply = (rest: object) => ({ result: { account, status: 'success', ...rest } });

it('finds a currency of an issuer, with a short code or as 20 bytes', () => {
  const lines = reply({ lines: [line, { ...line, currency: rlusd, balance: '1.5', freeze_peer: true }] });
  expect(readLine(lines, account, 'USD', 6)).toEqual({ amountAtomic: 7_250_000n, lockedAtomic: 0n });
  expect(readLine(lines, account, 'RLUSD', 6)).toEqual({
    amountAtomic: 1_500_000n,
    lockedAtomic: 1_500_000n,
  });
  expect(readLine(lines, account, 'EUR', 6)).toEqual({ amountAtomic: 0n });
});

it('reads a missing account as empty, and rejects a second page or another account', () => {
  const gone = { result: { error: 'actNotFound', status: 'error' } };
  expect(readLine(gone, account, 'USD', 6).amountAtomic).toBe(0n);
  expect(() => readLine(reply({ lines: [line], marker: 'x' }), account, 'USD', 6)).toThrow(UnreadableReply);
  expect(() => readLine(reply({ lines: [line] }), line.account, 'USD', 6)).toThrow(UnreadableReply);
  expect(() => readLine({ result: { error: 'noNetwork', status: 'error' } }, account, 'USD', 6)).toThrow(
    'rejected',
  );
});
