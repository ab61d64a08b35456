import { Inject, Injectable } from '@nestjs/common';
import type {
  BillPayment,
  GiftCardCode,
  GiftCardOrder,
  GiftCardOrderRequest,
  PayBillRequest,
  TopUp,
  TopUpRequest,
} from '@tollbridge/contracts';
import { DomainError, type CallContext, type FieldError } from '@tollbridge/rpc';
import { decimalText } from '@tollbridge/money';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import type { Purchase } from '../purchases/purchase';
import { Purchases, type PurchaseInput } from '../purchases/purchases';
import { Airtime } from './airtime/airtime';
import { highestCostOfTopUp, validateTopUp } from './airtime/airtime-operator';
import { AirtimeProviders, type TopUpResult, type TopUpTerms } from './airtime/airtime-provider';
import type { Phone } from './airtime/phone';
import { valueUsd } from './amounts';
import { amountIdOf, costOfPayment, validatePayment } from './bills/biller';
import { BillProviders, type BillResult, type BillTerms } from './bills/bill-provider';
import { Bills } from './bills/bills';
import { Decimal } from '@tollbridge/money';
import { highestCost, validateOrder } from './gift-cards/gift-card-product';
import { GiftCardProviders, type GiftCardResult, type GiftCardTerms } from './gift-cards/gift-card-provider';
import { GiftCards } from './gift-cards/gift-cards';
import { GiftCatalogue } from './gift.catalogue';
import { purchaseDeclined } from './gift-failures';
import type { NamedProvider, Providers } from './providers/providers';

