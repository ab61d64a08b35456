import type { ServiceBalance } from '@tollbridge/contracts';
import type { Progress } from '../../purchases/purchase';
import { Decimal } from '@tollbridge/money';
import { purchaseDeclined } from '../gift-failures';
import type {
  GiftCardProvider,
  GiftCardResult,
  GiftCardTerms,
  Product,
} from '../gift-cards/gift-card-provider';
import type { GiftProviderDefinition } from '../providers/gift-provider';

const maxPrice = Decimal.of('100');

/** A second gift-card provider, in memory. Orders are pending until `deliver` is called. */
export class PaperProvider implements GiftCardProvider {
  readonly name = 'paper';
  readonly settleMs = 1_000;
  readonly productId = 7;
  /** References of all lookups. */
  readonly lookups: string[] = [];
  private readonly orders = new Map<string, { terms: GiftCardTerms; transactionId: number }>();
  private isDelivered = false;

  /** The registry entry. */
  readonly definition: GiftProviderDefinition<Record<never, never>> = {
    settings: {},
    open: () => ({ giftCards: this }),
  };

  deliver(): void {
    this.isDelivered = true;
  }

  async product(productId: number): Promise<Product | undefined> {
    return productId === this.productId ? this.paperCard() : undefined;
  }

  async productsOf(country: string): Promise<Product[] | undefined> {
    return country === 'US' ? [this.paperCard()] : undefined;
  }

  async order(terms: GiftCardTerms, reference: string): Promise<Progress<GiftCardResult>> {
    if (Decimal.of(terms.unitPrice).compare(maxPrice) > 0)
      throw purchaseDeclined('AMOUNT_NOT_TAKEN', 'The provider does not accept this amount.');
    const known = this.orders.get(reference) ?? { terms, transactionId: this.orders.size + 1 };
    this.orders.set(reference, known);
    return this.progressOf(known);
  }

  async find(reference: string): Promise<Progress<GiftCardResult> | undefined> {
    this.lookups.push(reference);
    const known = this.orders.get(reference);
    return known && this.progressOf(known);
  }

  async codesOf(transactionId: number) {
    const order = [...this.orders.values()].find((it) => it.transactionId === transactionId)!;
    return Array.from({ length: order.terms.quantity }, (_, index) => ({
      cardNumber: `PAPER-${transactionId}-${index}`,
      pinCode: null,
    }));
  }

  async balance(): Promise<ServiceBalance> {
    return {
      balance: 1_000,
      currencyCode: 'USD',
      currencyName: 'US Dollar',
      updatedAt: '2026-03-01T10:20:30.000Z',
    };
  }

  private progressOf({ terms, transactionId }: { terms: GiftCardTerms; transactionId: number }) {
    const { productId, quantity, recipientEmail } = terms;
    const unitPrice = Decimal.of(terms.unitPrice);
    const total = unitPrice.times(Decimal.of(String(quantity)));
    const result: GiftCardResult = {
      transactionId,
      amount: total.number,
      currencyCode: 'USD',
      discount: 0,
      fee: 0,
      recipientEmail,
      product: {
        productId,
        productName: 'Paper card',
        countryCode: 'US',
        quantity,
        unitPrice: unitPrice.number,
        totalPrice: total.number,
        currencyCode: 'USD',
      },
      transactionCreatedTime: '2026-03-01T10:20:30.000Z',
    };
    const status = this.isDelivered ? ('completed' as const) : ('pending' as const);
    return { status, providerId: `paper-${transactionId}`, result, valueUsd: total.text };
  }

  private paperCard(): Product {
    return {
      shown: {
        productId: this.productId,
        productName: 'Paper card',
        countryCode: 'US',
        countryName: 'United States',
        brandName: 'Paper',
        categoryName: null,
        denominationType: 'RANGE',
        recipientCurrencyCode: 'USD',
        minRecipientDenomination: 1,
        maxRecipientDenomination: 500,
        fixedRecipientDenominations: [],
        senderCurrencyCode: 'USD',
        minSenderDenomination: 1,
        maxSenderDenomination: 500,
        fixedSenderDenominations: [],
        senderFee: 0,
        senderFeePercentage: 0,
        discountPercentage: 0,
        logoUrls: [],
        redeemInstructions: null,
      },
      choice: { fixed: [], min: Decimal.one, max: Decimal.of('500') },
      rate: Decimal.one,
      fixedPrices: [],
      feePercentage: Decimal.zero,
      fee: Decimal.zero,
      needsMore: false,
      isActive: true,
    };
  }
}
