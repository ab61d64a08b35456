import fc from 'fast-check';
import { maxAmount } from './amount';
import { Decimal, decimalNumber, decimalText, isDecimalText } from './decimal';

const of = (text: string) => Decimal.of(text);

describe('decimalText', () => {
  it.each([
    [1, '1'],
    [0, '0'],
    [1.5, '1.5'],
    [96_500.25, '96500.25'],
    [6.2e-7, '0.00000062'],
    [1e21, '1000000000000000000000'],
  ])('converts %p to %s', (value, text) => {
    expect(decimalText(value)).toBe(text);
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [-1], ['1'], [null], [undefined], [1e40]])(
    'returns undefined for %p',
    (value) => expect(decimalText(value)).toBeUndefined(),
  );
});

describe('isDecimalText', () => {
  it.each(['', '.5', '1.', '01', '-1', '+1', '1e3', ' 1', '1,000', '1\n'])('rejects the text %j', (text) => {
    expect(isDecimalText(text)).toBe(false);
  });
});

describe('isDecimalText for other types', () => {
  it.each([[1], [12.5], [null], [undefined], [['1']]])('rejects %p', (value) => {
    expect(isDecimalText(value)).toBe(false);
  });
});

describe('decimalNumber', () => {
  it('returns the number of a decimal text', () => {
    expect([decimalNumber('1.5'), decimalNumber('0')]).toEqual([1.5, 0]);
  });
});

describe('Decimal', () => {
  it.each(['0', '1', '1.08654', '0.000038', '999999999999999.99999', `${maxAmount}.${'1'.repeat(36)}`])(
    'prints the text that was parsed: %s',
    (text) => {
      expect(of(text).text).toBe(text);
    },
  );

  it.each(['', '-1', '+1', '1e3', '1.', '.5', '01', '0x1', '1,5', ' 1', '1\n', 'NaN', 'Infinity'])(
    'throws a RangeError for %j',
    (text) => {
      expect(() => of(text)).toThrow(RangeError);
    },
  );

  it('repeats at most 40 characters of an invalid text in its error', () => {
    expect(() => of('x'.repeat(1_000))).toThrow(/^not a decimal: x{40}$/);
  });

  it('adds, subtracts and multiplies without losing a digit', () => {
    expect(of('0.1').plus(of('0.2')).text).toBe('0.3');
    expect(of('33.33').times(of('0.005')).text).toBe('0.16665');
    expect(of('7.77').times(of('1.08654')).text).toBe('8.4424158');
    expect(of('1').minus(of('0.9')).text).toBe('0.1');
    expect(of('1').minus(of('2')).isZero).toBe(true);
    expect(of('2.5').percent.text).toBe('0.025');
    expect(of('0').percent.text).toBe('0');
    expect(of('10.10').number).toBe(10.1);
  });

  it('rounds up only when a digit is cut off', () => {
    expect(of('8.4424158').roundedUp(6).text).toBe('8.442416');
    expect(of('8.442415').roundedUp(6).text).toBe('8.442415');
    expect(of('8.4').roundedUp(6).text).toBe('8.4');
    expect(of('2000').dividedUp(of('1500'), 6).text).toBe('1.333334');
    expect(of('10').dividedUp(of('0.8'), 6).text).toBe('12.5');
  });

  it('rounds down', () => {
    expect(of('8.4424158').roundedDown(6).text).toBe('8.442415');
    expect(of('2000').dividedDown(of('1500'), 6).text).toBe('1.333333');
    expect(of('1234.5678').significantDown(6).text).toBe('1234.56');
    expect(of('0.0001234').significantDown(2).text).toBe('0.00012');
    expect(of('1234567.8').significantDown(3).text).toBe('1234567');
    expect(of('123.4').significantDown(2).text).toBe('123');
    expect(of('123.4').significantDown(3).text).toBe('123');
  });

  it.each([
    ['1', '1.000', 0],
    ['0.1', '0.10001', -1],
    ['2', '1.99999', 1],
  ])('compares %s with %s as %s', (left, right, expected) => {
    expect(Math.sign(of(left).compare(of(right)))).toBe(expected);
  });

  it('sums plain decimals exactly', () => {
    const millionths = fc.bigInt({ min: 0n, max: 10n ** 30n });
    fc.assert(
      fc.property(fc.array(millionths), (amounts) => {
        const texts = amounts.map((amount) => Decimal.fromAtomic(amount, 6).text);
        expect(Decimal.sum(texts).toAtomicDown(6)).toBe(amounts.reduce((sum, amount) => sum + amount, 0n));
      }),
    );
  });

  it('converts every amount to whole tokens and back', () => {
    const decimals = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: maxAmount }), decimals, (amount, places) => {
        expect(Decimal.fromAtomic(amount, places).toAtomicDown(places)).toBe(amount);
        expect(Decimal.fromAtomic(amount, places).toAtomicUp(places)).toBe(amount);
      }),
    );
  });

  it('rounds an amount with too many digits in the direction of the method name', () => {
    expect(of('1.0000001').toAtomicDown(6)).toBe(1_000_000n);
    expect(of('1.0000001').toAtomicUp(6)).toBe(1_000_001n);
  });
});
