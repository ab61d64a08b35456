import { DomainError } from '@tollbridge/rpc';
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

export interface Phone {
  /** In E.164 form: `+2348031234567`. */
  international: string;
  /** The number without the plus. */
  digits: string;
}

// Other types cannot be topped up, or charge the caller.
const mobile: readonly (string | undefined)[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];

/** Parses a number that can be topped up. Otherwise returns the invalid field and the expected value. */
export function readPhone(
  number: string,
  country: string,
): { phone: Phone } | { wrong: 'number' | 'country'; message: string } {
  const iso = country.toUpperCase();
  if (!isSupportedCountry(iso)) return { wrong: 'country', message: 'must be a country with phone numbers' };
  const read = parsePhoneNumberFromString(number, iso);
  if (!read?.isValid()) return { wrong: 'number', message: `must be a phone number of ${iso}` };
  if (read.country !== iso)
    return { wrong: 'number', message: `must be a number of ${iso}, not of another country` };
  if (!mobile.includes(read.getType())) return { wrong: 'number', message: 'must be a mobile number' };
  return { phone: { international: read.number, digits: read.number.slice(1) } };
}

/** @throws DomainError VALIDATION_ERROR */
export function checkedPhone(number: string, country: string): Phone {
  const read = readPhone(number, country);
  if ('phone' in read) return read.phone;
  throw DomainError.invalid([{ field: read.wrong, message: read.message }]);
}