/** Validates an order against the catalogue, buys it once, and adds the codes to the reply. */
@Injectable()
export class GiftPurchases {
  constructor(
    private readonly catalogue: GiftCatalogue,
    private readonly purchases: Purchases,
    private readonly giftCards: GiftCards,
    private readonly airtime: Airtime,
    private readonly bills: Bills,
    private readonly giftCardProviders: GiftCardProviders,
    private readonly airtimeProviders: AirtimeProviders,
    private readonly billProviders: BillProviders,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  async orderGiftCard(request: GiftCardOrderRequest, context: CallContext): Promise<GiftCardOrder> {
    const { customIdentifier } = request;
    const provider = await this.providerOf(this.giftCardProviders, this.giftCards, customIdentifier, context);
    const wanted = await this.giftCardInput(request, provider);
    const purchase = await this.purchases.buy(this.giftCards, wanted, context);
    const result = deliveredResult<GiftCardResult>(purchase);
    const readCodes = async (): Promise<GiftCardCode[] | null> => {
      const codes = await this.giftCardProviders.byName(purchase.provider).codesOf(result.transactionId);
      return codes.length > 0 ? codes : null;
    };
    return { ...result, ...stateOf(purchase), cards: await this.readSecret(purchase, readCodes) };
  }

  /** The purchase of an order, validated against the catalogue. @throws DomainError VALIDATION_ERROR */
  async giftCardInput(
    request: GiftCardOrderRequest,
    provider = this.giftCardProviders.seller,
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

  async topUp(request: TopUpRequest, phone: Phone, context: CallContext): Promise<TopUp> {
    const { customIdentifier } = request;
    const provider = await this.providerOf(this.airtimeProviders, this.airtime, customIdentifier, context);
    const wanted = await this.topUpInput(request, phone, provider);
    const purchase = await this.purchases.buy(this.airtime, wanted, context);
    const result = deliveredResult<TopUpResult>(purchase);
    const readPin = () => this.airtimeProviders.byName(purchase.provider).pinOf(result.transactionId);
    const pinDetail = await this.readSecret(purchase, readPin);
    return { ...result, ...stateOf(purchase), recipientPhone: phone.international, pinDetail };
  }

  /** The purchase of a top-up, validated against the catalogue. @throws DomainError VALIDATION_ERROR */
  async topUpInput(
    request: TopUpRequest,
    phone: Phone,
    provider = this.airtimeProviders.seller,
  ): Promise<PurchaseInput<TopUpTerms>> {
    const { operatorId, useLocalAmount = false, customIdentifier } = request;
    const countryCode = request.recipientPhone.countryCode.toUpperCase();
    const amount = exact(request.amount);
    const operator = await this.catalogue.operator(provider, operatorId);
    const asked = { amount, useLocalAmount, countryCode };
    requireValid(validateTopUp(asked, operator));
    const { shown } = operator!;
    return {
      terms: { operatorId, amount: amount.text, useLocalAmount, countryCode, phone: phone.digits },
      provider: provider.name,
      ...withReference(customIdentifier),
      valueUsd: valueUsd(highestCostOfTopUp(asked, operator!), shown.senderCurrencyCode),
      description: `Top-up of ${amount.text} with ${shown.name}`,
    };
  }

  async payBill(request: PayBillRequest, context: CallContext): Promise<BillPayment> {
    const { billerId, subscriberAccountNumber, useLocalAmount = false, customIdentifier } = request;
    const provider = await this.providerOf(this.billProviders, this.bills, customIdentifier, context);
    const wanted = await this.billInput(request, provider);
    const { shown } = (await this.catalogue.biller(provider, billerId))!;
    const currency = shown.internationalTransactionCurrencyCode;
    const purchase = await this.purchases.buy(this.bills, wanted, context);
    const { amountCurrencyCode, ...result } = deliveredResult<BillResult>(purchase);
    const readToken = () => this.billProviders.byName(purchase.provider).tokenOf(result.transactionId);
    return {
      ...result,
      ...stateOf(purchase),
      billerId,
      subscriberAccountNumber,
      amount: exact(request.amount).number,
      amountCurrencyCode:
        amountCurrencyCode ?? (useLocalAmount ? shown.localTransactionCurrencyCode : currency),
      pinDetails: await this.readSecret(purchase, readToken),
    };
  }

  /** The purchase of a bill, validated against the catalogue. @throws DomainError VALIDATION_ERROR */
  async billInput(
    request: PayBillRequest,
    provider = this.billProviders.seller,
  ): Promise<PurchaseInput<BillTerms>> {
    const { billerId, subscriberAccountNumber, useLocalAmount = false, customIdentifier } = request;
    const amount = exact(request.amount);
    const biller = await this.catalogue.biller(provider, billerId);
    const asked = { amount, useLocalAmount };
    requireValid(validatePayment(asked, biller));
    const { shown } = biller!;
    const amountId = amountIdOf(asked, biller!);
    return {
      terms: { billerId, subscriberAccountNumber, amount: amount.text, useLocalAmount, amountId },
      provider: provider.name,
      ...withReference(customIdentifier),
      valueUsd: valueUsd(costOfPayment(asked, biller!), shown.internationalTransactionCurrencyCode),
      description: `Bill of ${amount.text} by ${shown.name}`,
    };
  }

  /** The provider that sells; for a repeated reference, the provider that its purchase was made with. */
  private async providerOf<T extends NamedProvider>(
    providers: Providers<T>,
    { kind }: { kind: string },
    reference: string | undefined,
    context: CallContext,
  ): Promise<T> {
    const { seller } = providers;
    const before = await this.purchases.findBefore(kind, reference, context);
    return before ? providers.byName(before.provider) : seller;
  }

  /** Reads codes for one reply. A failure does not hide the purchase. */
  private async readSecret<T>(purchase: Purchase, read: () => Promise<T | null>): Promise<T | null> {
    if (purchase.status !== 'completed') return null;
    try {
      return await read();
    } catch (err) {
      this.logger.warn({ purchaseId: purchase.id, err }, 'purchase codes not read');
      return null;
    }
  }
}

/** As JSON wrote it: validation rejects a number that a double cannot hold. */
const exact = (amount: number): Decimal => Decimal.of(decimalText(amount)!);

const withReference = (reference: string | undefined) => (reference === undefined ? {} : { reference });

const requireValid = (errors: FieldError[]): void => {
  if (errors.length > 0) throw DomainError.invalid(errors);
};

/** @throws DomainError for a purchase that the provider accepted and did not deliver */
function deliveredResult<T>({ status, result }: Purchase): T {
  if (status === 'failed')
    throw purchaseDeclined('NOT_DELIVERED', 'The purchase could not be delivered. Nothing was charged.');
  if (status === 'refunded')
    throw purchaseDeclined('REFUNDED', 'The purchase could not be delivered. Its price was refunded.');
  return result as T;
}

const stateOf = ({ id, reference, status }: Purchase) => ({
  id,
  customIdentifier: reference,
  status: status === 'completed' ? ('SUCCESSFUL' as const) : ('PENDING' as const),
});
