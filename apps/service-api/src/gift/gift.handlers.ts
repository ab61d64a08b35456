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
import { type CallContext, type FieldError, Handles, pageWithNext, Validates } from '@tollbridge/rpc';
import { GiftCatalogue } from './gift.catalogue';
import { AirtimeProviders } from './airtime/airtime-provider';
import { checkedPhone, readPhone } from './airtime/phone';
import { TopUps } from './airtime/top-ups';
import { BillPayments } from './bills/bill-payments';
import { BillProviders } from './bills/bill-provider';
import { GiftCardOrders } from './gift-cards/gift-card-orders';
import { GiftCardProviders } from './gift-cards/gift-card-provider';
import { readUpstream } from './gift-failures';

@Controller()
@Handles(giftApi)
export class GiftHandlers {
  constructor(
    private readonly catalogue: GiftCatalogue,
    private readonly giftCards: GiftCardProviders,
    private readonly airtime: AirtimeProviders,
    private readonly bills: BillProviders,
    private readonly orders: GiftCardOrders,
    private readonly topUps: TopUps,
    private readonly payments: BillPayments,
  ) {}

  async listGiftCards({ country = 'US', ...query }: GiftCardsQuery): Promise<GiftCardProduct[]> {
    const page = pageRequest(query);
    const found = await this.catalogue.productsOf(this.giftCards.seller, country.toUpperCase(), page);
    return toPage(found, page);
  }

  orderGiftCard(request: GiftCardOrderRequest, context: CallContext): Promise<GiftCardOrder> {
    return this.orders.order(request, context);
  }

  @Validates(giftApi.operations.detectOperator)
  validateDetectOperator({ phone, country }: Partial<DetectQuery>): FieldError[] {
    if (phone === undefined || country === undefined) return [];
    return validatePhone(phone, country, { number: 'phone', country: 'country' });
  }

  async detectOperator({ phone, country }: DetectQuery): Promise<AirtimeOperator> {
    const { international, digits } = checkedPhone(phone, country);
    const { shown } = await this.catalogue.detectOperator(this.airtime.seller, digits, country.toUpperCase());
    return { ...shown, phone: international };
  }

  @Validates(giftApi.operations.topUpPhone)
  validateTopUpPhone({ recipientPhone }: Partial<TopUpRequest>): FieldError[] {
    if (recipientPhone === undefined) return [];
    const names = { number: 'recipientPhone.number', country: 'recipientPhone.countryCode' };
    return validatePhone(recipientPhone.number, recipientPhone.countryCode, names);
  }

  topUpPhone(request: TopUpRequest, context: CallContext): Promise<TopUp> {
    const { number, countryCode } = request.recipientPhone;
    return this.topUps.topUp(request, checkedPhone(number, countryCode), context);
  }

  async listBillers({ country, type, ...query }: BillersQuery): Promise<Biller[]> {
    const page = pageRequest(query);
    const filter = { country: country?.toUpperCase(), type };
    return toPage(await this.catalogue.billersOf(this.bills.seller, filter, page), page);
  }

  payBill(request: PayBillRequest, context: CallContext): Promise<BillPayment> {
    return this.payments.pay(request, context);
  }

  async getServiceBalance(): Promise<ServiceBalance> {
    return readUpstream(this.giftCards.seller.balance());
  }
}

function validatePhone(
  number: string,
  country: string,
  names: { number: string; country: string },
): FieldError[] {
  const read = readPhone(number, country);
  return 'phone' in read ? [] : [{ field: names[read.wrong], message: read.message }];
}

/** Reads a `size` above the maximum as the maximum, like the `limit` of other lists. */
function pageRequest({ page = 1, size = maxGiftItems }: { page?: number; size?: number }) {
  return { page, size: Math.min(size, maxGiftItems) };
}

// Pages are numbered, so the reply contains no cursor.
const toPage = <T>(found: readonly { shown: T }[], { size }: { size: number }): T[] =>
  pageWithNext(
    found.map(({ shown }) => shown),
    undefined,
    size,
  );
