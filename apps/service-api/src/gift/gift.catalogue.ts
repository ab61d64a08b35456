import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { readOperator, type Operator } from './airtime-operator';
import { readBiller, type Biller } from './biller';
import { FreshCache } from './fresh-cache';
import { readProduct, type Product } from './gift-card-product';
import { Reloadly } from './reloadly/reloadly';
import { fieldsOf, listOf } from './reloadly/reloadly.fields';

// Catalogues change by the day; rates by the hour, and the provider has the last word on them.
const freshMs = 5 * 60_000;
// Each entry is a kilobyte or two; lists are as long as a country's catalogue, the longest of some megabytes.
const [maxThings, maxLists] = [2_000, 20];

interface WithinLists {
  page: number;
  size: number;
}

/** What can be bought: read from the provider, and for some minutes remembered. */
@Injectable()
export class GiftCatalogue {
  private readonly products: FreshCache<Product | undefined>;
  private readonly productLists: FreshCache<Product[] | undefined>;
  private readonly operators: FreshCache<Operator | undefined>;
  private readonly billers: FreshCache<Biller | undefined>;
  private readonly billerLists: FreshCache<Biller[]>;

  constructor(
    private readonly reloadly: Reloadly,
    @Inject(Clock) clock: Clock,
  ) {
    const things = { freshMs, maxEntries: maxThings };
    const lists = { freshMs, maxEntries: maxLists };
    this.products = new FreshCache(clock, things);
    this.operators = new FreshCache(clock, things);
    this.billers = new FreshCache(clock, things);
    this.productLists = new FreshCache(clock, lists);
    this.billerLists = new FreshCache(clock, lists);
  }

  product(id: number): Promise<Product | undefined> {
    return this.products.get(String(id), () =>
      this.reloadly.readIfThere('giftcards', { path: `/products/${id}` }, readProduct),
    );
  }

  /** @throws DomainError NOT_FOUND for a country that is not served */
  async productsOf(country: string, within: WithinLists): Promise<Product[]> {
    const path = `/countries/${country}/products`;
    const all = await this.productLists.get(country, () =>
      this.reloadly.readIfThere('giftcards', { path }, (reply) => listOf(reply, 'products').map(readProduct)),
    );
    if (!all)
      throw new DomainError(
        'NOT_FOUND',
        'No gift cards are on sale for this country. Choose another country.',
      );
    return pageOf(
      all.filter(({ isActive }) => isActive),
      within,
    );
  }

  operator(id: number): Promise<Operator | undefined> {
    return this.operators.get(String(id), () =>
      this.reloadly.readIfThere('topups', { path: `/operators/${id}` }, readOperator),
    );
  }

  /** @throws DomainError NOT_FOUND where nobody can tell whose number it is */
  async operatorOf(digits: string, country: string): Promise<Operator> {
    const path = `/operators/auto-detect/phone/${digits}/countries/${country}`;
    const query = { suggestedAmountsMap: 'true', suggestedAmounts: 'true' };
    const found = await this.reloadly.readIfThere('topups', { path, query }, readOperator);
    if (!found)
      throw new DomainError(
        'NOT_FOUND',
        'The operator of this phone number cannot be detected. Pass operatorId.',
      );
    return found;
  }

  /** By a list of one: the provider has no route for a single biller. */
  biller(id: number): Promise<Biller | undefined> {
    return this.billers.get(String(id), async () => {
      const found = await this.askBillers({ id: String(id) });
      return found.find(({ shown }) => shown.id === id);
    });
  }

  async billersOf(
    asked: { country: string | undefined; type: string | undefined },
    within: WithinLists,
  ): Promise<Biller[]> {
    const { country, type } = asked;
    const all = await this.billerLists.get(country ?? '', () => this.askBillers({ countryISOCode: country }));
    // Chosen here: a provider may reject a type that it does not know.
    return pageOf(type === undefined ? all : all.filter(({ shown }) => shown.type === type), within);
  }

  private askBillers(query: Readonly<Record<string, string | undefined>>): Promise<Biller[]> {
    // More than there are, and the most that the provider gives at once.
    const request = { path: '/billers', query: { ...query, page: '1', size: '1000' } };
    return this.reloadly.read('utilities', request, (reply) =>
      listOf(fieldsOf(reply, 'billers')['content'], 'content').map(readBiller),
    );
  }
}

const pageOf = <T>(all: readonly T[], { page, size }: WithinLists): T[] =>
  all.slice((page - 1) * size, page * size);
