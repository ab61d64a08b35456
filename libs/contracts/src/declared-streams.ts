import { subjectPattern, type DeclaredStream } from '@tollbridge/rpc';
import { allEvents } from './features';
import { payoutEvents } from './service-api/payouts.events';
import { purchaseEvents } from './service-api/purchases.events';
import { transactionEvents } from './tx-engine/transactions.events';

const consumers: Readonly<Record<string, DeclaredStream['consumers']>> = {
  'pay-orders': [{ name: 'merchant-orders' }],
  'tx-engine': [
    { name: 'merchant-transactions', subject: subjectPattern(transactionEvents['transaction-updated']) },
  ],
  'service-api': [
    { name: 'merchant-purchases', subject: subjectPattern(purchaseEvents['purchase-changed']) },
    { name: 'merchant-payouts', subject: subjectPattern(payoutEvents['payout-updated']) },
  ],
};

/** The apps that receive the events of each app, through a consumer or a plain subscription. */
const receivers: Readonly<Record<string, readonly string[]>> = {
  'pay-orders': ['merchant', 'gateway'],
  'tx-engine': ['merchant', 'stream'],
  // Every process of service-api receives its events, because they wake calls that wait for a code.
  'service-api': ['merchant', 'service-api'],
  merchant: ['gateway'],
};

export interface AppStream extends DeclaredStream {
  /** The receiving apps. Each event is signed for all of them (decision 84). */
  receivers: readonly string[];
}

/**
 * The event streams of all apps and their durable consumers. The provisioner creates exactly these. NATS lets each app
 * access only its own streams (decision 83). An app deletes an event after all of these consumers have acknowledged it
 * (decision 33).
 */
export const declaredStreams: readonly AppStream[] = [...new Set(allEvents.map(({ app }) => app))].map(
  (app) => ({ app, consumers: consumers[app] ?? [], receivers: receivers[app] ?? [] }),
);

/** The names of the durable consumers of each app's event stream. */
export const durableConsumers: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  declaredStreams
    .filter((stream) => stream.consumers.length > 0)
    .map(({ app, consumers: declared }) => [app, declared.map(({ name }) => name)]),
);
