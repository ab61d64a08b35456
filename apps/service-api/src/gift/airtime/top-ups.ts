import { Injectable } from '@nestjs/common';
import type { TopUp, TopUpRequest } from '@tollbridge/contracts';
import type { CallContext } from '@tollbridge/rpc';
import type { PurchaseInput } from '../../purchases/purchases';
import { valueUsd } from '../amounts';
import { exact, GiftPurchases, requireValid, stateOf, withReference } from '../gift-purchases';
import { GiftCatalogue } from '../gift.catalogue';
import { Airtime } from './airtime';
import { highestCostOfTopUp, validateTopUp } from './airtime-operator';
import { AirtimeProviders, type TopUpResult, type TopUpTerms } from './airtime-provider';
import type { Phone } from './phone';

/** Validates top-ups against the catalogue, buys them, and adds the PIN to the reply. */
@Injectable()
export class TopUps {
  constructor(
    private readonly catalogue: GiftCatalogue,
    private readonly purchases: GiftPurchases,
    private readonly airtime: Airtime,
    private readonly providers: AirtimeProviders,
  ) {}

  async topUp(request: TopUpRequest, phone: Phone, context: CallContext): Promise<TopUp> {
    const { customIdentifier } = request;
    const provider = await this.purchases.providerOf(this.providers, this.airtime, customIdentifier, context);
    const wanted = await this.inputFor(request, phone, provider);
    const { purchase, result } = await this.purchases.buy<TopUpResult, TopUpTerms>(
      this.airtime,
      wanted,
      context,
    );
    const readPin = () => this.providers.byName(purchase.provider).pinOf(result.transactionId);
    const pinDetail = await this.purchases.readSecret(purchase, readPin);
    return { ...result, ...stateOf(purchase), recipientPhone: phone.international, pinDetail };
  }

  /** The purchase of a top-up, validated against the catalogue. @throws DomainError VALIDATION_ERROR */
  async inputFor(
    request: TopUpRequest,
    phone: Phone,
    provider = this.providers.seller,
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
}
