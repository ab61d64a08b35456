import { Controller } from '@nestjs/common';
import {
  giftApi,
  maxGiftItems,
  type AirtimeOperator,
  type Biller,
  type BillersQuery,
  type BillPayment,
  type DetectQuery,
  type GiftCardOrder,
  type GiftCardOrderRequest,
  type GiftCardProduct,
  type GiftCardsQuery,
  type PayBillRequest,
  type ServiceBalance,
  type TopUp,
  type TopUpRequest,
} from '@tollbridge/contracts';
import {
  type CallContext,
  DomainError,
  type FieldError,
  Handles,
  pageWithNext,
  Validates,
} from '@tollbridge/rpc';
import { GiftCatalogue } from './gift.catalogue';
import { GiftPurchases } from './gift-purchases';
import { readPhone, type Phone } from './phone';
import { Reloadly } from './reloadly/reloadly';
import { decimalOf, fieldsOf, textOf, timeOf } from './reloadly/reloadly.fields';

@Controller()
@Handles(giftApi)
export class GiftHandlers {
  constructor(
    private readonly catalogue: GiftCatalogue,
    private readonly purchases: GiftPurchases,
    private readonly reloadly: Reloadly,
  ) {}

  async listGiftCards({ country = 'US', ...query }: GiftCardsQuery): Promise<GiftCardProduct[]> {
    const within = withinLists(query);
    const found = await this.catalogue.productsOf(country.toUpperCase(), within);
    return pageOf(found, within);
  }

  orderGiftCard(request: GiftCardOrderRequest, context: CallContext): Promise<GiftCardOrder> {
    return this.purchases.orderGiftCard(request, context);
  }

  @Validates(giftApi.operations.detectOperator)
  validateDetectOperator({ phone, country }: Partial<DetectQuery>): FieldError[] {
    if (phone === undefined || country === undefined) return [];
    return problemsOfPhone(phone, country, { number: 'phone', country: 'country' });
  }

  async detectOperator({ phone, country }: DetectQuery): Promise<AirtimeOperator> {
    const { international, digits } = checkedPhone(phone, country);
    const { shown } = await this.catalogue.operatorOf(digits, country.toUpperCase());
    return { ...shown, phone: international };
  }

  @Validates(giftApi.operations.topUpPhone)
  validateTopUpPhone({ recipientPhone }: Partial<TopUpRequest>): FieldError[] {
    if (recipientPhone === undefined) return [];
    const names = { number: 'recipientPhone.number', country: 'recipientPhone.countryCode' };
    return problemsOfPhone(recipientPhone.number, recipientPhone.countryCode, names);
  }

  topUpPhone(request: TopUpRequest, context: CallContext): Promise<TopUp> {
    const { number, countryCode } = request.recipientPhone;
    return this.purchases.topUp(request, checkedPhone(number, countryCode), context);
  }

  async listBillers({ country, type, ...query }: BillersQuery): Promise<Biller[]> {
    const within = withinLists(query);
    const found = await this.catalogue.billersOf({ country: country?.toUpperCase(), type }, within);
    return pageOf(found, within);
  }

  payBill(request: PayBillRequest, context: CallContext): Promise<BillPayment> {
    return this.purchases.payBill(request, context);
  }

  getServiceBalance(): Promise<ServiceBalance> {
    return this.reloadly.read('giftcards', { path: '/accounts/balance' }, (reply) => {
      const { balance, currencyCode, currencyName, updatedAt } = fieldsOf(reply, 'balance');
      return {
        balance: decimalOf(balance, 'balance').number,
        currencyCode: textOf(currencyCode, 'currencyCode', 3),
        currencyName: textOf(currencyName, 'currencyName'),
        updatedAt: timeOf(updatedAt, 'updatedAt'),
      };
    });
  }
}

function problemsOfPhone(
  number: string,
  country: string,
  names: { number: string; country: string },
): FieldError[] {
  const read = readPhone(number, country);
  return 'phone' in read ? [] : [{ field: names[read.wrong], message: read.message }];
}

/** Checked before: the binding has asked for its problems. */
function checkedPhone(number: string, country: string): Phone {
  const read = readPhone(number, country);
  if ('phone' in read) return read.phone;
  throw DomainError.invalid([{ field: read.wrong, message: read.message }]);
}

/** A `size` above the maximum is read as the maximum, as the `limit` of other lists is. */
function withinLists({ page = 1, size = maxGiftItems }: { page?: number; size?: number }) {
  return { page, size: Math.min(size, maxGiftItems) };
}

// Pages are numbered, so the reply names no next one.
const pageOf = <T>(found: readonly { shown: T }[], { size }: { size: number }): T[] =>
  pageWithNext(
    found.map(({ shown }) => shown),
    undefined,
    size,
  );
