import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  type CountryCode,
} from 'libphonenumber-js/max';

/** A country by its two letters in ISO 3166-1, as this product stores it. */
export type Country = CountryCode;

/** The main country of each calling code that several countries share. A client names the others by their letters. */
const mainCountries: Readonly<Record<string, Country>> = {
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

const byCallingCode: ReadonlyMap<string, Country> = new Map([
  ...getCountries().map((country) => [getCountryCallingCode(country), country] as [string, Country]),
  ...Object.entries(mainCountries),
]);

/**
 * The country that a client names by its calling code, or by its letters in any case.
 * @returns undefined for a code that no country has, such as that of a satellite network
 */
export function readCountry(given: number | string): Country | undefined {
  if (typeof given === 'number') return byCallingCode.get(String(given));
  const letters = given.toUpperCase();
  return isSupportedCountry(letters) ? letters : undefined;
}
