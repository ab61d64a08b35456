import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { AirtimeProvider, Operator } from './airtime/airtime-provider';
import type { Biller, BillProvider } from './bills/bill-provider';
import { FreshCache } from './fresh-cache';
import type { GiftCardProvider, Product } from './gift-cards/gift-card-provider';
import { readUpstream } from './gift-failures';

// Catalogues change daily and rates hourly; the provider verifies the price of each order anyway.
const freshMs = 5 * 60_000;
// An entry is 1 or 2 KB. A list is a country's catalogue, of up to several megabytes.
const maxEntries = 2_000;
const maxLists = 20;

export interface Page {
  page: number;
  size: number;
}

/** Reads and caches what the providers sell. */
@Injectable()
export class GiftCatalogue {
  private readonly products: FreshCache<Product | undefined>;
  private readonly productLists: FreshCache<Product[] | undefined>;
  private readonly operators: FreshCache<Operator | undefined>;
  private readonly billers: FreshCache<Biller | undefined>;
  private readonly billerLists: FreshCache<Biller[]>;

  constructor(@Inject(Clock) clock: Clock) {
    const entries = { freshMs, maxEntries };
    const lists = { freshMs, maxEntries: maxLists };
    this.products = new FreshCache(clock, entries);
    this.operators = new FreshCache(clock, entries);
    this.billers = new FreshCache(clock, entries);
    this.productLists = new FreshCache(clock, lists);
    this.billerLists = new FreshCache(clock, lists);
  }

  product(provider: GiftCardProvider, id: number): Promise<Product | undefined> {
    return this.products.get(`${provider.name} ${id}`, () => readUpstream(provider.product(id)));
  }

  /** @throws DomainError NOT_FOUND for a country that the provider does not serve */
  async productsOf(provider: GiftCardProvider, country: string, page: Page): Promise<Product[]> {
    const all = await this.productLists.get(`${provider.name} ${country}`, () =>
      readUpstream(provider.productsOf(country)),
    );
    if (!all)
      throw new DomainError(
        'NOT_FOUND',
        'No gift cards are on sale for this country. Choose another country.',
      );
    return pageOf(
      all.filter(({ isActive }) => isActive),
      page,
    );
  }

  operator(provider: AirtimeProvider, id: number): Promise<Operator | undefined> {
    return this.operators.get(`${provider.name} ${id}`, () => readUpstream(provider.operator(id)));
  }

  /** @throws DomainError NOT_FOUND when the provider cannot detect the operator */
  async detectOperator(provider: AirtimeProvider, digits: string, country: string): Promise<Operator> {
    const found = await readUpstream(provider.detectOperator(digits, country));
    if (!found)
      throw new DomainError(
        'NOT_FOUND',
        'The operator of this phone number cannot be detected. Pass operatorId.',
      );
    return found;
  }

  biller(provider: BillProvider, id: number): Promise<Biller | undefined> {
    return this.billers.get(`${provider.name} ${id}`, () => readUpstream(provider.biller(id)));
  }

  async billersOf(
    provider: BillProvider,
    { country, type }: { country: string | undefined; type: string | undefined },
    page: Page,
  ): Promise<Biller[]> {
    const all = await this.billerLists.get(`${provider.name} ${country ?? ''}`, () =>
      readUpstream(provider.billersOf(country)),
    );
    // Filters here, because a provider may reject a type that it does not support.
    return pageOf(type === undefined ? all : all.filter(({ shown }) => shown.type === type), page);
  }
}

const pageOf = <T>(all: readonly T[], { page, size }: Page): T[] => all.slice((page - 1) * size, page * size);
