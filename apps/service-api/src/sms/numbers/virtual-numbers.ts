import { DomainError } from '@tollbridge/rpc';
import type { Country } from './countries';

/** The service by its code in the sms-activate protocol, and the country. */
export interface NumberTerms {
  service: string;
  country: Country;
}

/** Stored terms. Older purchases have the country number of the sms-activate protocol. */
export type StoredNumberTerms = Omit<NumberTerms, 'country'> & { country: Country | number };

/** Declines an existing country without numbers at the provider. */
export const countryNotOffered = (): DomainError =>
  new DomainError('PURCHASE_REFUSED', 'No numbers of this country are on offer. Choose another country.', {
    details: { reason: 'COUNTRY_NOT_OFFERED' },
  });

export interface RentedNumber {
  /** The provider's own. */
  activationId: string;
  /** In E.164 form. */
  number: string;
}

/** The state of a number; `gone`: unknown to its provider. */
export type ActivationState =
  | { status: 'waiting' | 'cancelled' | 'gone' }
  | { status: 'received'; code: string };

/** A number as the provider's list of all shows it. */
export interface ListedNumber extends RentedNumber, NumberTerms {
  state: ActivationState;
  rentedAtMs: number;
}

/**
 * - `cancelled`: returned, now or before
 * - `tooEarly`: not yet possible
 * - `received`: a code has arrived, so the number is charged
 * - `gone`: unknown to the provider
 */
export type Cancelled = 'cancelled' | 'tooEarly' | 'received' | 'gone';

/**
 * A provider of numbers that receive one code. Methods throw ProviderError, or DomainError when the provider declines;
 * neither holds text, address or key of the provider.
 */
export interface VirtualNumbers {
  /** Stored with each purchase. */
  readonly name: string;
  /** Decimal dollars of one number; undefined when none is available. */
  price(wanted: NumberTerms): Promise<string | undefined>;
  /**
   * Rents one number with one request. A lost reply is `unknownOutcome`.
   * @param maxUsd maximum price
   */
  rent(wanted: NumberTerms, maxUsd: string): Promise<RentedNumber>;
  /** Reads the state of one number. */
  state(activationId: string): Promise<ActivationState>;
  /** All rented numbers with their codes; undefined when the provider has no such list. */
  active(): Promise<readonly ListedNumber[] | undefined>;
  cancel(activationId: string): Promise<Cancelled>;
}

/** Injection token. */
export const VirtualNumbers = Symbol('VirtualNumbers');

/** A number lives for 20 minutes; every provider refunds an unused one then. */
export const numberLifeMs = 20 * 60_000;

/** Providers reject the return of a number for two minutes after the rental; one second more for clock skew. */
export const earliestCancelMs = 121_000;
