import { ApiKeys1795500000000 } from './1795500000000-api-keys';
import { Orders1795900000000 } from './1795900000000-orders';
import { Idempotency1796000000000 } from './1796000000000-idempotency';
import { WalletSessions1796100000000 } from './1796100000000-wallet-sessions';
import { Webhooks1796200000000 } from './1796200000000-webhooks';
import { Budgets1796300000000 } from './1796300000000-budgets';
import { Payments1796400000000 } from './1796400000000-payments';
import { Paylinks1796500000000 } from './1796500000000-paylinks';
import { DashboardAndLedger1796600000000 } from './1796600000000-dashboard-and-ledger';
import { OrderDeliveries1796700000000 } from './1796700000000-order-deliveries';
import { DeadLetterRetries1796750000000 } from './1796750000000-dead-letter-retries';
import { PaylinkPauses1796800000000 } from './1796800000000-paylink-pauses';
import { Prices1796960000000 } from './1796960000000-prices';
import { UnvaluedPayments1796970000000 } from './1796970000000-unvalued-payments';
import { PlausibleAmounts1796985000000 } from './1796985000000-plausible-amounts';
import { LedgerBalanceByStatement1796990000000 } from './1796990000000-ledger-balance-by-statement';
import { SeenPayments1797000100000 } from './1797000100000-seen-payments';
import { UnverifiablePayments1797000200000 } from './1797000200000-unverifiable-payments';
import { KeyPermissions1797010000000 } from './1797010000000-key-permissions';
import { ProvenReceivers1797020000000 } from './1797020000000-proven-receivers';
import { KeyPlanChanges1797030000000 } from './1797030000000-key-plan-changes';
import { StoreNames1797030100000 } from './1797030100000-store-names';
import { Retention1797700000000 } from './1797700000000-retention';
import { OperatorActions1797700100000 } from './1797700100000-operator-actions';
import { Leases1798000000000 } from './1798000000000-leases';
import { PepperIds1798100000000 } from './1798100000000-pepper-ids';
import { WebhookTraces1798200000000 } from './1798200000000-webhook-traces';
import { Storefronts1798300000000 } from './1798300000000-storefronts';
import {
  PaymentRequestStages1798400100000,
  PaymentRequestsOfWallet1798400000000,
} from './1798400000000-list-indexes';
import {
  SearchByCounterparty1798400300000,
  SearchByDescription1798400400000,
  SearchByHash1798400200000,
  SearchByOrder1798400500000,
} from './1798400200000-dashboard-search';
import { StoreLogos1798400600000 } from './1798400600000-store-logos';
import { StoreLogoHash1798400800000 } from './1798400800000-store-logo-hash';
import { WebhookListeners1799630000000 } from './1799630000000-webhook-listeners';
import { PaymentAttempts1801300000000 } from './1801300000000-payment-attempts';
import { PaymentExceptions1801400000000 } from './1801400000000-payment-exceptions';
import {
  CheckoutsByTransaction1801400300000,
  CheckoutsOfPayLink1801400600000,
  OwnPaymentRequests1801400400000,
  PartsOfPayLinks1801400200000,
  PayLinkCheckouts1801400500000,
  PayLinkForms1801400100000,
} from './1801400100000-paylink-forms';
import { SearchByRequest1801700000000 } from './1801700000000-request-search';
import { LaterReceivers1801701000000 } from './1801701000000-later-receivers';
import { KeyRates1801990000000 } from './1801990000000-key-rates';
import { ExceptionsOfOrders1801990100000 } from './1801990100000-exceptions-of-orders';
import { CancelUrls1798400700000 } from './1798400700000-cancel-urls';
import { LockRows1801200000000 } from './1801200000000-lock-rows';
import { OrderedTimes1801210000000 } from './1801210000000-ordered-times';
import { CountExpired1801990500000 } from './1801990500000-count-expired';
import { ExpiredSums1801990400000 } from './1801990400000-expired-sums';
import { AgreedPrices1802000000000 } from './1802000000000-agreed-prices';
import { PricesOfRequests1802000100000 } from './1802000100000-prices-of-requests';
import { DayRates1802000200000 } from './1802000200000-day-rates';

/** All migrations of this schema, oldest first. */
export const migrations = [
  ApiKeys1795500000000,
  Orders1795900000000,
  Idempotency1796000000000,
  WalletSessions1796100000000,
  Webhooks1796200000000,
  Budgets1796300000000,
  Payments1796400000000,
  Paylinks1796500000000,
  DashboardAndLedger1796600000000,
  OrderDeliveries1796700000000,
  DeadLetterRetries1796750000000,
  PaylinkPauses1796800000000,
  Prices1796960000000,
  UnvaluedPayments1796970000000,
  PlausibleAmounts1796985000000,
  LedgerBalanceByStatement1796990000000,
  SeenPayments1797000100000,
  UnverifiablePayments1797000200000,
  KeyPermissions1797010000000,
  ProvenReceivers1797020000000,
  KeyPlanChanges1797030000000,
  StoreNames1797030100000,
  Retention1797700000000,
  OperatorActions1797700100000,
  Leases1798000000000,
  PepperIds1798100000000,
  WebhookTraces1798200000000,
  Storefronts1798300000000,
  PaymentRequestsOfWallet1798400000000,
  PaymentRequestStages1798400100000,
  SearchByHash1798400200000,
  SearchByCounterparty1798400300000,
  SearchByDescription1798400400000,
  SearchByOrder1798400500000,
  StoreLogos1798400600000,
  CancelUrls1798400700000,
  StoreLogoHash1798400800000,
  WebhookListeners1799630000000,
  LockRows1801200000000,
  OrderedTimes1801210000000,
  PaymentAttempts1801300000000,
  PaymentExceptions1801400000000,
  PayLinkForms1801400100000,
  PartsOfPayLinks1801400200000,
  CheckoutsByTransaction1801400300000,
  OwnPaymentRequests1801400400000,
  PayLinkCheckouts1801400500000,
  CheckoutsOfPayLink1801400600000,
  SearchByRequest1801700000000,
  LaterReceivers1801701000000,
  KeyRates1801990000000,
  ExceptionsOfOrders1801990100000,
  ExpiredSums1801990400000,
  CountExpired1801990500000,
  AgreedPrices1802000000000,
  PricesOfRequests1802000100000,
  DayRates1802000200000,
];
