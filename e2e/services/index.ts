import type { Api } from '../http';
import type { World } from '../world';
import { catalogAndPayouts } from './catalog-and-payouts.cases';
import { mailCases } from './mail.cases';
import { giftCases } from './gift.cases';
import { payoutCases } from './payouts.cases';
import { smsCases } from './sms.cases';
import { cardCases } from './cards.cases';
import { hookCases } from './hooks.cases';
import { specificationCases } from './specification.cases';

/** What the cases of the service API share: one harness for all. Its fields are there when the first case runs. */
export interface ServicesHarness {
  harness: World;
  api: Api;
  /** What `GET /sandbox` answers. */
  sandbox: any;
  /** Numbers, codes and other secrets that were shown: no log may hold one. */
  secrets: string[];
}

/** By family; each has a file of its own in this folder. */
export const serviceCases: Readonly<Record<string, (it: ServicesHarness) => void>> = {
  // First: other cases make providers fail, which are then left alone for some seconds.
  specification: specificationCases,
  'catalog and payouts': catalogAndPayouts,
  payouts: payoutCases,
  mail: mailCases,
  gift: giftCases,
  sms: smsCases,
  cards: cardCases,
  // The last one: it counts what came by then.
  hooks: hookCases,
};
