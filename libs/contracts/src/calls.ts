import type { AnyFeature, BusOperation, CallAccess } from '@tollbridge/rpc';
import { features } from './features';
import { internalSessionsApi } from './merchant/auth.api';
import { budgetsApi } from './merchant/budgets.api';
import { internalDashboardApi } from './merchant/dashboard.api';
import { keyPlansApi } from './merchant/key-plans.api';
import { internalKeysApi } from './merchant/keys.api';
import { internalPaymentsApi } from './merchant/payments.api';
import { orderHistoryApi } from './pay-orders/order-history.api';
import { ordersApi } from './pay-orders/orders.api';
import { payerlessOrdersApi } from './pay-orders/payerless-orders.api';
import { quotesApi } from './pay-orders/quotes.api';
import { internalPayoutsApi } from './service-api/payouts.api';
import { providerHooksApi } from './service-api/provider-hooks.api';
import { purchasesApi } from './service-api/purchases.api';
import { teeAccountsApi } from './tee/accounts.api';
import { teeMoneyApi } from './tee/money.api';
import { snapshotsApi } from './tx-engine/snapshots.api';

/** The name of the identity, and of the NATS user, by which the people who run a deployment call operations. */
export const operatorName = 'operator';

/** What an app calls. */
export interface AppCalls {
  /** In its own name: the principal that the callee sees is the app. */
  asItself: readonly BusOperation[];
  /** In the name of a principal: of the client that the gateway authenticated, or of a merchant. */
  forPrincipal: readonly BusOperation[];
}

// Operations are typed by their input; a list of them needs none.
const all = (...apis: readonly AnyFeature[]) =>
  apis.flatMap(({ operations }) => Object.values(operations)) as BusOperation[];
const list = (...operations: readonly unknown[]) => operations as readonly BusOperation[];

/** The key spends of an app that lets API keys spend. */
const budgets = list(budgetsApi.operations.reserve, budgetsApi.operations.release);

/**
 * Every call between apps. Each service rejects all others, and so does NATS: the permissions of its users are generated
 * from this table (`node tools/nats-users.mjs`). A test compares it with the operations that the code of each app uses.
 */
export const appCalls: Readonly<Record<string, AppCalls>> = {
  gateway: {
    asItself: [],
    forPrincipal: [
      ...all(...features),
      internalKeysApi.operations.authenticate,
      internalSessionsApi.operations.authenticate,
      internalDashboardApi.operations.exportPage,
      ...all(internalPaymentsApi),
      providerHooksApi.operations.receiveHook,
    ] as readonly BusOperation[],
  },
  merchant: {
    asItself: list(
      purchasesApi.operations.stateOfPurchase,
      ordersApi.operations.getOrder,
      orderHistoryApi.operations.orderHistory,
      snapshotsApi.operations.snapshot,
      internalPayoutsApi.operations.stateOfPayout,
      quotesApi.operations.quote,
      payerlessOrdersApi.operations.refundChains,
    ),
    // The order of a payment request is made in the name of its merchant.
    forPrincipal: list(ordersApi.operations.createOrder, payerlessOrdersApi.operations.createPayerlessOrder),
  },
  'pay-orders': { asItself: budgets, forPrincipal: [] },
  'tx-engine': { asItself: budgets, forPrincipal: [] },
  'service-api': { asItself: budgets, forPrincipal: [] },
  nanopay: { asItself: all(teeAccountsApi, teeMoneyApi), forPrincipal: [] },
  stream: { asItself: list(snapshotsApi.operations.snapshot), forPrincipal: [] },
  tee: { asItself: [], forPrincipal: [] },
  sandbox: { asItself: [], forPrincipal: [] },
  // No app: a person with the identity of the operator (`npm run keys:plan`).
  [operatorName]: { asItself: all(keyPlansApi), forPrincipal: [] },
};

const subjectsOf = (operations: readonly BusOperation[]) => new Set(operations.map(({ subject }) => subject));

const rights = new Map(
  Object.entries(appCalls).map(([app, { asItself, forPrincipal }]) => [
    app,
    { asItself: subjectsOf(asItself), forPrincipal: subjectsOf(forPrincipal) },
  ]),
);

/** The right that the table above gives an app to an operation. */
export const callAccess: CallAccess = (caller, subject) => {
  const given = rights.get(caller);
  if (given?.forPrincipal.has(subject)) return 'forPrincipal';
  return given?.asItself.has(subject) ? 'asItself' : 'none';
};
