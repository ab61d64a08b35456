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
  type NumberWish,
  type RentedNumber,
  type VirtualNumbers,
} from '../numbers/virtual-numbers';
import { countryOfNumber, numberOfCountry } from './countries';
import { accountWords, badFields, cancelledOf, readSaid, refusals, stateOf, type Said } from './texts';

const provider = 'sms-activate';
const readTimeoutMs = 10_000;
const rentTimeoutMs = 30_000;
// All who wait at once may come at once: 128 are asked for, and four times as many stand behind them.
const maxConcurrent = 128;
/** What it means that a number in such a state is not cancelled. */
const cancelledAs: Readonly<Record<ActivationState['status'], Cancelled>> = {
  ...({ received: 'received', cancelled: 'cancelled', gone: 'gone', waiting: 'tooEarly' } as const),
};

export interface AccountOptions {
  url: string;
  key: string;
}

/** Speaks the sms-activate protocol, as several operators do: one address, parameters in the query, answers in words. */
export class SmsActivate implements VirtualNumbers {
  readonly name = provider;
  private readonly client: ProviderClient;

  constructor(private readonly options: AccountOptions) {
    const limits = { timeoutMs: readTimeoutMs, maxConcurrent };
    this.client = new ProviderClient({ provider, baseUrl: options.url, ...limits });
  }

  async price({ service, country }: NumberWish): Promise<string | undefined> {
    const number = numberOf(country);
    const text = await this.ask('getPrices', { service, country: number });
    const offer = recordOf(recordOf(recordOf(this.json(text))[number])[service]);
    const { cost, count } = offer;
    const price = priceText(cost);
    return price !== undefined && typeof count === 'number' && count > 0 ? price : undefined;
  }

  async rent({ service, country }: NumberWish, maxUsd: string): Promise<RentedNumber> {
    const query = { service, country: numberOf(country), maxPrice: maxUsd };
    const said = readSaid(await this.ask('getNumber', query, true));
    const [id, phone] = said.rest.split(':');
    const rented = { activationId: textOf(id), number: phoneOf(phone) };
    const { activationId, number } = rented;
    if (said.word !== 'ACCESS_NUMBER' || !activationId || !number)
      throw this.failureOf(said, 'unknownOutcome');
    return { activationId, number };
  }

  async state(id: string): Promise<ActivationState> {
    const said = readSaid(await this.ask('getStatus', { id }));
    const state = stateOf(said);
    if (!state) throw this.failureOf(said, 'badReply');
    return state;
  }

  async active(): Promise<readonly ListedNumber[] | undefined> {
    const text = await this.ask('getActiveActivations', {});
    const { word } = readSaid(text);
    // Said where nothing is rented; and not every operator has the list.
    if (word === 'NO_ACTIVATION' || word === 'NO_ACTIVATIONS') return [];
    if (word === 'BAD_ACTION') return undefined;
    const { activeActivations } = recordOf(this.json(text));
    if (!Array.isArray(activeActivations)) throw this.failureOf({ word: '', rest: '' }, 'badReply');
    return activeActivations.flatMap(listed);
  }

  async cancel(id: string): Promise<Cancelled> {
    // To cancel twice is no harm, so a lost answer is none either.
    const said = readSaid(await this.ask('setStatus', { id, status: '8' }));
    // A code has come; or it was cancelled before, and our note of it was lost. The one costs money, the other does not.
    if (said.word === 'BAD_STATUS') return cancelledAs[(await this.state(id)).status];
    const cancelled = cancelledOf(said);
    if (!cancelled) throw this.failureOf(said, 'badReply');
    return cancelled;
  }

  /** The words of an answer: some operators send what others say with 200 with a 4xx. */
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
      throw this.failureOf(readSaid(text), 'badReply');
    }
  }

  /** @param otherwise what it is when the words are none that are known */
  private failureOf({ word }: Said, otherwise: ProviderErrorKind): Error {
    const field = badFields[word];
    // The client named a country that exists; only this provider does not have it.
    if (field === 'country') return countryNotOffered();
    if (field) return DomainError.invalid([{ field, message: 'is not available for rented numbers' }]);
    const refusal = refusals[word];
    if (refusal) {
      const [reason, sentence] = refusal;
      return new DomainError('PURCHASE_REFUSED', sentence, { details: { reason } });
    }
    // A word of the table, never what was sent: that may quote the key.
    const known = accountWords.find((it) => it === word);
    if (known) return this.error('unavailable', `refuses this account: ${known}`);
    return this.error(otherwise, 'the answer is none of its protocol');
  }

  private error(kind: ProviderErrorKind, message: string): ProviderError {
    return new ProviderError(provider, { kind, message });
  }
}

/** As the protocol writes it. @throws DomainError for a country that the protocol has no number of */
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
  // One that is not understood is asked for by itself.
  if (!id || !number || !service || !country) return [];
  const code = receivedCode(smsCode, smsText);
  const state: ActivationState = code === undefined ? { status: 'waiting' } : { status: 'received', code };
  return [{ activationId: id, number, service, country, state, rentedAtMs: timeOf(activationTime) }];
}

/** `2026-11-22 01:02:03`, of a zone that is not told. */
function timeOf(value: unknown): number {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(String(value)) ?? [];
  return day === undefined ? NaN : Date.parse(`${day}T${time}Z`);
}
