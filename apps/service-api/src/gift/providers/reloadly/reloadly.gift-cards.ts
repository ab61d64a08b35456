import { readFields, readList } from '@tollbridge/http';
import type { GiftCardCode, ServiceBalance } from '@tollbridge/contracts';
import type { Progress } from '../../../purchases/purchase';
import type {
  GiftCardProvider,
  GiftCardResult,
  GiftCardTerms,
  Product,
} from '../../gift-cards/gift-card-provider';
import { reloadlyName, reloadlySettleMs } from './reloadly.config';
import { readBalance, readCode, readOrder, readProduct, toOrderBody } from './reloadly.gift-cards.wire';
import type { ReloadlyRequests } from './reloadly.requests';

export class ReloadlyGiftCards implements GiftCardProvider {
  readonly name = reloadlyName;
  readonly settleMs = reloadlySettleMs;

  constructor(private readonly requests: ReloadlyRequests) {}

  product(productId: number): Promise<Product | undefined> {
    return this.requests.readIfThere('giftcards', { path: `/products/${productId}` }, readProduct);
  }

  productsOf(country: string): Promise<Product[] | undefined> {
    const path = `/countries/${country}/products`;
    return this.requests.readIfThere('giftcards', { path }, (reply) =>
      readList(reply, 'products').map(readProduct),
    );
  }

  order(terms: GiftCardTerms, reference: string): Promise<Progress<GiftCardResult>> {
    const order = { api: 'giftcards', path: '/orders', body: toOrderBody(terms, reference) } as const;
    return this.requests.buy(order, readOrder, () => this.find(reference));
  }

  find(reference: string): Promise<Progress<GiftCardResult> | undefined> {
    const request = { path: '/reports/transactions', query: { customIdentifier: reference } };
    const referenceOf = (item: unknown) => readFields(item, 'transaction')['customIdentifier'];
    return this.requests.find('giftcards', request, { reference, referenceOf, map: readOrder });
  }

  codesOf(transactionId: number): Promise<GiftCardCode[]> {
    const path = `/orders/transactions/${transactionId}/cards`;
    return this.requests.read('giftcards', { path }, (reply) => readList(reply, 'cards').map(readCode));
  }

  balance(): Promise<ServiceBalance> {
    return this.requests.read('giftcards', { path: '/accounts/balance' }, readBalance);
  }
}
