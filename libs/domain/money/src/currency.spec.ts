import fc from 'fast-check';
import { currencyCodes, currencyDigits, isPriceText, priceText } from './currency';

const anyCode = fc.constantFrom(...currencyCodes);

describe('currencyDigits', () => {
  it.each([
    ['EUR', 2],
    ['USD', 2],
    ['JPY', 0],
    ['CLP', 0],
    ['ISK', 0],
    ['XOF', 0],
    ['KWD', 3],
    ['IQD', 3],
    ['TND', 3],
    ['UYW', 4],
    ['MGA', 2],
    ['XCG', 2],
    ['ZWG', 2],
  ])('returns for %s %i digits', (code, digits) => {
    expect(currencyDigits(code)).toBe(digits);
  });

  it.each([
    ['a withdrawn currency', ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL', 'DEM']],
    ['a precious metal', ['XAU', 'XAG', 'XPD', 'XPT']],
    ['a fund', ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'XAD']],
    ['a unit of account of banks', ['XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XSU', 'XUA']],
    ['a code for tests', ['XTS', 'XXX']],
    [
      'another text',
      ['', 'eur', 'EUR ', ' EUR', 'EU', 'EURO', 'BTC', 'toString', 'constructor', '__proto__'],
    ],
  ])('returns undefined for %s', (_kind, codes) => {
    expect(codes.map(currencyDigits)).toEqual(codes.map(() => undefined));
  });
});

describe('currencyCodes', () => {
  it('lists every active currency once, sorted', () => {
    expect(currencyCodes).toHaveLength(156);
    expect([...new Set(currencyCodes)].sort()).toEqual(currencyCodes);
    expect(currencyCodes.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
  });

  it('has 16 currencies without minor digits, 7 with three and one with four', () => {
    const count = (digits: number) => currencyCodes.filter((code) => currencyDigits(code) === digits).length;
    expect([0, 1, 2, 3, 4].map(count)).toEqual([16, 0, 132, 7, 1]);
  });
});

describe('isPriceText and priceText', () => {
  it.each([
    ['49.9', 'EUR', '49.90'],
    ['49.90', 'EUR', '49.90'],
    ['49', 'EUR', '49.00'],
    ['0.01', 'EUR', '0.01'],
    ['500', 'JPY', '500'],
    ['1.5', 'KWD', '1.500'],
    ['0.0001', 'UYW', '0.0001'],
    ['999999999999999.99', 'USD', '999999999999999.99'],
  ])('accept %s %s and format it as %s', (amount, code, text) => {
    expect(isPriceText(amount, code)).toBe(true);
    expect(priceText(amount, code)).toBe(text);
  });

  const rejected: [string, string, string, string][] = [
    ['zero', '0', 'EUR', 'above 0'],
    ['zero with digits', '0.00', 'EUR', 'above 0'],
    ['a third digit of a cent', '1.999', 'EUR', 'at most 2 digits'],
    ['a third digit that is zero', '1.990', 'EUR', 'at most 2 digits'],
    ['a fraction of a yen', '1.0', 'JPY', 'at most 0 digits'],
    ['16 digits before the point', '1000000000000000', 'EUR', 'at most 15 digits'],
    ['a negative price', '-1', 'EUR', 'plain decimal'],
    ['a plus sign', '+1', 'EUR', 'plain decimal'],
    ['an exponent', '1e3', 'EUR', 'plain decimal'],
    ['a comma', '1,50', 'EUR', 'plain decimal'],
    ['a leading zero', '01.50', 'EUR', 'plain decimal'],
    ['no digit before the point', '.50', 'EUR', 'plain decimal'],
    ['no digit after the point', '1.', 'EUR', 'plain decimal'],
    ['a space', ' 1', 'EUR', 'plain decimal'],
    ['a line break', '1\n', 'EUR', 'plain decimal'],
    ['other digits', '١', 'EUR', 'plain decimal'],
    ['an empty text', '', 'EUR', 'plain decimal'],
    ['a symbol', '€1', 'EUR', 'plain decimal'],
    ['an unknown currency', '1', 'BTC', 'ISO 4217'],
    ['a currency in lower case', '1', 'eur', 'ISO 4217'],
  ];
  it.each(rejected)('reject %s', (_case, amount, code, reason) => {
    expect(isPriceText(amount, code)).toBe(false);
    expect(() => priceText(amount, code)).toThrow(RangeError);
    expect(() => priceText(amount, code)).toThrow(reason);
  });

  it.each([[1], [1n], [null], [undefined], [['1']]])('reject %p, which is not a text', (value) => {
    expect(isPriceText(value, 'EUR')).toBe(false);
  });

  it('accept each amount of minor units of each currency, and format it once', () => {
    fc.assert(
      fc.property(anyCode, fc.bigInt({ min: 1n, max: 10n ** 15n }), (code, minorUnits) => {
        const digits = currencyDigits(code)!;
        const text = minorUnits.toString().padStart(digits + 1, '0');
        const price = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
        if (digits > 0 || minorUnits < 10n ** 15n) expect(isPriceText(price, code)).toBe(true);
        if (!isPriceText(price, code)) return;
        expect(priceText(price, code)).toBe(price);
        const short = price.includes('.') ? price.replace(/\.?0+$/, '') : price;
        expect(priceText(short, code)).toBe(price);
      }),
    );
  });
});
