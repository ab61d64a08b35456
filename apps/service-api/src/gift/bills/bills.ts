import { Injectable } from '@nestjs/common';
import type { Progress } from '../../purchases/purchase';
import type { FoundBefore, PurchaseKind, PurchaseRequest } from '../../purchases/purchase-kind';
import { BillProviders, type BillTerms } from './bill-provider';

/** Pays bills at the provider that each purchase was stored with. */
@Injectable()
export class Bills implements PurchaseKind<BillTerms> {
  readonly kind = 'bill';
  readonly spend = 'purchase';
  readonly settleMs: number;

  constructor(private readonly providers: BillProviders) {
    this.settleMs = providers.settleMs;
  }

  async buy(terms: BillTerms, reference: string, { provider }: PurchaseRequest): Promise<Progress> {
    return this.providers.byName(provider).pay(terms, reference);
  }

  async find(reference: string, _terms: BillTerms, { provider }: FoundBefore): Promise<Progress | undefined> {
    return this.providers.byName(provider).find(reference);
  }
}
