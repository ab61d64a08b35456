import { receivedCode } from '../numbers/received-code';
import type { ActivationState, Cancelled } from '../numbers/virtual-numbers';

/** A reply: the word before its first colon, and the rest. */
export interface Reply {
  word: string;
  rest: string;
}

/** Splits only at the first colon, because codes contain colons. */
export function readReply(text: string): Reply {
  const reply = text.trim();
  const colon = reply.indexOf(':');
  return colon < 0
    ? { word: reply, rest: '' }
    : { word: reply.slice(0, colon), rest: reply.slice(colon + 1) };
}

/** Errors of this deployment's account, which its operator must fix. */
export const accountWords = [
  'NO_KEY',
  'BAD_KEY',
  'BANNED',
  'NO_BALANCE',
  'NOT_ENOUGH_BALANCE',
  'CHANNELS_LIMIT',
  'BAD_ACTION',
] as const;

/** Replies when nothing was rented, with the reason for the client. */
export const declines: Readonly<Record<string, [reason: string, message: string]>> = {
  NO_NUMBERS: [
    'OUT_OF_STOCK',
    'No number of this country is available for this service at present. Choose another country, or retry later.',
  ],
  WRONG_MAX_PRICE: ['PRICE_CHANGED', 'The price of this number has risen meanwhile. Repeat the call.'],
  SERVICE_UNAVAILABLE_REGION: [
    'NOT_SOLD_HERE',
    'Numbers of this country are not sold for this service. Choose another country.',
  ],
};

/** Words that reject a field of the request. */
export const badFields: Readonly<Record<string, 'service' | 'country'>> = {
  BAD_SERVICE: 'service',
  WRONG_SERVICE: 'service',
  BAD_COUNTRY: 'country',
  WRONG_COUNTRY: 'country',
};

const unknownNumber = ['NO_ACTIVATION', 'WRONG_ACTIVATION_ID'];

/** Undefined for an unknown reply to `getStatus`. */
export function stateOf({ word, rest }: Reply): ActivationState | undefined {
  if (['STATUS_WAIT_CODE', 'STATUS_WAIT_RETRY', 'STATUS_WAIT_RESEND'].includes(word))
    return { status: 'waiting' };
  if (word === 'STATUS_CANCEL') return { status: 'cancelled' };
  if (unknownNumber.includes(word)) return { status: 'gone' };
  const code = word === 'STATUS_OK' || word === 'FULL_SMS' ? receivedCode(rest) : undefined;
  return code === undefined ? undefined : { status: 'received', code };
}

/** Undefined for an unknown reply to a cancellation. */
export function cancelledOf({ word }: Reply): Cancelled | undefined {
  if (word === 'ACCESS_CANCEL' || word === 'ACCESS_CANCEL_ALREADY') return 'cancelled';
  if (word === 'EARLY_CANCEL_DENIED') return 'tooEarly';
  return unknownNumber.includes(word) ? 'gone' : undefined;
}
