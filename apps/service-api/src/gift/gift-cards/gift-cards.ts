import { Injectable } from '@nestjs/common';
import type { Progress } from '../../purchases/purchase';
import type { FoundBefore, PurchaseKind, PurchaseRequest } from '../../purchases/purchase-kind';
import { GiftCardProviders, type GiftCardTerms } from './gift-card-provider';

/** Buys gift cards from the provider that each purchase was stored with. */
@Injectable()
export class GiftCards implements PurchaseKind<GiftCardTerms> {
  readonly kind = 'gift-card';
  readonly spend = 'purchase';
  readonly settleMs: number;

  constructor(private readonly providers: GiftCardProviders) {
    this.settleMs = providers.settleMs;
  }

  async buy(terms: GiftCardTerms, reference: string, { provider }: PurchaseRequest): Promise<Progress> {
    return this.providers.byName(provider).order(terms, reference);
  }

  async find(
    reference: string,
    _terms: GiftCardTerms,
    { provider }: FoundBefore,
  ): Promise<Progress | undefined> {
    return this.providers.byName(provider).find(reference);
  }
}
