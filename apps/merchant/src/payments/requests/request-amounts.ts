import { Injectable } from '@nestjs/common';
import { Conversions } from '@tollbridge/rates';
import { ChainNodes } from '../../chains/chain-nodes';
import { fromTokenOf, type FromToken } from '../options/payment-options';
import type { PaymentRequest } from '../payment';
import type { PayAmount } from '../payments.repository';

type Place = Pick<PaymentRequest, 'chain' | 'currency'>;

/** The amounts that payers of requests and PayLinks pay now. */
@Injectable()
export class RequestAmounts {
  constructor(
    private readonly conversions: Conversions,
    private readonly chains: ChainNodes,
  ) {}

  /**
   * The amount at the current rate, with the spread that was fixed at the creation.
   * @throws DomainError RATE_UNAVAILABLE
   */
  of({ amount, conversion, ...place }: PayAmount & Place): PayAmount {
    if (conversion === null) return { amount, conversion };
    const found = this.placeOf(place);
    if (!found) throw new Error(`${place.currency} on ${place.chain} is not in the registry any more`);
    return this.conversions.convert(conversion.price, found, conversion.rate.spread_bps);
  }

  /** Undefined when this deployment does not have the chain or the token any more. */
  placeOf({ chain, currency }: Place): FromToken | undefined {
    return fromTokenOf(this.chains, chain, currency);
  }
}
