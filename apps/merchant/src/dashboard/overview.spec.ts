import { Decimal } from '@tollbridge/money';
import { decimalsOf, wholeTokensOf } from './overview';

it.each([
  [[], '0'],
  [['0'], '0'],
  [['0.10', '0.20'], '0.3'],
  [['0.1', '0.9'], '1'],
  [['12345678901234567890.5', '0.000000000000000001'], '12345678901234567890.500000000000000001'],
  [['100', '20.5'], '120.5'],
])('Decimal.sum adds %j to %s', (texts, sum) => {
  expect(Decimal.sum(texts).text).toBe(sum);
});

it.each([
  ['0', 6, '0'],
  ['1', 6, '0.000001'],
  ['1500000', 6, '1.5'],
  ['7', 0, '7'],
  ['9'.repeat(90), 18, `${'9'.repeat(72)}.${'9'.repeat(18)}`],
])('wholeTokensOf writes %s with %i decimals as %s', (amount, decimals, text) => {
  expect(wholeTokensOf(amount, decimals)).toBe(text);
});

it('decimalsOf returns the decimals of a token on its chain', () => {
  expect([decimalsOf('eip155:8453', 'USDC'), decimalsOf('eip155:56', 'USDC')]).toEqual([6, 18]);
  expect([decimalsOf('eip155:8453', 'NOSUCH'), decimalsOf('nowhere', 'USDC')]).toEqual([
    undefined,
    undefined,
  ]);
});
