import type { Channel, Feature, InternalFeature } from '@tollbridge/bus';
import { internalKeysApi } from './merchant/keys.api';
import { keyEvents } from './merchant/keys.events';
import { chainsApi } from './pay-orders/chains.api';
import { checkoutApi } from './pay-orders/checkout.api';
import { ordersApi } from './pay-orders/orders.api';
import { orderEvents } from './pay-orders/orders.events';
import { quotesApi } from './pay-orders/quotes.api';
import { swapsApi } from './pay-orders/swaps.api';
import { sandboxControlsApi } from './sandbox/controls.api';
import { sandboxApi } from './sandbox/sandbox.api';
import { transactionStream } from './stream/transaction-stream.api';
import { swapQuotesApi } from './tx-engine/quotes.api';
import { snapshotsApi } from './tx-engine/snapshots.api';
import { transactionsApi } from './tx-engine/transactions.api';
import { transactionEvents } from './tx-engine/transactions.events';

/** Everything that the product offers over HTTP: routes, OpenAPI, the client and the tests are derived from this. */
export const features: readonly Feature[] = [
  chainsApi,
  quotesApi,
  checkoutApi,
  ordersApi,
  swapsApi,
  swapQuotesApi,
  transactionsApi,
  sandboxApi,
  sandboxControlsApi,
];

/** What the services answer to each other only. */
export const internalFeatures: readonly InternalFeature[] = [internalKeysApi, snapshotsApi];

/** Every event that is told on the bus. */
export const allEvents = [orderEvents, transactionEvents, keyEvents].flatMap((events) =>
  Object.values(events),
);

/** Every WebSocket that is served. */
export const channels: readonly Channel[] = [transactionStream];
