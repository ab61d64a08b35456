import type { Biller as ShownBiller, PinDetail } from '@tollbridge/contracts';
import type { Progress } from '../../purchases/purchase';
import type { Choice } from '../amounts';
import type { Decimal } from '@tollbridge/money';
import { Providers, type NamedProvider } from '../providers/providers';

/** An amount that is ordered by its id. */
export interface FixedAmount {
  id: number;
  amount: Decimal;
}

/** The amount rules of one currency: the biller's, or that of the service balance. */
export interface AmountRules {
  isSupported: boolean;
  currency: string | null;
  choice: Choice;
  fixed: readonly FixedAmount[];
  fee: Decimal;
  feePercentage: Decimal;
}

/** A biller with the figures that validate and price a payment. */
export interface Biller {
  shown: ShownBiller;
  local: AmountRules;
  international: AmountRules;
  /** Units of the local currency per unit of the international one; null when the provider publishes no rate. */
  rate: Decimal | null;
}

export interface BillTerms {
  billerId: number;
  subscriberAccountNumber: string;
  /** Decimal text. */
  amount: string;
  useLocalAmount: boolean;
  /** Id of a fixed amount; null for every other amount. */
  amountId: number | null;
}

/** A payment as the provider reports it, without the token that it may deliver. */
export interface BillResult {
  transactionId: number;
  /** Null until the payment is looked up. */
  amountCurrencyCode: string | null;
  /** Null until the payment is looked up. */
  fee: number | null;
  submittedAt: string;
}

/**
 * Pays utility bills. Each method sends one request and never repeats one that may have taken effect.
 * All methods throw ProviderError when the provider fails.
 */
export interface BillProvider extends NamedProvider {
  /** Returns undefined for an id that the provider does not support. */
  biller(billerId: number): Promise<Biller | undefined>;
  /** @param country ISO 3166-1 alpha-2; undefined returns the billers of all countries */
  billersOf(country: string | undefined): Promise<Biller[]>;
  /**
   * @param reference unique per payment: the provider stores it, and `find` looks the payment up by it
   * @throws DomainError PURCHASE_REFUSED when the provider declined: nothing was paid
   */
  pay(terms: BillTerms, reference: string): Promise<Progress<BillResult>>;
  /** Returns undefined when the provider has no payment with this reference. */
  find(reference: string): Promise<Progress<BillResult> | undefined>;
  /** The token that recharges a prepaid meter. It is read for one reply and never stored. */
  tokenOf(transactionId: number): Promise<PinDetail | null>;
}

/** Injection token: the configured bill providers. */
export class BillProviders extends Providers<BillProvider> {}
