import { Injectable } from '@nestjs/common';
import {
  giftApi,
  type GiftCardOrderRequest,
  type PayBillRequest,
  type TopUpRequest,
} from '@tollbridge/contracts';
import type { SoldService } from '../sales/sold-services';
import { checkedPhone } from './airtime/phone';
import { TopUps } from './airtime/top-ups';
import { BillPayments } from './bills/bill-payments';
import { GiftCardOrders } from './gift-cards/gift-card-orders';
import { purchaseDeclined } from './gift-failures';

/** Defines gift cards, airtime and bills as services that are sold for payments. */
@Injectable()
export class GiftSales {
  constructor(
    private readonly orders: GiftCardOrders,
    private readonly topUps: TopUps,
    private readonly payments: BillPayments,
  ) {}

  get services(): SoldService[] {
    const { orders, topUps, payments } = this;
    const services: [
      SoldService<GiftCardOrderRequest>,
      SoldService<TopUpRequest>,
      SoldService<PayBillRequest>,
    ] = [
      {
        operation: giftApi.operations.orderGiftCard,
        purchaseKind: 'gift-card',
        costUsd: async (input) => requirePrice((await orders.inputFor(input)).valueUsd),
        run: (input, context) => orders.order(input, context),
      },
      {
        operation: giftApi.operations.topUpPhone,
        purchaseKind: 'airtime',
        costUsd: async (input) => requirePrice((await topUps.inputFor(input, phoneOf(input))).valueUsd),
        run: (input, context) => topUps.topUp(input, phoneOf(input), context),
      },
      {
        operation: giftApi.operations.payBill,
        purchaseKind: 'bill',
        costUsd: async (input) => requirePrice((await payments.inputFor(input)).valueUsd),
        run: (input, context) => payments.pay(input, context),
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
