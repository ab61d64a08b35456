import { DomainError } from '@tollbridge/rpc';
import type { Country } from './countries';

/** What kind of number is wanted: a service by its code in the sms-activate protocol, and a country. */
export interface NumberWish {
  service: string;
  country: Country;
}

/** Terms of a purchase as they are stored. Older purchases have the number of the country in the sms-activate protocol. */
export type StoredWish = Omit<NumberWish, 'country'> & { country: Country | number };

/** The refusal of a country that exists and that the provider rents no numbers of. */
export const countryNotOffered = (): DomainError =>
  new DomainError('PURCHASE_REFUSED', 'No numbers of this country are rented here; take another country.', {
    details: { reason: 'COUNTRY_NOT_OFFERED' },
  });

export interface RentedNumber {
  /** The provider's own. */
  activationId: string;
  /** In E.164 form. */
  number: string;
}

/** What has become of a number; `gone`: its provider knows it no more. */
export type ActivationState =
  { status: 'waiting' | 'cancelled' | 'gone' } | { status: 'received'; code: string };

/** A number as the provider's list of all shows it. */
export interface ListedNumber extends RentedNumber, NumberWish {
  state: ActivationState;
  rentedAtMs: number;
}

/**
 * - `cancelled`: given back, also when it was before
 * - `tooEarly`: refused for now
 * - `received`: a code has come, so it is paid for
 * - `gone`: the provider knows it no more
 */
export type Cancelled = 'cancelled' | 'tooEarly' | 'received' | 'gone';

/**
 * A provider of numbers that receive one code. Failures are ProviderErrors, refusals DomainErrors in our words; neither
 * holds a text of the provider, its address or the key.
 */
export interface VirtualNumbers {
  /** Stored with each purchase. */
  readonly name: string;
  /** Decimal dollars of one such number; undefined when there is none to be had. */
  price(wish: NumberWish): Promise<string | undefined>;
  /**
   * Rents one, once: a lost answer is `unknownOutcome`.
   * @param maxUsd what it may cost at most
   */
  rent(wish: NumberWish, maxUsd: string): Promise<RentedNumber>;
  /** Of one number. */
  state(activationId: string): Promise<ActivationState>;
  /** All that are rented now, with their codes; undefined where the provider has no such list. */
  active(): Promise<readonly ListedNumber[] | undefined>;
  cancel(activationId: string): Promise<Cancelled>;
}

/** Injection token. */
export const VirtualNumbers = Symbol('VirtualNumbers');

/** Numbers live for 20 minutes; what was not used by then is given back by every provider without being asked. */
export const numberLifeMs = 20 * 60_000;

/** For so long after it was rented, providers refuse to take a number back; one second for clocks that differ. */
export const earliestCancelMs = 121_000;
