// Reads the wire format of Lithic, as the types of its official SDK define it. Pure functions.
import { type Fields, UnreadableReply, readFields, readList } from '@tollbridge/http';
import type { CardState } from '@tollbridge/contracts';
import type { CardNumbers } from '../card';
import type { IssuedCard } from '../card-issuer';
import { cvvForm, idForm, monthForm, numberForm, textOf, yearForm } from '../issuer-failures';

const states: ReadonlyMap<unknown, CardState> = new Map([
  ['OPEN', 'open'],
  ['PAUSED', 'paused'],
  ['CLOSED', 'closed'],
  ['PENDING_ACTIVATION', 'pending'],
  ['PENDING_FULFILLMENT', 'pending'],
] as const);

export function readCard(reply: unknown): IssuedCard {
  const fields = readFields(reply, 'the card');
  const state = states.get(fields['state']);
  if (!state) throw new UnreadableReply('state is unknown');
  const lastFour = state === 'pending' ? null : textOf(fields, 'last_four', /^[0-9]{4}$/);
  return { issuerCardId: textOf(fields, 'token', idForm), state, lastFour };
}

/** @param reference the exact memo: the filter of the request matches parts of a memo too */
export function readCards(reply: unknown, reference: string): IssuedCard[] {
  return readList(readFields(reply, 'the list')['data'], 'data')
    .filter((item) => readFields(item, 'a card')['memo'] === reference)
    .map(readCard);
}

export function readNumbers(reply: unknown): CardNumbers {
  const fields = readFields(reply, 'the card');
  return {
    number: textOf(fields, 'pan', numberForm),
    cvv: textOf(fields, 'cvv', cvvForm),
    expMonth: textOf(fields, 'exp_month', monthForm),
    expYear: textOf(fields, 'exp_year', yearForm),
  };
}

/** Lithic states the reason only in the error message. */
export function isOutOfFunds(body: unknown): boolean {
  const { message } = (body ?? {}) as Fields;
  return typeof message === 'string' && /insufficient|out of funds|balance/i.test(message);
}
