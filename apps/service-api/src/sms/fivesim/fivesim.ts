import { DomainError } from '@tollbridge/rpc';
import { ProviderClient, ProviderError, type ProviderErrorKind } from '@tollbridge/http';
import { phoneOf, recordOf, textOf } from '../numbers/checked-json';
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
import type { AccountOptions } from '../sms-activate/sms-activate';
import { countryNames, productNames } from './names';

const provider = '5sim';
const readTimeoutMs = 10_000;
const rentTimeoutMs = 30_000;
// Maximum of concurrent requests. The queue is four times as long.
const maxConcurrent = 64;
// More than are rented at the same time. The list is newest first.
const listLimit = 1_000;

const noneFree = ['no free phones', 'no phones', 'no product', 'no free operator'];
const accountTexts = ['not enough user balance', 'not enough rating', 'unauthorized', 'banned'];
const badTexts: Readonly<Record<string, 'service' | 'country'>> = {
  'bad country': 'country',
  'country is incorrect': 'country',
  'product is incorrect': 'service',
};

/** Client of the 5sim API. It uses JSON, a bearer token, names instead of numbers, and errors in plain text. */
export class FiveSim implements VirtualNumbers {
  readonly name = provider;
  private readonly client: ProviderClient;

  constructor({ url, key }: AccountOptions) {
    const headers = { authorization: `Bearer ${key}` };
    const limits = { timeoutMs: readTimeoutMs, maxConcurrent };
    this.client = new ProviderClient({ provider, baseUrl: url, headers, ...limits });
  }

  async price(wanted: NumberTerms): Promise<string | undefined> {
    const { country, product } = namesOf(wanted);
    const reply = await this.ask('/guest/prices', { query: { country, product } });
    const operators = Object.values(recordOf(recordOf(recordOf(json(reply))[country])[product]));
    const costs = operators.flatMap((it) => {
      const { cost, count } = recordOf(it);
      const isThere = typeof cost === 'number' && typeof count === 'number' && count > 0;
      return isThere ? [cost] : [];
    });
    // The price of the most expensive operator, because 5sim may assign any.
    return costs.length === 0 ? undefined : priceText(Math.max(...costs));
  }

  async rent(wanted: NumberTerms, maxUsd: string): Promise<RentedNumber> {
    const { country, product } = namesOf(wanted);
    const path = `/user/buy/activation/${country}/any/${product}`;
    const reply = await this.ask(path, { query: { maxPrice: maxUsd }, changesSomething: true });
    const { id, phone } = recordOf(json(reply, 'unknownOutcome'));
    const [activationId, number] = [textOf(id), phoneOf(phone)];
    if (!activationId || !number) throw failureOf(reply, 'unknownOutcome');
    return { activationId, number };
  }

  async state(id: string): Promise<ActivationState> {
    const reply = await this.ask(`/user/check/${encodeURIComponent(id)}`, { mayBeGone: true });
    if (reply === 'order not found') return { status: 'gone' };
    const state = stateOf(recordOf(json(reply)));
    if (!state) throw failureOf(reply, 'badReply');
    return state;
  }

  async active(): Promise<readonly ListedNumber[]> {
    const query = { category: 'activation', limit: String(listLimit), order: 'id', reverse: 'true' };
    const reply = await this.ask('/user/orders', { query });
    const { Data: orders } = recordOf(json(reply));
    if (!Array.isArray(orders)) throw failureOf(reply, 'badReply');
    return orders.flatMap((it) => listed(recordOf(it)));
  }

  async cancel(id: string): Promise<Cancelled> {
    const reply = await this.ask(`/user/cancel/${encodeURIComponent(id)}`, { mayBeGone: true });
    if (reply === 'order not found') return 'gone';
    if (reply === 'order has sms') return 'received';
    if (reply === 'order expired' || reply === 'order canceled') return 'cancelled';
    const state = stateOf(recordOf(json(reply)));
    if (state?.status === 'cancelled') return 'cancelled';
    if (state?.status === 'received') return 'received';
    throw failureOf(reply, 'badReply');
  }

  /** Returns the reply text. An error has the same text with status 200 and 400. */
  private async ask(
    path: string,
    request: { query?: Record<string, string>; changesSomething?: boolean; mayBeGone?: boolean },
  ): Promise<string> {
    const { query = {}, changesSomething = false } = request;
    try {
      const text = await this.client.request({
        method: 'GET',
        path,
        query,
        replyAs: 'text',
        changesSomething,
        timeoutMs: changesSomething ? rentTimeoutMs : readTimeoutMs,
      });
      return (text as string).trim();
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'rejected') throw error;
      if (error.status === 401) throw accountError();
      if (error.status === 404 && request.mayBeGone) return 'order not found';
      if (typeof error.body === 'string' && error.body !== '') return error.body.trim();
      throw error;
    }
  }
}

function namesOf({ service, country }: NumberTerms): { country: string; product: string } {
  const [countryName, product] = [countryNames.get(country), productNames.get(service)];
  if (!product)
    throw DomainError.invalid([{ field: 'service', message: 'is not available for rented numbers' }]);
  if (!countryName) throw countryNotOffered();
  return { country: countryName, product };
}

function stateOf({ status, sms }: Record<string, unknown>): ActivationState | undefined {
  const last = recordOf(Array.isArray(sms) ? sms.at(-1) : undefined);
  const code = receivedCode(last['code'], last['text']);
  switch (status) {
    case 'PENDING':
    case 'RECEIVED':
    case 'FINISHED':
      if (code !== undefined) return { status: 'received', code };
      return status === 'FINISHED' ? { status: 'cancelled' } : { status: 'waiting' };
    case 'CANCELED':
    case 'TIMEOUT':
    case 'BANNED':
      return { status: 'cancelled' };
    default:
      return undefined;
  }
}

const keysOf = <K, V>(map: ReadonlyMap<K, V>, value: unknown): K | undefined =>
  [...map].find(([, name]) => name === value)?.[0];

function listed(order: Record<string, unknown>): ListedNumber[] {
  const [activationId, number, state] = [textOf(order['id']), phoneOf(order['phone']), stateOf(order)];
  const [country, service] = [keysOf(countryNames, order['country']), keysOf(productNames, order['product'])];
  if (!activationId || !number || !state || country === undefined || service === undefined) return [];
  const rentedAtMs = Date.parse(String(order['created_at']));
  return [{ activationId, number, state, country, service, rentedAtMs }];
}

function json(text: string, otherwise: ProviderErrorKind = 'badReply'): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failureOf(text, otherwise);
  }
}

function failureOf(text: string, otherwise: ProviderErrorKind): Error {
  const lowerCase = text.toLowerCase();
  const field = badTexts[lowerCase];
  // The country is valid, but this provider does not offer it.
  if (field === 'country') return countryNotOffered();
  if (field) return DomainError.invalid([{ field, message: 'is not available for rented numbers' }]);
  if (noneFree.includes(lowerCase)) {
    const sentence =
      'No number of this country is available for this service at present. Choose another country, or retry later.';
    return new DomainError('PURCHASE_REFUSED', sentence, { details: { reason: 'OUT_OF_STOCK' } });
  }
  if (accountTexts.includes(lowerCase)) return accountError();
  return new ProviderError(provider, { kind: otherwise, message: 'sent an unknown reply' });
}

const accountError = (): ProviderError =>
  new ProviderError(provider, { kind: 'unavailable', message: 'rejected this account' });
