import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { countryNames } from '../fivesim/names';
import { countryOfNumber, numberOfCountry } from '../sms-activate/countries';
import { readCountry } from './countries';

describe('readCountry', () => {
  it.each([
    [1, 'US'],
    [7, 'RU'],
    [39, 'IT'],
    [44, 'GB'],
    [61, 'AU'],
    [86, 'CN'],
    [380, 'UA'],
    ['CA', 'CA'],
    ['kz', 'KZ'],
    ['gB', 'GB'],
  ])('reads %j as %s', (given, country) => {
    expect(readCountry(given)).toBe(country);
  });

  it.each([0, 16, 187, 800, 881, 999, 1_242, 1.5, -1, NaN, 'UK', 'ZZ', 'GBR', '44', ''])(
    'rejects %j',
    (given) => {
      expect(readCountry(given)).toBeUndefined();
    },
  );

  it('maps every calling code to one country with that code', () => {
    for (const country of getCountries()) {
      const code = Number(getCountryCallingCode(country));
      const main = readCountry(code)!;
      expect(getCountryCallingCode(main)).toBe(String(code));
      const sharing = getCountries().filter((it) => getCountryCallingCode(it) === String(code));
      // The table defines the main country of a shared code, not the order of a list.
      if (sharing.length > 1) expect([code, main]).toEqual([code, mainOf[code]]);
    }
  });
});

const mainOf: Record<number, string> = {
  1: 'US',
  7: 'RU',
  39: 'IT',
  44: 'GB',
  47: 'NO',
  61: 'AU',
  212: 'MA',
  262: 'RE',
  290: 'SH',
  358: 'FI',
  590: 'GP',
  599: 'CW',
};

describe('Country numbers of sms-activate', () => {
  it.each([
    [0, 'RU'],
    [1, 'UA'],
    [6, 'ID'],
    [16, 'GB'],
    [22, 'IN'],
    [36, 'CA'],
    [43, 'DE'],
    [73, 'BR'],
    [86, 'IT'],
    [117, 'PT'],
    [175, 'AU'],
    [187, 'US'],
    [196, 'SG'],
    [200, 'LI'],
  ] as const)('maps %d and %s to each other', (number, country) => {
    expect([countryOfNumber(number), numberOfCountry(country)]).toEqual([country, number]);
  });

  it('maps each number to one country, and only the USA to two numbers', () => {
    const all = Array.from({ length: 201 }, (_, number) => countryOfNumber(number)!);
    expect(all.filter((country) => readCountry(country) !== country)).toEqual([]);
    expect(all.filter((country, at) => all.indexOf(country) !== at)).toEqual(['US']);
    expect([countryOfNumber(12), countryOfNumber(201), countryOfNumber(NaN)]).toEqual([
      'US',
      undefined,
      undefined,
    ]);
    expect(numberOfCountry('FO')).toBeUndefined();
  });
});

it('maps one 5sim name to each country', () => {
  expect(new Set(countryNames.values()).size).toBe(countryNames.size);
  expect([...countryNames.keys()].filter((country) => readCountry(country) !== country)).toEqual([]);
  expect(countryNames.get('GB')).toBe('england');
});
