import { validateAmount, valueUsd } from './amounts';
import { Decimal } from '@tollbridge/money';

const of = (text: string) => Decimal.of(text);

describe('validateAmount', () => {
  const choice = { fixed: [of('10'), of('25')], min: null, max: null };
  it.each([
    ['10.00', undefined],
    ['11', 'must be one of 10, 25'],
  ])('accepts only amounts of the list: %s', (amount, message) => {
    expect(validateAmount('amount', of(amount), choice)?.message).toBe(message);
  });

  it.each([
    ['1', undefined],
    ['50', undefined],
    ['0.99999', 'must be from 1 to 50'],
    ['50.00001', 'must be from 1 to 50'],
  ])('accepts only amounts within the range: %s', (amount, message) => {
    const range = { fixed: [], min: of('1'), max: of('50') };
    expect(validateAmount('amount', of(amount), range)?.message).toBe(message);
  });

  it('rejects every amount without a range, and shortens a long list', () => {
    expect(validateAmount('a', of('1'), { fixed: [], min: null, max: of('5') })?.message).toMatch(
      /publishes no range/,
    );
    const many = Array.from({ length: 30 }, (_, index) => of(String(index + 1)));
    expect(validateAmount('a', of('99'), { fixed: many, min: null, max: null })?.message).toMatch(/ 20, …$/);
  });
});

describe('valueUsd', () => {
  it('rounds dollars up to a millionth, and ignores other currencies', () => {
    expect(valueUsd(of('1.0000001'), 'USD')).toBe('1.000001');
    expect([valueUsd(of('1'), 'EUR'), valueUsd(null, 'USD'), valueUsd(of('1'), null)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
