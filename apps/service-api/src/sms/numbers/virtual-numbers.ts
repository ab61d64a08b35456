import { DomainError } from '@tollbridge/rpc';
import type { Country } from './countries';

/** The service, as its code in the sms-activate protocol, and the country. */
export interface NumberTerms {
  service: string;
  country: Country;
}

/** Stored terms. Older purchases contain the country number of the sms-activate protocol. */
export type StoredNumberTerms = Omit<NumberTerms, 'country'> & { country: Country | number };

/** Declines a valid country that the provider does not offer. */
export const countryNotOffered = (): DomainError =>
  new DomainError('PURCHASE_REFUSED', 'No numbers of this country are on offer. Choose another country.', {
    details: { reason: 'COUNTRY_NOT_OFFERED' },
  });

export interface RentedNumber {
  /** The provider's id of the rental. */
  activationId: string;
  /** In E.164 form. */
  number: string;
}

/** The state of a number; `gone`: the provider does not have it. */
export type ActivationState =
  | { status: 'waiting' | 'cancelled' | 'gone' }
  | { status: 'received'; code: string };

/** A number in the provider's list of active numbers. */
export interface ListedNumber extends RentedNumber, NumberTerms {
  state: ActivationState;
  rentedAtMs: number;
}

/**
 * - `cancelled`: returned, now or before
 * - `tooEarly`: not yet possible
 * - `received`: a code has arrived, so the number is charged
 * - `gone`: the provider does not have the number
 */
export type Cancelled = 'cancelled' | 'tooEarly' | 'received' | 'gone';

/**
 * A provider of numbers that receive one code. Methods throw ProviderError, or DomainError when the provider declines;
 * neither contains text, address or key of the provider.
 */
export interface VirtualNumbers {
  /** Stored with each purchase. */
  readonly name: string;
  /** Returns decimal dollars of one number; undefined when none is available. */
  price(wanted: NumberTerms): Promise<string | undefined>;
  /**
   * Rents one number with one request. A lost reply is `unknownOutcome`.
   * @param maxUsd maximum price
   */
  rent(wanted: NumberTerms, maxUsd: string): Promise<RentedNumber>;
  /** Reads the state of one number. */
  state(activationId: string): Promise<ActivationState>;
  /** Returns all rented numbers with their codes; undefined when the provider has no such list. */
  active(): Promise<readonly ListedNumber[] | undefined>;
  cancel(activationId: string): Promise<Cancelled>;
}

/** Injection token. */
export const VirtualNumbers = Symbol('VirtualNumbers');

/** The lifetime of a number: every provider refunds an unused number after 20 minutes. */
export const numberLifeMs = 20 * 60_000;

/** Providers reject the return of a number for two minutes after the rental; one second more for clock skew. */
export const earliestCancelMs = 121_000;
