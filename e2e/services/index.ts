import { catalogAndPayouts } from './catalog-and-payouts.cases';
import { mailCases } from './mail.cases';
import { giftCases } from './gift.cases';
import { payoutCases } from './payouts.cases';
import { smsCases } from './sms.cases';
import { cardCases } from './cards.cases';
import { hookCases } from './hooks.cases';
import type { ServicesHarness } from './services-harness';
import { specificationCases } from './specification.cases';

/** Cases by family; each has its own file in this folder. */
export const serviceCases: Readonly<Record<string, (it: ServicesHarness) => void>> = {
  // First: other cases make providers fail, and their circuits remain open for some seconds.
  specification: specificationCases,
  'catalog and payouts': catalogAndPayouts,
  payouts: payoutCases,
  mail: mailCases,
  gift: giftCases,
  sms: smsCases,
  cards: cardCases,
  // Last: it counts the webhooks of all earlier cases.
  hooks: hookCases,
};
