import { slowCardMs, outcomeOf } from '../cards/magic-amounts';
import { testBins, testCardNumber } from '../cards/test-number';
import { LithicRejection } from './lithic-rejection';
import type { LithicCard, LithicPage } from './lithic-cards.repository';

const types = ['VIRTUAL', 'SINGLE_USE', 'MERCHANT_LOCKED'];
const durations = ['ANNUALLY', 'FOREVER', 'MONTHLY', 'TRANSACTION', 'DAILY'];
const states = ['OPEN', 'PAUSED', 'CLOSED'];
const validYears = 5;
const maxPageSize = 1_000;

export type Fields = Readonly<Record<string, unknown>>;

/** Returns a card as the issuer shows it to a program with access to card numbers. */
export function describeCard(card: LithicCard, nowMs: number): object {
  const created = new Date(card.createdAtMs);
  const { number: pan, cvv } = testCardNumber(testBins.lithic, card.token);
  return {
    token: card.token,
    account_token: '4d9d2a43-7c1f-4c6b-8d33-6f0a3c1e9b55',
    card_program_token: '5e9483eb-8103-4e16-9794-2106111b2eca',
    created: created.toISOString(),
    funding: null,
    last_four: pan.slice(-4),
    pan,
    cvv,
    exp_month: String(created.getUTCMonth() + 1).padStart(2, '0'),
    exp_year: String(created.getUTCFullYear() + validYears),
    memo: card.memo,
    pin_status: 'NOT_SET',
    spend_limit: card.spendLimit,
    spend_limit_duration: card.spendLimitDuration,
    state: stateOf(card, nowMs),
    type: card.type,
    cardholder_currency: 'USD',
    auth_rule_tokens: [],
    pending_commands: [],
  };
}

/** Virtual cards are open immediately, except for the slow magic amount. */
function stateOf({ state, spendLimit, createdAtMs }: LithicCard, nowMs: number): string {
  const isSlow = outcomeOf(spendLimit) === 'slow' && nowMs < createdAtMs + slowCardMs;
  return state === 'OPEN' && isSlow ? 'PENDING_FULFILLMENT' : state;
}

export type NewLithicCard = Omit<LithicCard, 'token' | 'createdAtMs'>;

/** @throws LithicRejection for an invalid card */
export function readNewCard(body: Fields): NewLithicCard {
  const { type, state = 'OPEN', spend_limit_duration = 'TRANSACTION', spend_limit = 0, memo = '' } = body;
  return {
    type: oneOf(types, 'type', type),
    ...readChange({ state, spend_limit_duration, spend_limit, memo }),
  };
}

/** Reads the fields that can be changed. Absent fields stay unchanged. */
export function readChange<T extends Fields>(body: T): Omit<NewLithicCard, 'type'> {
  const { state, spend_limit: limit, spend_limit_duration: duration, memo } = body;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0 || limit > 100_000_000)
    throw new LithicRejection(400, 'spend_limit: must be a non-negative integer of cents');
  if (typeof memo !== 'string' || memo.length > 500) throw new LithicRejection(400, 'memo: must be a string');
  return {
    state: oneOf(states, 'state', state) as LithicCard['state'],
    spendLimitDuration: oneOf(durations, 'spend_limit_duration', duration),
    spendLimit: limit,
    memo,
  };
}

function oneOf(values: readonly string[], name: string, value: unknown): string {
  if (typeof value === 'string' && values.includes(value)) return value;
  throw new LithicRejection(400, `${name}: must be one of ${values.join(', ')}`);
}

export function readPage({
  begin,
  end,
  memo,
  page_size: size = '50',
  starting_after: after,
}: Fields): LithicPage {
  const limit = Number(size);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxPageSize)
    throw new LithicRejection(400, `page_size: must be between 1 and ${maxPageSize}`);
  return {
    limit,
    ...(begin !== undefined && { beginMs: timeOf('begin', begin) }),
    ...(end !== undefined && { endMs: timeOf('end', end) }),
    ...(typeof memo === 'string' && { memo }),
    ...(typeof after === 'string' && { startingAfter: uuidOf('starting_after', after) }),
  };
}

function timeOf(name: string, value: unknown): number {
  const time = Date.parse(String(value));
  if (Number.isNaN(time)) throw new LithicRejection(400, `${name}: must be an RFC 3339 timestamp`);
  return time;
}

export function uuidOf(name: string, value: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return value;
  throw new LithicRejection(400, `${name}: must be a UUID`);
}
