import type { AirtimeOperator, PinDetail } from '@tollbridge/contracts';
import type { Progress } from '../../purchases/purchase';
import type { Choice } from '../amounts';
import type { Decimal } from '@tollbridge/money';
import { Providers, type NamedProvider } from '../providers/providers';

/** An operator with the figures that validate and price a top-up. */
export interface Operator {
  shown: Omit<AirtimeOperator, 'phone'>;
  choice: Choice;
  localChoice: Choice;
  /** Units of the local currency per unit of the paying currency; null when the provider publishes no rate. */
  rate: Decimal | null;
  fees: {
    international: Decimal;
    internationalPercentage: Decimal;
    local: Decimal;
    localPercentage: Decimal;
  };
  isActive: boolean;
}

export interface TopUpTerms {
  operatorId: number;
  /** Decimal text, in the operator's currency with `useLocalAmount`, otherwise in the paying currency. */
  amount: string;
  useLocalAmount: boolean;
  countryCode: string;
  /** Digits of the E.164 number, without the plus. */
  phone: string;
}

/** A top-up as the provider reports it, without the PIN that it may deliver. */
export interface TopUpResult {
  transactionId: number;
  operatorTransactionId: string | null;
  operatorId: number;
  operatorName: string;
  countryCode: string;
  requestedAmount: number;
  requestedAmountCurrencyCode: string;
  deliveredAmount: number | null;
  deliveredAmountCurrencyCode: string | null;
  discount: number;
  fee: number;
  transactionDate: string;
}

/**
 * Tops phones up. Each method sends one request and never repeats one that may have taken effect.
 * All methods throw ProviderError when the provider fails.
 */
export interface AirtimeProvider extends NamedProvider {
  /** Returns undefined for an id that the provider does not support. */
  operator(operatorId: number): Promise<Operator | undefined>;
  /**
   * @param digits E.164 without the plus
   * @param country ISO 3166-1 alpha-2; returns undefined when the provider cannot detect the operator
   */
  detectOperator(digits: string, country: string): Promise<Operator | undefined>;
  /**
   * @param reference unique per top-up: the provider stores it, and `find` looks the top-up up by it
   * @throws DomainError PURCHASE_REFUSED when the provider declined: nothing was bought
   */
  topUp(terms: TopUpTerms, reference: string): Promise<Progress<TopUpResult>>;
  /** Returns undefined when the provider has no top-up with this reference. */
  find(reference: string): Promise<Progress<TopUpResult> | undefined>;
  /** The PIN that some operators deliver instead of credit. It is read for one reply and never stored. */
  pinOf(transactionId: number): Promise<PinDetail | null>;
}

/** Injection token: the configured airtime providers. */
export class AirtimeProviders extends Providers<AirtimeProvider> {}
