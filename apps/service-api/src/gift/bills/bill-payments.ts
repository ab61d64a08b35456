import { Injectable } from '@nestjs/common';
import type { BillPayment, PayBillRequest } from '@tollbridge/contracts';
import type { CallContext } from '@tollbridge/rpc';
import type { PurchaseInput } from '../../purchases/purchases';
import { valueUsd } from '../amounts';
import { exact, GiftPurchases, requireValid, stateOf, withReference } from '../gift-purchases';
import { GiftCatalogue } from '../gift.catalogue';
import { BillProviders, type BillResult, type BillTerms } from './bill-provider';
import { amountIdOf, costOfPayment, validatePayment } from './biller';
import { Bills } from './bills';

/** Validates payments of bills against the catalogue, makes them, and adds the token to the reply. */
@Injectable()
export class BillPayments {
  constructor(
    private readonly catalogue: GiftCatalogue,
    private readonly purchases: GiftPurchases,
    private readonly bills: Bills,
    private readonly providers: BillProviders,
  ) {}

  async pay(request: PayBillRequest, context: CallContext): Promise<BillPayment> {
    const { billerId, subscriberAccountNumber, useLocalAmount = false, customIdentifier } = request;
    const provider = await this.purchases.providerOf(this.providers, this.bills, customIdentifier, context);
    const wanted = await this.inputFor(request, provider);
    const { shown } = (await this.catalogue.biller(provider, billerId))!;
    const currency = shown.internationalTransactionCurrencyCode;
    const { purchase, result: paid } = await this.purchases.buy<BillResult, BillTerms>(
      this.bills,
      wanted,
      context,
    );
    const { amountCurrencyCode, ...result } = paid;
    const readToken = () => this.providers.byName(purchase.provider).tokenOf(result.transactionId);
    return {
      ...result,
      ...stateOf(purchase),
      billerId,
      subscriberAccountNumber,
      amount: exact(request.amount).number,
      amountCurrencyCode:
        amountCurrencyCode ?? (useLocalAmount ? shown.localTransactionCurrencyCode : currency),
      pinDetails: await this.purchases.readSecret(purchase, readToken),
    };
  }

  /** The purchase of a bill, validated against the catalogue. @throws DomainError VALIDATION_ERROR */
  async inputFor(
    request: PayBillRequest,
    provider = this.providers.seller,
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
}
