import { Injectable } from '@nestjs/common';
import { giftApi, type GiftCardOrderRequest, type TopUpRequest } from '@tollbridge/contracts';
import type { SoldService } from '../sales/sold-services';
import { checkedPhone } from './airtime/phone';
import { GiftPurchases } from './gift-purchases';
import { purchaseDeclined } from './gift-failures';

/** Gift cards and airtime, as they are sold for payments. */
@Injectable()
export class GiftSales {
  constructor(private readonly purchases: GiftPurchases) {}

  get services(): [SoldService<GiftCardOrderRequest>, SoldService<TopUpRequest>] {
    const { purchases } = this;
    return [
      {
        operation: giftApi.operations.orderGiftCard,
        purchaseKind: 'gift-card',
        costUsd: async (input) => requirePrice((await purchases.giftCardWish(input)).valueUsd),
        run: (input, context) => purchases.orderGiftCard(input, context),
      },
      {
        operation: giftApi.operations.topUpPhone,
        purchaseKind: 'airtime',
        costUsd: async (input) => requirePrice((await purchases.topUpWish(input, phoneOf(input))).valueUsd),
        run: (input, context) => purchases.topUp(input, phoneOf(input), context),
      },
    ];
  }
}

const phoneOf = ({ recipientPhone: { number, countryCode } }: TopUpRequest) =>
  checkedPhone(number, countryCode);

/** What has no price in dollars cannot be sold without a loss. */
function requirePrice(valueUsd: string | null): string {
  if (valueUsd !== null) return valueUsd;
  throw purchaseDeclined('NO_DOLLAR_PRICE', 'This product has no price in dollars. Buy it with an API key.');
}
