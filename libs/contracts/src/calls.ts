import type { AnyFeature, BusOperation, CallAccess } from '@tollbridge/rpc';
import { features } from './features';
import { healthApis } from './health.api';
import { internalSessionsApi } from './merchant/auth.api';
import { budgetsApi } from './merchant/budgets.api';
import { internalDashboardApi } from './merchant/dashboard.api';
import { keyPlansApi } from './merchant/key-plans.api';
import { internalKeysApi } from './merchant/keys.api';
import { priceSettingsApi } from './merchant/price-settings.api';
import { paymentAttemptsApi } from './merchant/payment-attempts.api';
import { internalPaymentsApi } from './merchant/payments.api';
import { internalStorefrontsApi } from './merchant/settings.api';
import { nanoChargesApi } from './nanopay/charges.api';
import { approvalsApi } from './pay-orders/approvals.api';
import { facilitatorApi } from './pay-orders/facilitator.api';
import { orderHistoryApi } from './pay-orders/order-history.api';
import { ordersApi } from './pay-orders/orders.api';
import { payerlessOrdersApi } from './pay-orders/payerless-orders.api';
import { paymentReviewApi } from './pay-orders/payment-review.api';
import { quotesApi } from './pay-orders/quotes.api';
import { clockAheadApi } from './sandbox/clock.api';
import { demoPayerApi, sandboxOrdersApi } from './sandbox/checkout-panel.api';
import { internalPayoutsApi } from './service-api/payouts.api';
import { providerHooksApi } from './service-api/provider-hooks.api';
import { purchasesApi } from './service-api/purchases.api';
import { salesApi } from './service-api/sales.api';
import { teeAccountsApi } from './tee/accounts.api';
import { teeMoneyApi } from './tee/money.api';
import { snapshotsApi } from './tx-engine/snapshots.api';
import { soldQuotesApi } from './tx-engine/sold-quotes.api';

/** Identity and NATS user of operators who call operations of a deployment. */
export const operatorName = 'operator';

/** Operations that an app may call. */
export interface AppCalls {
  /** Calls with the app's own principal. */
  asItself: readonly BusOperation[];
  /** Calls for another principal: the client that the gateway authenticated, or a merchant. */
  forPrincipal: readonly BusOperation[];
}

// Operations are typed by their input, which a list of operations does not preserve.
const all = (...apis: readonly AnyFeature[]) =>
  apis.flatMap(({ operations }) => Object.values(operations)) as BusOperation[];
const list = (...operations: readonly unknown[]) => operations as readonly BusOperation[];

/** In the sandbox, apps follow the sandbox clock. */
const time = list(clockAheadApi.operations.clockAhead);

/** Budget operations, for apps where API keys can spend. */
const budgets = all(budgetsApi);

/**
 * Every permitted call between apps. Each service rejects all other calls, as does NATS: its user permissions are
 * generated from this table (`node tools/nats-users.mjs`). A test compares the table with the calls in each app's code.
 */
export const appCalls: Readonly<Record<string, AppCalls>> = {
  gateway: {
    asItself: all(...healthApis),
    forPrincipal: [
      ...all(...features),
      internalKeysApi.operations.authenticate,
      internalSessionsApi.operations.authenticate,
      internalDashboardApi.operations.exportPage,
      ...all(internalPaymentsApi, internalStorefrontsApi, paymentAttemptsApi),
      approvalsApi.operations.approvalState,
      ...all(paymentReviewApi, demoPayerApi, sandboxOrdersApi),
      providerHooksApi.operations.receiveHook,
      ...all(salesApi),
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
      approvalsApi.operations.submittedState,
      ...time,
    ),
    // For the merchant, the merchant app creates the order of a payment request.
    forPrincipal: list(ordersApi.operations.createOrder, payerlessOrdersApi.operations.createPayerlessOrder),
  },
  'pay-orders': { asItself: [...budgets, ...time, ...all(priceSettingsApi)], forPrincipal: [] },
  'tx-engine': { asItself: [...budgets, ...time], forPrincipal: [] },
  // service-api charges and refunds payments for sold operations with its own principal.
  'service-api': {
    asItself: [
      ...budgets,
      ...time,
      ...all(nanoChargesApi, soldQuotesApi),
      ...list(
        facilitatorApi.operations.settleFacilitated,
        facilitatorApi.operations.facilitatedKinds,
        facilitatorApi.operations.settlementOf,
        facilitatorApi.operations.receivedSettlements,
      ),
    ],
    forPrincipal: [],
  },
  nanopay: {
    asItself: [
      ...all(teeAccountsApi, teeMoneyApi),
      ...list(
        facilitatorApi.operations.verifyFacilitated,
        facilitatorApi.operations.settleFacilitated,
        facilitatorApi.operations.facilitatedKinds,
      ),
    ],
    forPrincipal: [],
  },
  stream: { asItself: list(snapshotsApi.operations.snapshot), forPrincipal: [] },
  tee: { asItself: [], forPrincipal: [] },
  sandbox: { asItself: time, forPrincipal: [] },
  // The operator is not an app, but a person who runs `npm run keys:plan`.
  [operatorName]: { asItself: all(keyPlansApi), forPrincipal: [] },
};

const subjectsOf = (operations: readonly BusOperation[]) => new Set(operations.map(({ subject }) => subject));

const rights = new Map(
  Object.entries(appCalls).map(([app, { asItself, forPrincipal }]) => [
    app,
    { asItself: subjectsOf(asItself), forPrincipal: subjectsOf(forPrincipal) },
  ]),
);

/** Returns how an app may call an operation, according to `appCalls`. */
export const callAccess: CallAccess = (caller, subject) => {
  const given = rights.get(caller);
  if (given?.forPrincipal.has(subject)) return 'forPrincipal';
  return given?.asItself.has(subject) ? 'asItself' : 'none';
};
