import type { Channel, EventStream, Feature, InternalFeature } from '@tollbridge/rpc';
import { healthApis } from './health.api';
import { orderStream, paymentStream } from './gateway/live-state';
import { apiKeysApi } from './merchant/api-keys.api';
import { authApi, internalSessionsApi } from './merchant/auth.api';
import { sessionEvents } from './merchant/auth.events';
import { budgetsApi } from './merchant/budgets.api';
import { priceSettingsApi } from './merchant/price-settings.api';
import { dashboardApi, internalDashboardApi } from './merchant/dashboard.api';
import { exceptionsApi } from './merchant/exceptions.api';
import { keyPlansApi } from './merchant/key-plans.api';
import { internalKeysApi } from './merchant/keys.api';
import { keyEvents } from './merchant/keys.events';
import { ledgerApi } from './merchant/ledger.api';
import { paylinkPaymentsApi, paylinksApi, publicPaylinksApi } from './merchant/paylinks.api';
import { paylinkEvents } from './merchant/paylinks.events';
import { paymentAttemptsApi } from './merchant/payment-attempts.api';
import { merchantPaymentsApi, paymentRequestsApi } from './merchant/payment-requests.api';
import { internalPaymentsApi, paymentsApi } from './merchant/payments.api';
import { paymentEvents } from './merchant/payments.events';
import { receiversApi } from './merchant/receivers.api';
import { internalStorefrontsApi, settingsApi } from './merchant/settings.api';
import { webhooksApi } from './merchant/webhooks.api';
import { nanoAccountsApi } from './nanopay/accounts.api';
import { nanoApprovalsApi } from './nanopay/approvals.api';
import { nanoAttestationApi } from './nanopay/attestation.api';
import { nanoChargesApi } from './nanopay/charges.api';
import { nanoVerificationApi } from './nanopay/verification.api';
import { approvalsApi } from './pay-orders/approvals.api';
import { chainsApi } from './pay-orders/chains.api';
import { checkoutApi } from './pay-orders/checkout.api';
import { facilitatorApi } from './pay-orders/facilitator.api';
import { orderHistoryApi } from './pay-orders/order-history.api';
import { ordersApi } from './pay-orders/orders.api';
import { orderEvents } from './pay-orders/orders.events';
import { payerlessOrdersApi } from './pay-orders/payerless-orders.api';
import { paymentReviewApi } from './pay-orders/payment-review.api';
import { quotesApi } from './pay-orders/quotes.api';
import { swapsApi } from './pay-orders/swaps.api';
import { demoPayerApi, sandboxOrdersApi } from './sandbox/checkout-panel.api';
import { clockAheadApi, sandboxClockApi } from './sandbox/clock.api';
import { sandboxControlsApi } from './sandbox/controls.api';
import { sandboxApi } from './sandbox/sandbox.api';
import { catalogApi } from './service-api/catalog.api';
import { internalPayoutsApi, payoutsApi } from './service-api/payouts.api';
import { payoutEvents } from './service-api/payouts.events';
import { agentmailApi } from './service-api/agentmail.api';
import { emailApi } from './service-api/email.api';
import { giftApi } from './service-api/gift.api';
import { cardsApi } from './service-api/cards.api';
import { providerHooksApi } from './service-api/provider-hooks.api';
import { purchasesApi } from './service-api/purchases.api';
import { purchaseEvents } from './service-api/purchases.events';
import { resendApi } from './service-api/resend.api';
import { salesApi } from './service-api/sales.api';
import { smsApi } from './service-api/sms.api';
import { teeAccountsApi } from './tee/accounts.api';
import { teeMoneyApi } from './tee/money.api';
import { teeEvents } from './tee/payments.events';
import { transactionStream } from './stream/transaction-stream.api';
import { swapQuotesApi } from './tx-engine/quotes.api';
import { snapshotsApi } from './tx-engine/snapshots.api';
import { soldQuotesApi } from './tx-engine/sold-quotes.api';
import { transactionsApi } from './tx-engine/transactions.api';
import { transactionEvents } from './tx-engine/transactions.events';

/** Every feature with HTTP routes. Routes, OpenAPI, the client and tests are derived from this list. */
export const features: readonly Feature[] = [
  chainsApi,
  quotesApi,
  checkoutApi,
  ordersApi,
  swapsApi,
  swapQuotesApi,
  transactionsApi,
  paymentRequestsApi,
  merchantPaymentsApi,
  paymentsApi,
  dashboardApi,
  ledgerApi,
  paylinksApi,
  publicPaylinksApi,
  paylinkPaymentsApi,
  exceptionsApi,
  receiversApi,
  apiKeysApi,
  authApi,
  settingsApi,
  webhooksApi,
  catalogApi,
  payoutsApi,
  emailApi,
  agentmailApi,
  resendApi,
  giftApi,
  smsApi,
  cardsApi,
  nanoAccountsApi,
  nanoApprovalsApi,
  nanoAttestationApi,
  nanoVerificationApi,
  sandboxApi,
  sandboxControlsApi,
  sandboxClockApi,
];

/** Features that only other services call. */
export const internalFeatures: readonly InternalFeature[] = [
  internalKeysApi,
  keyPlansApi,
  internalPaymentsApi,
  internalStorefrontsApi,
  paymentAttemptsApi,
  budgetsApi,
  priceSettingsApi,
  internalSessionsApi,
  internalDashboardApi,
  orderHistoryApi,
  payerlessOrdersApi,
  approvalsApi,
  paymentReviewApi,
  facilitatorApi,
  demoPayerApi,
  sandboxOrdersApi,
  clockAheadApi,
  snapshotsApi,
  soldQuotesApi,
  purchasesApi,
  salesApi,
  providerHooksApi,
  internalPayoutsApi,
  nanoChargesApi,
  teeAccountsApi,
  teeMoneyApi,
  ...healthApis,
];

/** Every event that an app publishes on the bus. */
export const allEvents = [
  orderEvents,
  transactionEvents,
  keyEvents,
  paylinkEvents,
  sessionEvents,
  paymentEvents,
  purchaseEvents,
  payoutEvents,
  teeEvents,
].flatMap((events) => Object.values(events));

/** Every stream of server-sent events. */
export const eventStreams: readonly EventStream[] = [orderStream, paymentStream];

/** Every WebSocket channel. */
export const channels: readonly Channel[] = [transactionStream];
