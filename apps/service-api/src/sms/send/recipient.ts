import { parsePhoneNumberFromString, type NumberType } from 'libphonenumber-js/max';

/** Kinds of numbers that are called for money, or that receive no messages. */
const refused: readonly NumberType[] = [
  ...(['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'PAGER', 'UAN', 'VOICEMAIL'] as const),
];

/** What is wrong with a number to send to; undefined when nothing is. */
export function recipientProblem(to: string, countries: 'all' | readonly string[]): string | undefined {
  const phone = parsePhoneNumberFromString(to);
  // It must be the very text: what is read tolerantly may be another number than the caller means.
  if (!phone || phone.number !== to || phone.ext !== undefined || !phone.isValid())
    return 'is no number that exists in its country';
  const type = phone.getType();
  if (type === undefined || refused.includes(type))
    return 'must not be a premium-rate, shared-cost, personal or service number';
  // Satellites and networks of no country: messages there cost as much as premium ones.
  if (phone.country === undefined) return 'must be a number of a country';
  if (countries !== 'all' && !countries.includes(phone.country))
    return 'is in a country that no messages are sent to';
  return undefined;
}
