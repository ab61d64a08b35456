import { Decimal } from './decimal';

const of = (text: string) => Decimal.of(text);

describe('Decimal', () => {
  it.each(['0', '1', '1.08654', '0.000038', '999999999999999.99999'])(
    'prints the text that it parsed: %s',
    (text) => {
      expect(of(text).text).toBe(text);
    },
  );

  it.each(['', '-1', '+1', '1e3', '1.', '.5', '01', '0x1', '1,5', ' 1', 'NaN'])('rejects %j', (text) => {
    expect(() => of(text)).toThrow(RangeError);
  });

  it('computes without losing a digit', () => {
    expect(of('0.1').plus(of('0.2')).text).toBe('0.3');
    expect(of('33.33').times(of('0.005')).text).toBe('0.16665');
    expect(of('7.77').times(of('1.08654')).text).toBe('8.4424158');
    expect(of('1').minus(of('0.9')).text).toBe('0.1');
    expect(of('1').minus(of('2')).isZero).toBe(true);
    expect(of('2.5').percent.text).toBe('0.025');
    expect(of('10.10').number).toBe(10.1);
  });

  it('rounds up only when it must', () => {
    expect(of('8.4424158').roundedUp(6).text).toBe('8.442416');
    expect(of('8.442415').roundedUp(6).text).toBe('8.442415');
    expect(of('8.4').roundedUp(6).text).toBe('8.4');
    expect(of('2000').dividedUp(of('1500'), 6).text).toBe('1.333334');
    expect(of('10').dividedUp(of('0.8'), 6).text).toBe('12.5');
  });

  it.each([
    ['1', '1.000', 0],
    ['0.1', '0.10001', -1],
    ['2', '1.99999', 1],
  ])('compares %s with %s: %s', (left, right, expected) => {
    expect(Math.sign(of(left).compare(of(right)))).toBe(expected);
  });
});
