// Reads the wire format of Laso, as its published OpenAPI document defines it. Pure functions.
import { UnreadableReply, readFields, readList } from '@tollbridge/http';
import type { CardState } from '@tollbridge/contracts';
import type { CardNumbers } from '../card';
import type { IssuedCard } from '../card-issuer';
import { cvvForm, idForm, monthForm, numberForm, textOf, yearForm } from '../issuer-failures';

// In `details_approval`, the card waits for the issuing bank.
const states: ReadonlyMap<unknown, CardState> = new Map([
  ['pending', 'pending'],
  ['details_approval', 'pending'],
  ['ready', 'open'],
  ['refunded', 'closed'],
  ['archived', 'closed'],
] as const);

export function readCard(reply: unknown): IssuedCard {
  const fields = readFields(reply, 'the card');
  const state = states.get(fields['status']);
  if (!state) throw new UnreadableReply('status is unknown');
  const issuerCardId = textOf(fields, 'card_id', idForm);
  const details = fields['card_details'];
  if (state === 'open' && details !== undefined)
    return {
      issuerCardId,
      state,
      lastFour: textOf(readFields(details, 'card_details'), 'card_number', numberForm).slice(-4),
    };
  return { issuerCardId, state, lastFour: null };
}

/** The reply of `get-card`: the card and a session. */
export const readOrdered = (reply: unknown): IssuedCard => readCard(readFields(reply, 'the reply')['card']);

export function readNumbers(reply: unknown): CardNumbers {
  const details = readFields(readFields(reply, 'the card')['card_details'], 'card_details');
  return {
    number: textOf(details, 'card_number', numberForm),
    cvv: textOf(details, 'cvv', cvvForm),
    expMonth: textOf(details, 'exp_month', monthForm),
    expYear: textOf(details, 'exp_year', yearForm),
  };
}

/** Cards of this amount that are not older than the order, oldest first. */
export function readCandidates(reply: unknown, amountCents: number, sinceMs: number): IssuedCard[] {
  return readList(readFields(reply, 'the list')['cards'], 'cards')
    .map((card) => ({
      card,
      timestampMs: readFields(card, 'a card')['timestamp'],
      amount: readFields(card, 'a card')['usd_amount'],
    }))
    .filter((it): it is typeof it & { timestampMs: number } => typeof it.timestampMs === 'number')
    .filter(({ timestampMs, amount }) => timestampMs >= sinceMs && centsIn(amount) === amountCents)
    .sort((one, other) => one.timestampMs - other.timestampMs)
    .map(({ card }) => readCard(card));
}

const centsIn = (amount: unknown): number | undefined =>
  typeof amount === 'number' && Number.isFinite(amount) ? Math.round(amount * 100) : undefined;

export interface Session {
  idToken: string;
  refreshToken: string;
  lifeMs: number;
}

export function readSession(reply: unknown): Session {
  const auth = readFields(readFields(reply, 'the reply')['auth'], 'auth');
  const tokenForm = /^[\x21-\x7e]{1,4096}$/;
  return {
    idToken: textOf(auth, 'id_token', tokenForm),
    refreshToken: textOf(auth, 'refresh_token', tokenForm),
    lifeMs: Number(textOf(auth, 'expires_in', /^[1-9][0-9]{0,5}$/)) * 1_000,
  };
}
