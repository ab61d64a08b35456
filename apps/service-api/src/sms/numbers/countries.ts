import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  type CountryCode,
} from 'libphonenumber-js/max';

/** A country as its two letters of ISO 3166-1, which is the stored form. */
export type Country = CountryCode;

/** The main country of each calling code that several countries share. Clients specify the others by their letters. */
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
 * Reads a country from its calling code, or from its letters in any case.
 * @returns undefined for a code without a country, such as that of a satellite network
 */
export function readCountry(given: number | string): Country | undefined {
  if (typeof given === 'number') return byCallingCode.get(String(given));
  const letters = given.toUpperCase();
  return isSupportedCountry(letters) ? letters : undefined;
}
