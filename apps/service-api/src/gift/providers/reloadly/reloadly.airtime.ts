import { readFields } from '@tollbridge/http';
import type { PinDetail } from '@tollbridge/contracts';
import type { Progress } from '../../../purchases/purchase';
import type { AirtimeProvider, Operator, TopUpResult, TopUpTerms } from '../../airtime/airtime-provider';
import { readOperator, readTopUp, toTopUpBody } from './reloadly.airtime.wire';
import { reloadlyName, reloadlySettleMs } from './reloadly.config';
import { readPin } from './reloadly.pin.wire';
import type { ReloadlyRequests } from './reloadly.requests';

export class ReloadlyAirtime implements AirtimeProvider {
  readonly name = reloadlyName;
  readonly settleMs = reloadlySettleMs;

  constructor(private readonly requests: ReloadlyRequests) {}

  operator(operatorId: number): Promise<Operator | undefined> {
    return this.requests.readIfThere('topups', { path: `/operators/${operatorId}` }, readOperator);
  }

  detectOperator(digits: string, country: string): Promise<Operator | undefined> {
    const path = `/operators/auto-detect/phone/${digits}/countries/${country}`;
    const query = { suggestedAmountsMap: 'true', suggestedAmounts: 'true' };
    return this.requests.readIfThere('topups', { path, query }, readOperator);
  }

  topUp(terms: TopUpTerms, reference: string): Promise<Progress<TopUpResult>> {
    const topUp = { api: 'topups', path: '/topups', body: toTopUpBody(terms, reference) } as const;
    return this.requests.buy(topUp, readTopUp, () => this.find(reference));
  }

  find(reference: string): Promise<Progress<TopUpResult> | undefined> {
    const request = { path: '/topups/reports/transactions', query: { customIdentifier: reference } };
    const referenceOf = (item: unknown) => readFields(item, 'transaction')['customIdentifier'];
    return this.requests.find('topups', request, { reference, referenceOf, map: readTopUp });
  }

  pinOf(transactionId: number): Promise<PinDetail | null> {
    const path = `/topups/reports/transactions/${transactionId}`;
    return this.requests.read('topups', { path }, (reply) =>
      readPin(readFields(reply, 'transaction')['pinDetail'], 'code'),
    );
  }
}
