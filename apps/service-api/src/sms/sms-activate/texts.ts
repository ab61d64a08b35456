import { receivedCode } from '../numbers/received-code';
import type { ActivationState, Cancelled } from '../numbers/virtual-numbers';

/** What an answer says, before its first colon, and what stands behind it. */
export interface Said {
  word: string;
  rest: string;
}

/** Codes hold colons, so only the first one counts. */
export function readSaid(text: string): Said {
  const said = text.trim();
  const colon = said.indexOf(':');
  return colon < 0 ? { word: said, rest: '' } : { word: said.slice(0, colon), rest: said.slice(colon + 1) };
}

/** What the operator of this deployment has to mend: nobody who buys can. */
export const accountWords = [
  'NO_KEY',
  'BAD_KEY',
  'BANNED',
  'NO_BALANCE',
  'NOT_ENOUGH_BALANCE',
  'CHANNELS_LIMIT',
  'BAD_ACTION',
] as const;

/** Nothing was rented, for a reason that the buyer is told. */
export const refusals: Readonly<Record<string, [reason: string, sentence: string]>> = {
  NO_NUMBERS: [
    'OUT_OF_STOCK',
    'No number of this country is available for this service at present. Choose another country, or retry later.',
  ],
  WRONG_MAX_PRICE: ['PRICE_CHANGED', 'The price of this number has risen meanwhile; ask again.'],
  SERVICE_UNAVAILABLE_REGION: [
    'NOT_SOLD_HERE',
    'Numbers of this country are not sold for this service; take another country.',
  ],
};

/** Words that blame a field of the request. */
export const badFields: Readonly<Record<string, 'service' | 'country'>> = {
  BAD_SERVICE: 'service',
  WRONG_SERVICE: 'service',
  BAD_COUNTRY: 'country',
  WRONG_COUNTRY: 'country',
};

const unknownNumber = ['NO_ACTIVATION', 'WRONG_ACTIVATION_ID'];

/** Undefined for what is no answer to `getStatus`. */
export function stateOf({ word, rest }: Said): ActivationState | undefined {
  if (['STATUS_WAIT_CODE', 'STATUS_WAIT_RETRY', 'STATUS_WAIT_RESEND'].includes(word))
    return { status: 'waiting' };
  if (word === 'STATUS_CANCEL') return { status: 'cancelled' };
  if (unknownNumber.includes(word)) return { status: 'gone' };
  const code = word === 'STATUS_OK' || word === 'FULL_SMS' ? receivedCode(rest) : undefined;
  return code === undefined ? undefined : { status: 'received', code };
}

/** Undefined for what is no answer to a cancellation. */
export function cancelledOf({ word }: Said): Cancelled | undefined {
  if (word === 'ACCESS_CANCEL' || word === 'ACCESS_CANCEL_ALREADY') return 'cancelled';
  if (word === 'EARLY_CANCEL_DENIED') return 'tooEarly';
  return unknownNumber.includes(word) ? 'gone' : undefined;
}
