import { Injectable } from '@nestjs/common';
import type { Conversion, CreateOrderRequest } from '@tollbridge/contracts';
import { DomainError, type CallContext } from '@tollbridge/rpc';
import { Conversions } from '@tollbridge/rates';
import { Deployments, type PayRoute } from '../chains/deployments';
import { PriceSettings } from '../rates/price-settings';
import { amountErrors } from './create-order';

/** Converts the prices of new orders to amounts of the settle token. */
@Injectable()
export class OrderPrices {
  constructor(
    private readonly conversions: Conversions,
    private readonly settings: PriceSettings,
    private readonly deployments: Deployments,
  ) {}

  /**
   * The merchant amount of a request: given, or converted from its price with the merchant's spread.
   * @throws DomainError RATE_UNAVAILABLE, or VALIDATION_ERROR for an amount that does not fit the fee or the token
   */
  async amountOf(
    request: CreateOrderRequest,
    route: PayRoute,
    context: CallContext,
  ): Promise<{ merchant_amount: string; conversion: Conversion | null }> {
    const { merchant_amount: given, price } = request;
    if (price === undefined) return { merchant_amount: given!, conversion: null };
    const { spreadBps } = await this.settings.of(context);
    const place = route.method === 'Direct' ? route : { chain: route.settleChain, token: route.settleToken };
    const { amount, conversion } = this.conversions.convert(price, place, spreadBps);
    const merchant_amount = String(amount);
    const errors = amountErrors({ ...request, merchant_amount }, this.deployments);
    if (errors.length > 0) throw DomainError.invalid(errors);
    return { merchant_amount, conversion };
  }
}
