import fc from 'fast-check';
import { maxAmount, maxTokenAmount, isAmountText, parseAmount } from '.';

it('maxAmount has 256 bits, and maxTokenAmount has 128 bits', () => {
  expect(maxAmount).toBe(BigInt(`0x${'f'.repeat(64)}`));
  expect(maxTokenAmount).toBe(BigInt(`0x${'f'.repeat(32)}`));
});

describe('isAmountText and parseAmount', () => {
  const accepted = ['0', '1', '10', '9007199254740993', maxAmount.toString()];
  it.each(accepted)('accept %s', (text) => {
    expect(isAmountText(text)).toBe(true);
    expect(parseAmount(text).toString()).toBe(text);
  });

  const rejectedTexts: [string, string][] = [
    ['empty', ''],
    ['a space', ' '],
    ['leading and trailing spaces', ' 1 '],
    ['a trailing line break', '1\n'],
    ['a plus sign', '+1'],
    ['a minus sign', '-1'],
    ['minus zero', '-0'],
    ['hexadecimal', '0x10'],
    ['an exponent', '1e18'],
    ['a fraction', '1.0'],
    ['a leading zero', '00012'],
    ['a digit separator', '1_000'],
    ['a thousands comma', '1,000'],
    ['a bigint literal', '1n'],
    ['Arabic-Indic digits', '١٢'],
    ['full-width digits', '１２'],
    ['2^256', (maxAmount + 1n).toString()],
    ['79 digits', '1'.repeat(79)],
    ['ten thousand digits', '9'.repeat(10_000)],
    ['Infinity', 'Infinity'],
    ['NaN', 'NaN'],
  ];
  it.each(rejectedTexts)('reject %s', (_name, text) => {
    expect(isAmountText(text)).toBe(false);
    expect(() => parseAmount(text)).toThrow(RangeError);
  });

  it.each([[1], [1n], [null], [undefined], [['1']], [{}], [true]])(
    'reject %p, which is not a string',
    (value) => {
      expect(isAmountText(value)).toBe(false);
    },
  );

  it('parse every printed amount exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: maxAmount }), (amount) => {
        expect(parseAmount(amount.toString())).toBe(amount);
      }),
    );
  });

  it('accept only the canonical spelling of a number', () => {
    const numberLike = fc.string({ unit: fc.constantFrom(...'0123456789-+.ex _'), maxLength: 12 });
    fc.assert(
      fc.property(numberLike, (text) => {
        const isCanonical = /^[0-9]+$/.test(text) && BigInt(text).toString() === text;
        expect(isAmountText(text)).toBe(isCanonical);
      }),
    );
  });
});
