import { parsePhoneNumberFromString, type NumberType } from 'libphonenumber-js/max';

/** Types of numbers that charge the sender or receive no messages. */
const rejectedTypes: readonly NumberType[] = [
  ...(['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'PAGER', 'UAN', 'VOICEMAIL'] as const),
];

/** @returns the reason why the number cannot receive messages, or undefined */
export function validateRecipient(to: string, countries: 'all' | readonly string[]): string | undefined {
  const phone = parsePhoneNumberFromString(to);
  // Compares the exact text, because the tolerant parser may find a number that the client did not intend.
  if (!phone || phone.number !== to || phone.ext !== undefined || !phone.isValid())
    return 'is not a valid number of its country';
  const type = phone.getType();
  if (type === undefined || rejectedTypes.includes(type))
    return 'must not be a premium-rate, shared-cost, personal or service number';
  // Satellite and global networks cost as much as premium numbers.
  if (phone.country === undefined) return 'must be a number of a country';
  if (countries !== 'all' && !countries.includes(phone.country))
    return 'is in a country that messages are not sent to';
  return undefined;
}
