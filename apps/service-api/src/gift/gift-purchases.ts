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
import { Purchases } from '../purchases/purchases';
import { Airtime, type TopUpResult, type TopUpTerms } from './airtime';
import { highestCostOfTopUp, problemsOfTopUp } from './airtime-operator';
import { valueUsd } from './amounts';
import { amountIdOf, costOfPayment, problemsOfPayment } from './biller';
import { Bills, type BillResult, type BillTerms } from './bills';
import { Decimal } from './decimal';
import { highestCost, problemsOfOrder } from './gift-card-product';
import { GiftCards, type GiftCardResult, type GiftCardTerms } from './gift-cards';
import { GiftCatalogue } from './gift.catalogue';
import type { Phone } from './phone';
import { refused } from './reloadly/reloadly.errors';

/** The three purchases: what is asked for is checked against the catalogue, bought once, and told with its codes. */
@Injectable()
export class GiftPurchases {
  constructor(
    private readonly catalogue: GiftCatalogue,
    private readonly purchases: Purchases,
    private readonly giftCards: GiftCards,
    private readonly airtime: Airtime,
    private readonly bills: Bills,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  async orderGiftCard(request: GiftCardOrderRequest, context: CallContext): Promise<GiftCardOrder> {
    const { productId, quantity, senderName, recipientEmail = null, customIdentifier } = request;
    const unitPrice = exact(request.unitPrice);
    const product = await this.catalogue.product(productId);
    requireNone(problemsOfOrder({ ...request, unitPrice }, product));
    const { shown } = product!;
    const terms: GiftCardTerms = {
      productId,
      quantity,
      unitPrice: unitPrice.text,
      senderName,
      recipientEmail,
    };
    const purchase = await this.purchases.buy(
      this.giftCards,
      {
        terms,
        ...named(customIdentifier),
        valueUsd: valueUsd(highestCost(product!, unitPrice, quantity), shown.senderCurrencyCode),
        description: `${quantity} x ${shown.productName} of ${unitPrice.text} ${shown.recipientCurrencyCode}`,
      },
      context,
    );
    const result = delivered<GiftCardResult>(purchase);
    const read = async (): Promise<GiftCardCode[] | null> => {
      const codes = await this.giftCards.codesOf(result.transactionId);
      return codes.length > 0 ? codes : null;
    };
    return { ...result, ...toldOf(purchase), cards: await this.secretOf(purchase, read) };
  }

  async topUp(request: TopUpRequest, phone: Phone, context: CallContext): Promise<TopUp> {
    const { operatorId, useLocalAmount = false, customIdentifier } = request;
    const countryCode = request.recipientPhone.countryCode.toUpperCase();
    const amount = exact(request.amount);
    const operator = await this.catalogue.operator(operatorId);
    const asked = { amount, useLocalAmount, countryCode };
    requireNone(problemsOfTopUp(asked, operator));
    const { shown } = operator!;
    const terms: TopUpTerms = {
      ...{ operatorId, amount: amount.text, useLocalAmount, countryCode, phone: phone.digits },
    };
    const purchase = await this.purchases.buy(
      this.airtime,
      {
        terms,
        ...named(customIdentifier),
        valueUsd: valueUsd(highestCostOfTopUp(asked, operator!), shown.senderCurrencyCode),
        description: `Top-up of ${amount.text} with ${shown.name}`,
      },
      context,
    );
    const result = delivered<TopUpResult>(purchase);
    const pinDetail = await this.secretOf(purchase, () => this.airtime.pinOf(result.transactionId));
    return { ...result, ...toldOf(purchase), recipientPhone: phone.international, pinDetail };
  }

  async payBill(request: PayBillRequest, context: CallContext): Promise<BillPayment> {
    const { billerId, subscriberAccountNumber, useLocalAmount = false, customIdentifier } = request;
    const amount = exact(request.amount);
    const biller = await this.catalogue.biller(billerId);
    const asked = { amount, useLocalAmount };
    requireNone(problemsOfPayment(asked, biller));
    const { shown } = biller!;
    const currency = shown.internationalTransactionCurrencyCode;
    const terms: BillTerms = {
      ...{ billerId, subscriberAccountNumber, amount: amount.text, useLocalAmount },
      amountId: amountIdOf(asked, biller!),
    };
    const purchase = await this.purchases.buy(
      this.bills,
      {
        terms,
        ...named(customIdentifier),
        valueUsd: valueUsd(costOfPayment(asked, biller!), currency),
        description: `Bill of ${amount.text} by ${shown.name}`,
      },
      context,
    );
    const { amountCurrencyCode, ...result } = delivered<BillResult>(purchase);
    return {
      ...{ ...result, ...toldOf(purchase), billerId, subscriberAccountNumber, amount: amount.number },
      amountCurrencyCode:
        amountCurrencyCode ?? (useLocalAmount ? shown.localTransactionCurrencyCode : currency),
      pinDetails: await this.secretOf(purchase, () => this.bills.tokenOf(result.transactionId)),
    };
  }

  /** Codes for this one reply. What was bought is told also when they cannot be read at the moment. */
  private async secretOf<T>(purchase: Purchase, read: () => Promise<T | null>): Promise<T | null> {
    if (purchase.status !== 'completed') return null;
    try {
      return await read();
    } catch (err) {
      this.logger.warn({ purchaseId: purchase.id, err }, 'the codes of a purchase could not be read');
      return null;
    }
  }
}

/** As JSON wrote it: the binding lets no number through that a double cannot hold. */
const exact = (amount: number): Decimal => Decimal.of(decimalText(amount)!);

const named = (reference: string | undefined) => (reference === undefined ? {} : { reference });

const requireNone = (problems: FieldError[]): void => {
  if (problems.length > 0) throw DomainError.invalid(problems);
};

/** @throws DomainError for what was taken and came to nothing */
function delivered<T>({ status, result }: Purchase): T {
  if (status === 'failed')
    throw refused('NOT_DELIVERED', 'The purchase could not be delivered. Nothing was charged.');
  if (status === 'refunded')
    throw refused('REFUNDED', 'The purchase could not be delivered. Its price was refunded.');
  return result as T;
}

const toldOf = ({ id, reference, status }: Purchase) => ({
  ...{ id, customIdentifier: reference },
  status: status === 'completed' ? ('SUCCESSFUL' as const) : ('PENDING' as const),
});
