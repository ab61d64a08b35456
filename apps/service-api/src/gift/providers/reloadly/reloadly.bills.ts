import { readFields, readList } from '@tollbridge/http';
import type { PinDetail } from '@tollbridge/contracts';
import type { Progress } from '../../../purchases/purchase';
import type { Biller, BillProvider, BillResult, BillTerms } from '../../bills/bill-provider';
import {
  readAcceptedPayment,
  readBiller,
  readPayment,
  toPaymentBody,
  transactionOf,
} from './reloadly.bills.wire';
import { reloadlyName, reloadlySettleMs } from './reloadly.config';
import { optionalFields } from './reloadly.fields';
import { readPin } from './reloadly.pin.wire';
import type { ReloadlyRequests } from './reloadly.requests';

// The provider's maximum page size, which exceeds the number of its billers.
const maxBillers = 1_000;

export class ReloadlyBills implements BillProvider {
  readonly name = reloadlyName;
  readonly settleMs = reloadlySettleMs;

  constructor(private readonly requests: ReloadlyRequests) {}

  /** Filters the list: the provider has no route for one biller. */
  async biller(billerId: number): Promise<Biller | undefined> {
    const found = await this.list({ id: String(billerId) });
    return found.find(({ shown }) => shown.id === billerId);
  }

  billersOf(country: string | undefined): Promise<Biller[]> {
    return this.list({ countryISOCode: country });
  }

  pay(terms: BillTerms, reference: string): Promise<Progress<BillResult>> {
    const payment = { api: 'utilities', path: '/pay', body: toPaymentBody(terms, reference) } as const;
    return this.requests.buy(payment, readAcceptedPayment, () => this.find(reference));
  }

  find(reference: string): Promise<Progress<BillResult> | undefined> {
    const request = { path: '/transactions', query: { referenceId: reference } };
    const referenceOf = (item: unknown) => transactionOf(item)['referenceId'];
    return this.requests.find('utilities', request, { reference, referenceOf, map: readPayment });
  }

  tokenOf(transactionId: number): Promise<PinDetail | null> {
    return this.requests.read('utilities', { path: `/transactions/${transactionId}` }, (reply) => {
      const details = optionalFields(transactionOf(reply)['billDetails'], 'billDetails');
      return readPin(details['pinDetails'], 'token');
    });
  }

  private list(filter: Readonly<Record<string, string | undefined>>): Promise<Biller[]> {
    const request = { path: '/billers', query: { ...filter, page: '1', size: String(maxBillers) } };
    return this.requests.read('utilities', request, (reply) =>
      readList(readFields(reply, 'billers')['content'], 'content').map(readBiller),
    );
  }
}
