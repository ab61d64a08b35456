import { Injectable } from '@nestjs/common';
import type { GiftCardCode } from '@tollbridge/contracts';
import { decimalNumber } from '@tollbridge/money';
import type { Progress } from '../purchases/purchase';
import type { PurchaseKind } from '../purchases/purchase-kind';
import { valueUsd } from './amounts';
import { Decimal } from './decimal';
import { Reloadly, statusOf } from './reloadly/reloadly';
import {
  decimalOf,
  decimalOr,
  fieldsOf,
  integerOf,
  listOf,
  optionalText,
  secretOf,
  textOf,
  timeOf,
} from './reloadly/reloadly.fields';

export interface GiftCardTerms {
  productId: number;
  quantity: number;
  /** Decimal text. */
  unitPrice: string;
  senderName: string;
  recipientEmail: string | null;
}

/** As the provider tells an order, without its codes. */
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

// A failing operator was seen to hold a request for 52 s.
export const settleMs = 120_000;

/** Gift cards, as they are bought from the provider and found again. */
@Injectable()
export class GiftCards implements PurchaseKind<GiftCardTerms> {
  readonly kind = 'gift-card';
  readonly spend = 'purchase';
  readonly settleMs = settleMs;

  constructor(private readonly reloadly: Reloadly) {}

  buy(terms: GiftCardTerms, reference: string): Promise<Progress> {
    const { productId, quantity, unitPrice, senderName, recipientEmail } = terms;
    const body = {
      ...{
        productId,
        quantity,
        unitPrice: decimalNumber(unitPrice),
        senderName,
        customIdentifier: reference,
      },
      ...(recipientEmail !== null && { recipientEmail }),
    };
    const order = { api: 'giftcards', path: '/orders', body } as const;
    return this.reloadly.buy(order, progressOf, () => this.find(reference));
  }

  find(reference: string): Promise<Progress | undefined> {
    const request = { path: '/reports/transactions', query: { customIdentifier: reference } };
    const referenceOf = (item: unknown) => fieldsOf(item, 'transaction')['customIdentifier'];
    return this.reloadly.find('giftcards', request, { reference, referenceOf, map: progressOf });
  }

  /** The codes, straight from the provider for one reply: they are kept nowhere. */
  async codesOf(transactionId: number): Promise<GiftCardCode[]> {
    const path = `/orders/transactions/${transactionId}/cards`;
    return this.reloadly.read('giftcards', { path }, (reply) => listOf(reply, 'cards').map(readCode));
  }
}

function readCode(value: unknown): GiftCardCode {
  const { cardNumber, pinCode } = fieldsOf(value, 'card');
  return { cardNumber: secretOf(cardNumber, 'cardNumber'), pinCode: secretOf(pinCode, 'pinCode') };
}

function progressOf(value: unknown): Progress {
  const fields = fieldsOf(value, 'order');
  const product = fieldsOf(fields['product'], 'product');
  const number = (given: unknown, name: string): number => decimalOf(given, name).number;
  const amount = decimalOf(fields['amount'], 'amount');
  const currencyCode = textOf(fields['currencyCode'], 'currencyCode');
  const result: GiftCardResult = {
    transactionId: integerOf(fields['transactionId'], 'transactionId'),
    ...{ amount: amount.number, currencyCode },
    discount: decimalOr(fields['discount'], 'discount', Decimal.zero).number,
    fee: decimalOr(fields['totalFee'] ?? fields['fee'], 'fee', Decimal.zero).number,
    recipientEmail: optionalText(fields['recipientEmail']),
    product: {
      productId: integerOf(product['productId'], 'productId'),
      productName: textOf(product['productName'], 'productName'),
      countryCode: textOf(product['countryCode'], 'countryCode'),
      quantity: integerOf(product['quantity'], 'quantity'),
      unitPrice: number(product['unitPrice'], 'unitPrice'),
      totalPrice: number(product['totalPrice'], 'totalPrice'),
      currencyCode: textOf(product['currencyCode'], 'currencyCode'),
    },
    transactionCreatedTime: timeOf(fields['transactionCreatedTime'], 'transactionCreatedTime'),
  };
  const cost = valueUsd(amount, currencyCode);
  return {
    status: statusOf(fields['status']),
    providerId: String(result.transactionId),
    result: { ...result },
    ...(cost !== null && { valueUsd: cost }),
  };
}
