import { Injectable } from '@nestjs/common';
import {
  giftApi,
  type GiftCardOrderRequest,
  type PayBillRequest,
  type TopUpRequest,
} from '@tollbridge/contracts';
import type { SoldService } from '../sales/sold-services';
import { checkedPhone } from './airtime/phone';
import { GiftPurchases } from './gift-purchases';
import { purchaseDeclined } from './gift-failures';

/** Gift cards, airtime and bills, as they are sold for payments. */
@Injectable()
export class GiftSales {
  constructor(private readonly purchases: GiftPurchases) {}

  get services(): SoldService[] {
    const { purchases } = this;
    const services: [
      SoldService<GiftCardOrderRequest>,
      SoldService<TopUpRequest>,
      SoldService<PayBillRequest>,
    ] = [
      {
        operation: giftApi.operations.orderGiftCard,
        purchaseKind: 'gift-card',
        costUsd: async (input) => requirePrice((await purchases.giftCardInput(input)).valueUsd),
        run: (input, context) => purchases.orderGiftCard(input, context),
      },
      {
        operation: giftApi.operations.topUpPhone,
        purchaseKind: 'airtime',
        costUsd: async (input) => requirePrice((await purchases.topUpInput(input, phoneOf(input))).valueUsd),
        run: (input, context) => purchases.topUp(input, phoneOf(input), context),
      },
      {
        operation: giftApi.operations.payBill,
        purchaseKind: 'bill',
        costUsd: async (input) => requirePrice((await purchases.billInput(input)).valueUsd),
        run: (input, context) => purchases.payBill(input, context),
      },
    ];
    return services;
  }
}

const phoneOf = ({ recipientPhone: { number, countryCode } }: TopUpRequest) =>
  checkedPhone(number, countryCode);

/** A product without a price in dollars could be sold at a loss. */
function requirePrice(valueUsd: string | null): string {
  if (valueUsd !== null) return valueUsd;
  throw purchaseDeclined('NO_DOLLAR_PRICE', 'This product has no price in dollars. Buy it with an API key.');
}
