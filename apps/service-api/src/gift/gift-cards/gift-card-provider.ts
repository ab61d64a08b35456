import type { GiftCardCode, GiftCardProduct, ServiceBalance } from '@tollbridge/contracts';
import type { Progress } from '../../purchases/purchase';
import type { Choice } from '../amounts';
import type { Decimal } from '@tollbridge/money';
import { Providers, type NamedProvider } from '../providers/providers';

/** A product with the figures that validate and price an order. */
export interface Product {
  shown: GiftCardProduct;
  choice: Choice;
  /** Units of the paying currency per unit of the card's currency; null when the provider publishes no rate. */
  rate: Decimal | null;
  fixedPrices: readonly Decimal[];
  feePercentage: Decimal;
  fee: Decimal;
  /** The product requires recipient data that an order of this API cannot carry. */
  needsMore: boolean;
  isActive: boolean;
}

export interface GiftCardTerms {
  productId: number;
  quantity: number;
  /** Decimal text, in the card's currency. */
  unitPrice: string;
  senderName: string;
  recipientEmail: string | null;
}

/** An order as the provider reports it, without its codes. */
export interface GiftCardResult {
  transactionId: number;
  amount: number;
  currencyCode: string;
  discount: number;
  fee: number;
  recipientEmail: string | null;
  product: {
    productId: number;
    productName: string;
    countryCode: string;
    quantity: number;
    unitPrice: number;
    totalPrice: number;
    currencyCode: string;
  };
  transactionCreatedTime: string;
}

/**
 * Sells gift cards. Each method sends one request and never repeats one that may have taken effect.
 * All methods throw ProviderError when the provider fails.
 */
export interface GiftCardProvider extends NamedProvider {
  /** Returns undefined for an id that the provider does not sell. */
  product(productId: number): Promise<Product | undefined>;
  /** @param country ISO 3166-1 alpha-2; returns undefined for a country that the provider does not serve */
  productsOf(country: string): Promise<Product[] | undefined>;
  /**
   * @param reference unique per order: the provider stores it, and `find` looks the order up by it
   * @throws DomainError PURCHASE_REFUSED when the provider declined: nothing was bought
   */
  order(terms: GiftCardTerms, reference: string): Promise<Progress<GiftCardResult>>;
  /** Returns undefined when the provider has no order with this reference. */
  find(reference: string): Promise<Progress<GiftCardResult> | undefined>;
  /** Codes are read for one reply. They are never stored or logged. */
  codesOf(transactionId: number): Promise<GiftCardCode[]>;
  /** The remaining balance of this deployment at the provider. */
  balance(): Promise<ServiceBalance>;
}

/** Injection token: the configured gift-card providers. */
export class GiftCardProviders extends Providers<GiftCardProvider> {}
