import { Injectable } from '@nestjs/common';
import type { Progress } from '../../purchases/purchase';
import type { FoundBefore, PurchaseKind, PurchaseRequest } from '../../purchases/purchase-kind';
import { AirtimeProviders, type TopUpTerms } from './airtime-provider';

/** Buys top-ups from the provider that each purchase was stored with. */
@Injectable()
export class Airtime implements PurchaseKind<TopUpTerms> {
  readonly kind = 'airtime';
  readonly spend = 'purchase';
  readonly settleMs: number;

  constructor(private readonly providers: AirtimeProviders) {
    this.settleMs = providers.settleMs;
  }

  async buy(terms: TopUpTerms, reference: string, { provider }: PurchaseRequest): Promise<Progress> {
    return this.providers.byName(provider).topUp(terms, reference);
  }

  async find(
    reference: string,
    _terms: TopUpTerms,
    { provider }: FoundBefore,
  ): Promise<Progress | undefined> {
    return this.providers.byName(provider).find(reference);
  }
}
