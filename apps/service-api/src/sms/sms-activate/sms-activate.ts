import { DomainError } from '@tollbridge/rpc';
import { ProviderClient, ProviderError, type ProviderErrorKind } from '@tollbridge/http';
import { phoneOf, recordOf, textOf } from '../numbers/checked-json';
import type { Country } from '../numbers/countries';
import { priceText } from '../numbers/price';
import { receivedCode } from '../numbers/received-code';
import {
  countryNotOffered,
  type ActivationState,
  type Cancelled,
  type ListedNumber,
  type NumberTerms,
  type RentedNumber,
  type VirtualNumbers,
} from '../numbers/virtual-numbers';
import { countryOfNumber, numberOfCountry } from './countries';
import { accountWords, badFields, cancelledOf, readReply, declines, stateOf, type Reply } from './texts';

const provider = 'sms-activate';
const readTimeoutMs = 10_000;
const rentTimeoutMs = 30_000;
// 128 concurrent requests, and a queue of four times as many.
const maxConcurrent = 128;
/** The result of a rejected cancellation, by the state of the number. */
const cancelledAs: Readonly<Record<ActivationState['status'], Cancelled>> = {
  ...({ received: 'received', cancelled: 'cancelled', gone: 'gone', waiting: 'tooEarly' } as const),
};

export interface AccountOptions {
  url: string;
  key: string;
}

/**
 * Client of the sms-activate protocol, which several providers use. It has one URL, query parameters, and replies as
 * words.
 */
export class SmsActivate implements VirtualNumbers {
  readonly name = provider;
  private readonly client: ProviderClient;

  constructor(private readonly options: AccountOptions) {
    const limits = { timeoutMs: readTimeoutMs, maxConcurrent };
    this.client = new ProviderClient({ provider, baseUrl: options.url, ...limits });
  }

  async price({ service, country }: NumberTerms): Promise<string | undefined> {
    const number = numberOf(country);
    const text = await this.ask('getPrices', { service, country: number });
    const offer = recordOf(recordOf(recordOf(this.json(text))[number])[service]);
    const { cost, count } = offer;
    const price = priceText(cost);
    return price !== undefined && typeof count === 'number' && count > 0 ? price : undefined;
  }

  async rent({ service, country }: NumberTerms, maxUsd: string): Promise<RentedNumber> {
    const query = { service, country: numberOf(country), maxPrice: maxUsd };
    const answer = readReply(await this.ask('getNumber', query, true));
    const [id, phone] = answer.rest.split(':');
    const rented = { activationId: textOf(id), number: phoneOf(phone) };
    const { activationId, number } = rented;
    if (answer.word !== 'ACCESS_NUMBER' || !activationId || !number)
      throw this.failureOf(answer, 'unknownOutcome');
    return { activationId, number };
  }

  async state(id: string): Promise<ActivationState> {
    const answer = readReply(await this.ask('getStatus', { id }));
    const state = stateOf(answer);
    if (!state) throw this.failureOf(answer, 'badReply');
    return state;
  }

  async active(): Promise<readonly ListedNumber[] | undefined> {
    const text = await this.ask('getActiveActivations', {});
    const { word } = readReply(text);
    // The reply when no number is rented. Some providers have no list.
    if (word === 'NO_ACTIVATION' || word === 'NO_ACTIVATIONS') return [];
    if (word === 'BAD_ACTION') return undefined;
    const { activeActivations } = recordOf(this.json(text));
    if (!Array.isArray(activeActivations)) throw this.failureOf({ word: '', rest: '' }, 'badReply');
    return activeActivations.flatMap(listed);
  }

  async cancel(id: string): Promise<Cancelled> {
    // A second cancellation is harmless, so a lost reply is retried.
    const answer = readReply(await this.ask('setStatus', { id, status: '8' }));
    // Either a code arrived, which is charged. Or an earlier cancellation with a lost reply succeeded, which is not
    // charged.
    if (answer.word === 'BAD_STATUS') return cancelledAs[(await this.state(id)).status];
    const cancelled = cancelledOf(answer);
    if (!cancelled) throw this.failureOf(answer, 'badReply');
    return cancelled;
  }

  /** Returns the reply text. Some providers use a 4xx status where others use 200. */
  private async ask(
    action: string,
    query: Record<string, string>,
    changesSomething = false,
  ): Promise<string> {
    try {
      const text = await this.client.request({
        method: 'GET',
        path: '',
        replyAs: 'text',
        changesSomething,
        query: { api_key: this.options.key, action, ...query },
        timeoutMs: changesSomething ? rentTimeoutMs : readTimeoutMs,
      });
      return text as string;
    } catch (error) {
      const isAnswered = error instanceof ProviderError && error.kind === 'rejected';
      if (isAnswered && typeof error.body === 'string' && error.body !== '') return error.body;
      throw error;
    }
  }

  private json(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.failureOf(readReply(text), 'badReply');
    }
  }

  /** @param otherwise the kind of an unknown reply */
  private failureOf({ word }: Reply, otherwise: ProviderErrorKind): Error {
    const field = badFields[word];
    // The country is valid, but this provider does not offer it.
    if (field === 'country') return countryNotOffered();
    if (field) return DomainError.invalid([{ field, message: 'is not available for rented numbers' }]);
    const decline = declines[word];
    if (decline) {
      const [reason, message] = decline;
      return new DomainError('PURCHASE_REFUSED', message, { details: { reason } });
    }
    // The message contains only a word of the table, because the reply itself may contain the key.
    const known = accountWords.find((it) => it === word);
    if (known) return this.error('unavailable', `rejected this account: ${known}`);
    return this.error(otherwise, 'sent an unknown reply');
  }

  private error(kind: ProviderErrorKind, message: string): ProviderError {
    return new ProviderError(provider, { kind, message });
  }
}

/** Returns the number of the country. @throws DomainError for a country without a number in the protocol */
function numberOf(country: Country): string {
  const number = numberOfCountry(country);
  if (number === undefined) throw countryNotOffered();
  return String(number);
}

function listed(item: unknown): ListedNumber[] {
  const { activationId, phoneNumber, serviceCode, countryCode, smsCode, smsText, activationTime } =
    recordOf(item);
  const [id, number, service] = [textOf(activationId), phoneOf(phoneNumber), textOf(serviceCode)];
  const country = countryOfNumber(Number(textOf(countryCode)));
  // An entry that is not readable here is read separately later.
  if (!id || !number || !service || !country) return [];
  const code = receivedCode(smsCode, smsText);
  const state: ActivationState = code === undefined ? { status: 'waiting' } : { status: 'received', code };
  return [{ activationId: id, number, service, country, state, rentedAtMs: timeOf(activationTime) }];
}

/** Reads `2026-11-22 01:02:03`, in an undocumented time zone. */
function timeOf(value: unknown): number {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(String(value)) ?? [];
  return day === undefined ? NaN : Date.parse(`${day}T${time}Z`);
}
