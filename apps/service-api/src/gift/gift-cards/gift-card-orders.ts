import { Injectable } from '@nestjs/common';
import type { GiftCardCode, GiftCardOrder, GiftCardOrderRequest } from '@tollbridge/contracts';
import type { CallContext } from '@tollbridge/rpc';
import type { PurchaseInput } from '../../purchases/purchases';
import { valueUsd } from '../amounts';
import { exact, GiftPurchases, requireValid, stateOf, withReference } from '../gift-purchases';
import { GiftCatalogue } from '../gift.catalogue';
import { highestCost, validateOrder } from './gift-card-product';
import { GiftCardProviders, type GiftCardResult, type GiftCardTerms } from './gift-card-provider';
import { GiftCards } from './gift-cards';

/** Validates orders of gift cards against the catalogue, buys them, and adds the codes to the reply. */
@Injectable()
export class GiftCardOrders {
  constructor(
    private readonly catalogue: GiftCatalogue,
    private readonly purchases: GiftPurchases,
    private readonly giftCards: GiftCards,
    private readonly providers: GiftCardProviders,
  ) {}

  async order(request: GiftCardOrderRequest, context: CallContext): Promise<GiftCardOrder> {
    const { customIdentifier } = request;
    const provider = await this.purchases.providerOf(
      this.providers,
      this.giftCards,
      customIdentifier,
      context,
    );
    const wanted = await this.inputFor(request, provider);
    const { purchase, result } = await this.purchases.buy<GiftCardResult, GiftCardTerms>(
      this.giftCards,
      wanted,
      context,
    );
    const readCodes = async (): Promise<GiftCardCode[] | null> => {
      const codes = await this.providers.byName(purchase.provider).codesOf(result.transactionId);
      return codes.length > 0 ? codes : null;
    };
    return { ...result, ...stateOf(purchase), cards: await this.purchases.readSecret(purchase, readCodes) };
  }

  /** The purchase of an order, validated against the catalogue. @throws DomainError VALIDATION_ERROR */
  async inputFor(
    request: GiftCardOrderRequest,
    provider = this.providers.seller,
  ): Promise<PurchaseInput<GiftCardTerms>> {
    const { productId, quantity, senderName, recipientEmail = null, customIdentifier } = request;
    const unitPrice = exact(request.unitPrice);
    const product = await this.catalogue.product(provider, productId);
    requireValid(validateOrder({ ...request, unitPrice }, product));
    const { shown } = product!;
    return {
      terms: { productId, quantity, unitPrice: unitPrice.text, senderName, recipientEmail },
      provider: provider.name,
      ...withReference(customIdentifier),
      valueUsd: valueUsd(highestCost(product!, unitPrice, quantity), shown.senderCurrencyCode),
      description: `${quantity} x ${shown.productName} of ${unitPrice.text} ${shown.recipientCurrencyCode}`,
    };
  }
}
